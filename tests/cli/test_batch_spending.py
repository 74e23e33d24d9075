"""What a batch may take and what it took: limits that can be set and lifted, sums that say what they leave out."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from script_editor.batch.working.machines import place
from script_editor.store.batch_store import open_batches
from tests.support.command import Command, Ran
from tests.support.openai_server import Behaviour, OpenAIServer, ReceivedRequest, completion

ZH, EN = "开头更轻松", "make the opening lighter"
OFFLINE = "把“频道”改成“直播间”"
TEXT = "大家好，欢迎来到频道。\n再见。\n"
PRICES = {"SCRIPT_EDITOR_PRICE_IN": "2", "SCRIPT_EDITOR_PRICE_OUT": "8"}
USED = (1204, 318)
ONE = (1204 * 2 + 318 * 8) / 1e6


def edit(usage: tuple[int, int] | None) -> Behaviour:
    return completion("@@ replace S1\n哈喽大家，欢迎。\n@@ end", usage=usage)


class Service:
    """A service that says of its answers what it is told at present."""

    def __init__(self) -> None:
        self.usage: tuple[int, int] | None = USED
        self.env: dict[str, str] = {}

    def __call__(self, _request: ReceivedRequest) -> Behaviour:
        return edit(self.usage)


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    with OpenAIServer(made) as server:
        made.env = {"OPENAI_API_KEY": "sk-secret-123", "OPENAI_BASE_URL": server.base_url, "MODEL_NAME": "m"}
        yield made


@pytest.fixture
def command(tmp_path: Path) -> Command:
    made = Command(tmp_path / "store.db")
    for number in range(1, 4):
        assert made("new", f"ep_{number}", input=TEXT).exit_code == 0
    return made


def at(command: Command, service: Service, *arguments: str, **env: str) -> Ran:
    return command("batch", *arguments, model=None, **(service.env | env))


def planned(command: Command, service: Service | None = None, do: str = OFFLINE, **env: str) -> str:
    arguments = ("plan", "--select", "ep_*", "--do", do, "-q", "--redo")
    ran = command("batch", *arguments) if service is None else at(command, service, *arguments, **env)
    return ran.stdout.strip()


def last(ran: Ran) -> Any:
    return json.loads(ran.stdout.splitlines()[-1])


# --- what may be asked for -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("--rpm", value) for value in ("0", "99999999999999999999", "1000000001", "many", "None")),
        *(("--tpm", value) for value in ("-1", "99999999999999999999")),
        *(("--budget", value) for value in ("inf", "nan", "1e13", "-1", "0", "-inf")),
        ("--sample", "99999999999999999999"),
    ],
)
def test_what_no_limit_can_be_is_refused_and_nothing_of_it_stays(
    command: Command, option: str, value: str
) -> None:
    batch = planned(command)

    refused = command("batch", "run", batch, option, value)

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert option in refused.stderr
    status = command("batch", "status", batch, "--json").data
    assert (status["state"], status["budget"], status["limits"]) == (
        "planned", None, {"requests_per_minute": None, "tokens_per_minute": None},
    )  # fmt: skip
    assert command("batch", "run", batch).exit_code == 0


def test_a_limit_is_shown_while_it_holds_and_can_be_lifted(command: Command) -> None:
    batch = planned(command)

    command("batch", "run", batch, "--sample", "1", "--rpm", "6000", "--tpm", "2000000")
    shown = command("batch", "status", batch)
    as_data = command("batch", "status", batch, "--json").data["limits"]
    lifted = command("batch", "resume", batch, "--sample", "1", "--rpm", "none", "--tpm", "none")
    after = command("batch", "status", batch)

    assert "限速：每分钟最多 6,000 次请求、2,000,000 个 token。" in shown.stderr
    assert as_data == {
        "requests_per_minute": {"limit": 6000, "of": batch},
        "tokens_per_minute": {"limit": 2_000_000, "of": batch},
    }
    assert lifted.exit_code == 0
    assert "每分钟" not in after.stderr
    assert "none" in command("batch", "run", "--help").stdout


def test_the_limit_of_another_batch_is_told_while_that_one_is_at_work(command: Command) -> None:
    limited, free = planned(command), planned(command, do="把“再见”改成“回见”")
    command("batch", "run", limited, "--sample", "1", "--rpm", "6000")
    with open_batches(str(command.database)) as batches:
        batches.set_state(limited, "running")
        batches.register_worker("w", host=place(), pid=os.getpid())
        item = batches.items(limited, states=("queued",))[0]
        batches.begin_item(limited, item.job.seq, 1, worker_id="w")
        # The offline model asks nobody.
        batches.take_permit(limited, item.job.seq, service="here offline", worker_id="w", tokens=1, cost=0.0)

    status = command("batch", "status", free)
    as_data = command("batch", "status", free, "--json").data["limits"]
    ran = command("batch", "run", free)
    with open_batches(str(command.database)) as batches:
        batches.set_state(limited, "paused")
    later = command("batch", "run", planned(command, do="把“再见”改成“拜拜”"))

    told = f"{limited} 正在用同一个模型，它的限速在这里也有效：每分钟最多 6,000 次请求。"
    assert told in status.stderr and told in ran.stderr
    assert as_data["requests_per_minute"] == {"limit": 6000, "of": limited}
    assert (ran.exit_code, later.exit_code) == (0, 0)
    assert limited not in later.stderr


# --- what was taken --------------------------------------------------------------------------


def test_a_call_that_nobody_told_the_usage_of_makes_the_cost_an_upper_bound(
    command: Command, service: Service
) -> None:
    """It is paid, and no service takes it back: the sum is not what the tokens beside it come to."""
    batch = planned(command, service, ZH, **PRICES)
    at(command, service, "run", batch, "--sample", "1", "--workers", "1", **PRICES)
    service.usage = None

    ran = at(command, service, "run", batch, "--yes", **PRICES)
    status = at(command, service, "status", batch, "--json").data

    assert "至少 1,204 + 318 tokens · 费用最多 0." in ran.stdout
    note = "有 2 次调用没有报告用量（应答丢失，或服务没有说）：费用里按上限计入了 0."
    assert note in ran.stderr and "token 数和 export 里没有它们" in ran.stderr
    assert note in at(command, service, "status", batch).stderr
    assert (status["tokens"], status["calls_untold"]) == ({"in": 1204, "out": 318, "is_at_least": True}, 2)
    cost = status["cost"]
    assert (cost["is_at_most"], cost["is_at_least"]) == (True, False)
    assert cost["amount"] == pytest.approx(ONE + cost["untold"], abs=2e-6)


def test_calls_before_prices_were_set_make_the_cost_a_lower_bound(command: Command, service: Service) -> None:
    batch = planned(command, service, EN)
    at(command, service, "run", batch, "--sample", "1", "--workers", "1")

    ran = at(command, service, "run", batch, "--yes", **PRICES)
    status = at(command, service, "status", batch, "--json").data

    assert f"3,612 + 954 tokens · cost at least {2 * ONE:.4f}" in ran.stdout
    assert "1,522 tokens were taken before prices were set; they are not in the cost." in ran.stderr
    assert status["cost"] == {
        "amount": round(2 * ONE, 6), "is_at_least": True, "is_at_most": False, "untold": 0.0
    }  # fmt: skip
    assert status["tokens_unpriced"] == 1522


def test_where_everything_was_told_the_sums_are_what_they_are(command: Command, service: Service) -> None:
    batch = planned(command, service, EN, **PRICES)

    ran = at(command, service, "run", batch, "--yes", **PRICES)

    assert f"3,612 + 954 tokens · cost {3 * ONE:.4f}\n" in ran.stdout
    assert "nobody told" not in ran.stderr and "not in the cost" not in ran.stderr


@pytest.mark.parametrize(
    ("do", "said"),
    [
        (EN, "more than its budget of 0.05: calls took more than they were reckoned with"),
        (ZH, "，超出了预算 0.05：有的调用用得比预计的多"),
    ],
    ids=["en", "zh"],
)
def test_a_budget_that_was_passed_is_told(command: Command, service: Service, do: str, said: str) -> None:
    """Nothing bounds the replies, and each one is far longer than it was reckoned with."""
    batch = planned(command, service, do, **PRICES)
    service.usage = (1204, 9000)

    ran = at(command, service, "run", batch, "--budget", "0.05", **PRICES)
    status = at(command, service, "status", batch)
    as_data = at(command, service, "status", batch, "--json")

    for told in (ran, status):
        assert said in told.stderr
        assert "SCRIPT_EDITOR_MAX_TOKENS" in told.stderr
    assert any(said in warning for warning in as_data.json["warnings"])
    assert as_data.data["is_over_budget"] is True


def test_a_run_that_passed_its_budget_says_so_in_its_json(command: Command, service: Service) -> None:
    batch = planned(command, service, EN, **PRICES)
    service.usage = (1204, 9000)

    ran = at(command, service, "run", batch, "--budget", "0.05", "--json", **PRICES)

    assert any("more than its budget" in warning for warning in last(ran)["warnings"])
    assert last(ran)["data"]["is_over_budget"] is True


def test_a_refusal_names_the_sum_from_which_on_a_budget_is_enough_to_begin(
    command: Command, service: Service
) -> None:
    batch = planned(command, service, ZH, **PRICES)

    refused = at(command, service, "run", batch, "--budget", "0.0001", **PRICES)

    assert refused.exit_code == 8
    assert "最小的一次调用也要按 0.0" in refused.stderr and "而预算是 0.0001。" in refused.stderr
    assert "已保留" not in refused.stderr and "resume" not in refused.stderr
    assert f"运行（足够做完全部）：script-editor batch run {batch} --budget" in refused.stderr
