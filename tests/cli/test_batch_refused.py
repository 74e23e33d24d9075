"""A batch whose service refuses: how it stands, why, and how to go on, in the language of its instruction."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import Session

from script_editor.domain.batches import Ending, Made
from script_editor.domain.findings import Finding
from script_editor.domain.script import Provenance
from script_editor.store.batch_store import open_batches
from tests.support.command import Command, Ran
from tests.support.openai_server import Behaviour, OpenAIServer, ReceivedRequest, completion, status

ZH, EN = "开头更轻松", "make the opening lighter"
EDIT = completion("@@ replace S1\n哈喽大家，欢迎。\n@@ end", usage=(1204, 318))
TEXT = "大家好，欢迎来到频道。\n再见。\n"


class Service:
    """A service that answers as it is told at present."""

    def __init__(self) -> None:
        self.behaviour: Behaviour = EDIT
        self.env: dict[str, str] = {}

    def __call__(self, _request: ReceivedRequest) -> Behaviour:
        return self.behaviour


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    with OpenAIServer(made) as server:
        made.env = {"OPENAI_API_KEY": "sk-secret-123", "OPENAI_BASE_URL": server.base_url, "MODEL_NAME": "m"}
        yield made


@pytest.fixture
def command(tmp_path: Path) -> Command:
    made = Command(tmp_path / "store.db")
    for number in range(1, 5):
        assert made("new", f"ep_{number}", input=TEXT).exit_code == 0
    return made


def at(command: Command, service: Service, *arguments: str, **env: str) -> Ran:
    return command(*arguments, model=None, **(service.env | env))


def planned(command: Command, service: Service, do: str = ZH) -> str:
    return at(command, service, "batch", "plan", "--select", "ep_*", "--do", do, "-q").stdout.strip()


REFUSALS = [
    (status(401, "no such key"), 6, "key_refused", "refused"),
    (status(402, "no money"), 6, "account_empty", "empty"),
    (status(404, "no such model"), 6, "model_unknown", "refused"),
]


@pytest.mark.parametrize(("behaviour", "code", "name", "reason"), REFUSALS, ids=["401", "402", "404"])
def test_a_batch_that_is_refused_says_how_it_stands_and_how_to_go_on(
    command: Command, service: Service, behaviour: Behaviour, code: int, name: str, reason: str
) -> None:
    batch = planned(command, service)
    service.behaviour = behaviour

    ran = at(command, service, "batch", "run", batch, "--workers", "1")
    told = at(command, service, "batch", "run", batch, "--workers", "1", "--json")

    assert ran.exit_code == told.exit_code == code
    assert ran.stdout.startswith(f"{batch}  已暂停（") and "待处理 4" in ran.stdout
    assert "错误：" in ran.stderr and "Check" not in ran.stderr and "has no money" not in ran.stderr
    assert ran.stderr.rstrip().endswith(f"续跑：script-editor batch resume {batch}")
    last = json.loads(told.stdout.splitlines()[-1])
    assert (last["ok"], last["error"]["code"]) == (False, name)
    assert f"script-editor batch resume {batch}" in last["error"]["hint"]
    data = last["data"]
    assert (data["batch"], data["state"], data["pause_reason"]) == (batch, "paused", reason)
    assert data["items"]["queued"] == 4


def test_a_service_in_trouble_pauses_the_batch_and_what_failed_is_counted(
    command: Command, service: Service
) -> None:
    batch = planned(command, service)
    service.behaviour = status(500, "Internal error", headers={"Retry-After": "0"})

    ran = at(command, service, "batch", "run", batch, "--workers", "1")
    told = at(command, service, "batch", "failures", batch)

    assert ran.exit_code == 7
    assert "失败 2 · 待处理 2" in ran.stdout
    assert "回了一个错误（HTTP 500）：Internal error" in ran.stderr
    assert f"续跑：script-editor batch resume {batch}" in ran.stderr
    assert f"查看原因：script-editor batch failures {batch}" in ran.stderr
    assert "回了一个错误（HTTP 500）：Internal error" in told.stdout and "没有保存任何内容" in told.stdout
    assert "failed" not in told.stdout and "Nothing was saved" not in told.stdout


def test_a_worker_that_is_refused_says_how_the_batch_stands_and_how_to_go_on(
    command: Command, service: Service
) -> None:
    batch = planned(command, service)
    service.behaviour = status(401, "no such key")
    at(command, service, "batch", "run", batch)
    with_database = str(command.database)
    running(with_database, batch)

    ran = at(command, service, "batch", "worker", "--until-idle")

    assert ran.exit_code == 6
    assert f"{batch}  已暂停（" in ran.stderr and "待处理 4" in ran.stderr
    assert f"续跑：script-editor batch resume {batch}" in ran.stderr


def running(database: str, batch: str) -> None:
    """Let a batch run with nobody at work on it, as `--detach` leaves it for the process that it starts."""
    with open_batches(database) as batches:
        batches.set_state(batch, "running")


def test_what_a_worker_did_is_told_as_whoever_runs_the_batch_would_be_told(
    command: Command, service: Service
) -> None:
    batch = planned(command, service, EN)
    running(str(command.database), batch)

    ran = at(command, service, "batch", "worker", "--until-idle")

    assert ran.exit_code == 0
    assert f"Save the clean ones: script-editor batch apply {batch} --clean" in ran.stderr


def test_nothing_is_reported_of_a_batch_that_cannot_begin(command: Command, service: Service) -> None:
    batch = planned(command, service)

    ran = at(command, service, "batch", "run", batch, "--budget", "5")

    assert (ran.exit_code, ran.stdout) == (6, "")
    assert "错误：设预算需要价格，而模型 m 的价格未知。" in ran.stderr
    assert "请设置 SCRIPT_EDITOR_PRICE_IN" in ran.stderr


@pytest.mark.parametrize("state", ["planned", "done", "cancelled"])
def test_what_does_not_fit_a_batch_is_told_in_its_language(
    command: Command, service: Service, state: str
) -> None:
    batch = planned(command, service)
    if state == "done":
        assert at(command, service, "batch", "run", batch).exit_code == 0
        ran = at(command, service, "batch", "cancel", batch)
        assert "错误：" in ran.stderr and "已经结束，没有可以取消的" in ran.stderr
    elif state == "cancelled":
        at(command, service, "batch", "cancel", batch)
        ran = at(command, service, "batch", "run", batch)
        assert "已取消" in ran.stderr and f"重新开始：script-editor batch resume {batch}" in ran.stderr
    else:
        ran = at(command, service, "batch", "run", batch, "-m", "other")
        assert "是为模型 m 计划的" in ran.stderr and "请指明模型：script-editor batch run" in ran.stderr
    assert ran.exit_code == (6 if state == "planned" else 2)
    assert "Error" not in ran.stderr


# --- what is printed works as printed --------------------------------------------------------


def typed(command: Command, service: Service, line: str, **env: str) -> Ran:
    """Do as a line says that was printed."""
    _said, _name, words = line.partition("script-editor ")
    return at(command, service, *words.split(), **env)


def printed(ran: Ran, words: str) -> str:
    """Return the command in what was printed that has these words."""
    steps = [step for line in ran.stderr.splitlines() for step in line.split("     ")]
    return next(step for step in steps if words in step)


def test_a_plan_for_a_model_that_no_setting_names_runs_as_printed(command: Command, service: Service) -> None:
    del service.env["MODEL_NAME"]
    ran = at(command, service, "batch", "plan", "ep_1", "--do", ZH, "-m", "stub")

    done = typed(command, service, printed(ran, "batch run"))

    assert done.exit_code == 0 and "完成 1" in done.stdout
    assert "没有指定模型" not in done.stderr


def test_where_the_settings_name_another_model_the_commands_name_that_of_the_plan(
    command: Command, service: Service
) -> None:
    ran = at(command, service, "batch", "plan", "ep_1", "ep_2", "ep_3", "--do", ZH, "-m", "stub")

    tried = typed(command, service, printed(ran, "--sample"))
    going_on = printed(tried, "batch resume")
    done = typed(command, service, going_on)

    assert "-m stub" in printed(ran, "--sample") and going_on.endswith("-m stub")
    assert tried.exit_code == done.exit_code == 0
    assert "完成 3" in done.stdout
    assert "-m" not in printed(done, "batch apply")


def test_the_model_that_the_settings_name_is_not_repeated(command: Command, service: Service) -> None:
    ran = at(command, service, "batch", "plan", "ep_1", "--do", ZH)

    assert "-m" not in ran.stderr


@pytest.mark.parametrize("prices", [True, False], ids=["with prices", "without"])
@pytest.mark.parametrize(("do", "yes"), [(ZH, "加上 --yes"), (EN, "--yes")], ids=["zh", "en"])
def test_a_budget_is_proposed_only_where_there_are_prices(
    command: Command, service: Service, prices: bool, do: str, yes: str
) -> None:
    env: dict[str, str] = (
        {"SCRIPT_EDITOR_PRICE_IN": "4000", "SCRIPT_EDITOR_PRICE_OUT": "9000"} if prices else {}
    )
    long = "一句很长的口播，说了又说。\n" * 9000
    for number in range(12):
        command("new", f"long_{number}", input=long)
    batch = at(
        command, service, "batch", "plan", "--select", "long_*", "--do", do, "-q", **env
    ).stdout.strip()

    ran = at(command, service, "batch", "run", batch, **env)

    assert ran.exit_code == 2
    assert yes in ran.stderr and ("--budget" in ran.stderr) == prices
    assert ("Nobody" in ran.stderr) == (do == EN)


def test_what_is_to_be_forced_says_that_it_is_meant_where_nobody_can_be_asked(
    command: Command, service: Service
) -> None:
    batch = at(command, service, "batch", "plan", "ep_1", "--do", ZH, "-q").stdout.strip()
    finding = Finding(guard="facts", code="number_lost", level="error", message="x", segments=(1,))
    made = Made(
        text="短。\n", provenance=Provenance(author="tester"), findings=(finding,), proposal_id="p-abcdefgh"
    )
    hint = "可以照这样保存。仍要保存：script-editor apply p-abcdefgh --force"
    ending = Ending(state="failed", error_type="number_lost", error="少了数字。", hint=hint, made=made)
    with open_batches(str(command.database)) as batches, Session(batches._engine) as session, session.begin():
        batches.end_item(session, batch, 1, 1, ending)

    ran = at(command, service, "batch", "failures", batch)
    told = at(command, service, "batch", "failures", batch, "--json").data["failures"][0]["error"]["hint"]
    (forced,) = (line for line in ran.stdout.splitlines() if "--force" in line)
    done = typed(command, service, forced)

    assert forced.endswith("script-editor apply p-abcdefgh --force --yes") and told.endswith("--force --yes")
    assert done.exit_code == 0, done.stderr


def test_failures_of_one_reason_are_told_without_what_is_one_scripts_own(
    command: Command, service: Service
) -> None:
    service.behaviour = completion("@@ replace S1\n（其余不变）\n@@ end")
    batch = planned(command, service)
    for name, do in (("ep_1", "把“再见”改成“回见”"), ("ep_2", "把“再见”改成“回见”"), ("ep_2", "删掉第2行")):
        assert command("edit", name, do, "--yes").exit_code == 0
    at(command, service, "batch", "run", batch)

    lines = at(command, service, "batch", "failures", batch).stdout.splitlines()

    moved, _names, again, failed, _others, *_hint = lines
    assert moved == "! 冲突 2：这期间有人改过这些脚本。"
    assert again == f"    在现在的版本上重做：script-editor batch retry {batch} --only conflict"
    assert failed.startswith("✗ 失败 2：模型用“其余不变”") and "ep_" not in failed and failed.endswith("。")


def test_a_proposal_is_named_once(command: Command, service: Service) -> None:
    batch = at(command, service, "batch", "plan", "ep_1", "--do", EN, "--target", "90s", "-q").stdout.strip()

    ran = at(command, service, "batch", "run", batch)
    saved = at(command, service, "batch", "apply", batch)

    (line,) = (line for line in ran.stderr.splitlines() if line.startswith("✗ ep_1"))
    assert line.count("p-") == 1
    assert "1 of 1 was not done." in ran.stderr
    (left,) = (line for line in saved.stderr.splitlines() if line.startswith("! ep_1"))
    assert left.count("p-") == 1 and left.startswith("! ep_1  stopped by a check: ")
    assert "left: 1 stopped by a check." in saved.stderr


def test_nothing_to_retry_says_what_was_saved(command: Command, service: Service) -> None:
    batch = planned(command, service)
    at(command, service, "batch", "run", batch, "--apply")

    ran = at(command, service, "batch", "retry", batch)

    assert "完成 4（已保存 4）" in ran.stdout and "没有可以重试的项目" in ran.stderr


def test_half_an_edit_is_left_because_it_was_not_done_and_no_check_is_named(
    command: Command, service: Service
) -> None:
    batch = at(command, service, "batch", "plan", "ep_1", "--do", ZH, "-q").stdout.strip()
    made = Made(text="短。\n", provenance=Provenance(author="tester"))
    ending = Ending(state="failed", error_type="unfinished", error="只改了一部分。", made=made)
    with open_batches(str(command.database)) as batches, Session(batches._engine) as session, session.begin():
        batches.end_item(session, batch, 1, 1, ending)

    ran = at(command, service, "batch", "apply", batch)

    assert "! ep_1  没有完成：只改了一部分。" in ran.stderr
    assert "未动：没有完成 1。" in ran.stderr and "检查没有通过" not in ran.stderr
