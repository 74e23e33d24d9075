"""The name of everything that is said to a model."""

from dataclasses import replace

from script_editor.app.fingerprint import prompts_fingerprint
from script_editor.app.scope import Ledger, Scope
from script_editor.app.services import Services
from script_editor.app.tools import script_tools
from script_editor.offline.rewriter import OfflineRewriter
from script_editor.store.sql import SqlScriptStore


def tools(store: SqlScriptStore):
    services = Services.over(store)
    return script_tools(
        services.scripts, services.proposals, services.locks, OfflineRewriter(),
        scope=Scope("", "", "alice"), ledger=Ledger(), approve=lambda _pending: False,
    )  # fmt: skip


def test_the_same_words_have_the_same_name_whatever_the_store(store):
    first, second = prompts_fingerprint(tools(store)), prompts_fingerprint(tools(store))

    assert first == second
    assert 12 == len(first)


def test_another_word_in_a_tool_is_another_name(store):
    some = tools(store)
    told = [replace(some[0], description="List them."), *some[1:]]

    assert prompts_fingerprint(some) != prompts_fingerprint(told)
