"""How a model is held to the form of its answer: as strictly as its service is known to allow.

Four rungs, best first: a strict JSON schema, a forced tool call, JSON mode, and plain text. The service
that refuses a rung by name is asked on the next one, and the model remembers that; any other failure is
the caller's. What comes back is text in every case, read by its shape: a service may accept a form and
ignore it.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from script_editor.app.operations_schema import EDIT_TOOL, JSON_OBJECT, JSON_SCHEMA
from script_editor.llm.capabilities import Feature, features_of
from script_editor.llm.chat import ChatModel, Message, OnText, Reply, ToolSpec
from script_editor.llm.failures import FeatureRefused

Form = Literal["json", "text"]
"""What the prompt teaches: a JSON object, or lines that begin with `@@`."""


class Answer(NamedTuple):
    """A reply, and what the model wrote in it as its answer (see `written`)."""

    reply: Reply
    text: str


@dataclass(frozen=True, slots=True)
class _Rung:
    needs: frozenset[Feature] = frozenset()
    tools: tuple[ToolSpec, ...] = ()
    response_format: dict[str, Any] | None = None  # the service's own shape, open by nature


_PLAIN = _Rung()
_HELD = (
    _Rung(frozenset({"json_schema"}), response_format=JSON_SCHEMA),
    _Rung(frozenset({"tools", "tool_choice"}), tools=(EDIT_TOOL,)),
    _Rung(frozenset({"json_object"}), response_format=JSON_OBJECT),
)
"""Best first; their answers are JSON."""


class Ladder:
    """Asks a model on the best rung that it is not known to refuse.

    A model that says nothing of its features is asked in `plain_form`, and so is one that refused all else.
    """

    def __init__(self, model: ChatModel, *, plain_form: Form = "text"):
        self._model, self._plain_form = model, plain_form

    def ask(self, messages: Callable[[Form], Sequence[Message]], *, on_text: OnText | None = None) -> Answer:
        """Return the model's answer to `messages`, which is given the form to teach; called anew for each rung.

        Whether the answer is complete and of use is for the caller to check: a call of the forced tool
        ends with "tool_calls", one that was cut with "length".

        Raises:
            SetupError, ModelFailure: see ChatModel.complete; a refusal of a rung only when none is left.
        """
        able = features_of(self._model)
        while True:
            rung = next((rung for rung in _HELD if rung.needs <= able), _PLAIN)
            form: Form = self._plain_form if rung is _PLAIN else "json"
            try:
                return self._ask_on(rung, messages(form), on_text)
            except FeatureRefused as refused:
                if refused.feature not in rung.needs:
                    raise
                able -= {refused.feature}

    def plain(self, messages: Sequence[Message], *, on_text: OnText | None = None) -> Answer:
        """Return the model's answer to `messages`, in whatever form these ask for. Raises as `ask` does."""
        return self._ask_on(_PLAIN, messages, on_text)

    def _ask_on(self, rung: _Rung, messages: Sequence[Message], on_text: OnText | None) -> Answer:
        reply = self._model.complete(
            messages, tools=rung.tools, response_format=rung.response_format, on_text=on_text
        )
        return Answer(reply, written(reply))


def written(reply: Reply) -> str:
    """Return what a model wrote as its answer: the arguments of its call, else its text.

    Some models spread the operations over several calls; these are put together, in their order. Where that
    cannot be done all of them are returned one below the other, so that no reader takes a part for the whole.
    """
    arguments = [call.arguments for call in reply.tool_calls]
    match arguments:
        case []:
            return reply.text
        case [only]:
            return only
        case _:
            return _together(arguments) or "\n".join(arguments)


def _together(arguments: Sequence[str]) -> str | None:
    """Return several answers as one, or None when one of them is not a list of operations alone."""
    operations: list[object] = []
    for text in arguments:
        try:
            answer = json.loads(text, object_pairs_hook=_without_repeats)
        except (ValueError, RecursionError):
            return None
        match answer:
            case {"ops": list(more), **rest} if not any(rest.values()):
                operations += more
            case _:
                return None
    return json.dumps({"ops": operations}, ensure_ascii=False)


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    answer = dict(pairs)
    if len(answer) != len(pairs):
        raise ValueError("a key is given twice")
    return answer
