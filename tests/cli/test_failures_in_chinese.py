"""One language per command: what goes wrong around an edit that was ordered in Chinese is told in Chinese."""

from pathlib import Path

import pytest

from script_editor.domain.refusals.failures_zh import failure_zh, next_step_zh
from tests.support.command import Command, Ran
from tests.support.openai_server import Behaviour, OpenAIServer, status

TEXT = "大家好。\n今天说说茶。\n"
ZH, EN = "改得轻松一些", "make it friendlier"


@pytest.fixture
def command(tmp_path: Path) -> Command:
    made = Command(tmp_path / "store.db")
    assert made("new", "video_001", input=TEXT).exit_code == 0
    return made


def at(command: Command, address: str, *arguments: str) -> Ran:
    return command(
        *arguments, model=None, OPENAI_API_KEY="sk-secret-123", OPENAI_BASE_URL=address, MODEL_NAME="m",
        SCRIPT_EDITOR_TIMEOUT="5",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("behaviour", "code", "told"),
    [
        (status(401, "no such key"), 6, "不接受这个密钥（HTTP 401）：no such key"),
        (status(404, "no such model"), 6, "没有模型 'm'（HTTP 404）"),
        (status(400, "what?"), 7, "拒绝了这个请求（HTTP 400）"),
        (status(402, "no money"), 6, "的账户余额或额度已用完（HTTP 402）：no money"),
    ],
)
@pytest.mark.parametrize("verb", [["edit", "video_001"], ["ask"]], ids=["edit", "ask"])
def test_what_the_service_refuses_is_told_in_chinese(
    command: Command, behaviour: Behaviour, code: int, told: str, verb: list[str]
) -> None:
    with OpenAIServer([behaviour] * 4) as server:
        done = at(command, server.base_url, *verb, f"video_001 {ZH}", "--yes")

    assert done.exit_code == code
    assert told in done.stderr
    assert "错误：" in done.stderr and "Error" not in done.stderr and "Check" not in done.stderr
    assert "sk-secret-123" not in done.stderr


@pytest.mark.parametrize(
    ("behaviour", "told"),
    [
        (status(401, "no such key"), "请检查 SCRIPT_EDITOR_API_KEY，并确认 SCRIPT_EDITOR_BASE_URL 就是"),
        (status(404, "no such model"), "请检查 SCRIPT_EDITOR_MODEL 和 SCRIPT_EDITOR_BASE_URL"),
    ],
)
def test_what_to_check_is_called_as_it_was_set(command: Command, behaviour: Behaviour, told: str) -> None:
    with OpenAIServer([behaviour] * 4) as server:
        own = {"SCRIPT_EDITOR_API_KEY": "sk-secret-123", "SCRIPT_EDITOR_BASE_URL": server.base_url,
               "SCRIPT_EDITOR_MODEL": "m", "OPENAI_API_KEY": "sk-other"}  # fmt: skip
        done = command("edit", "video_001", ZH, "--yes", model=None, **own)
        named = command("edit", "video_001", EN, "--yes", model="n", **own)

    assert told in done.stderr and "OPENAI" not in done.stderr
    assert "SCRIPT_EDITOR_BASE_URL" in named.stderr and "OPENAI" not in named.stderr
    assert ("Check --model, and" in named.stderr) == ("MODEL" in told)


def test_an_order_in_english_is_answered_in_english(command: Command) -> None:
    with OpenAIServer([status(401, "no such key")]) as server:
        done = at(command, server.base_url, "edit", "video_001", EN, "--yes")

    assert done.exit_code == 6
    assert "refused the API key (HTTP 401)" in done.stderr and "错误" not in done.stderr


def test_the_json_of_a_failure_stays_as_it_is(command: Command) -> None:
    with OpenAIServer([status(401, "no such key")]) as server:
        done = at(command, server.base_url, "edit", "video_001", ZH, "--yes", "--json")

    assert done.json["error"]["code"] == "key_refused"
    assert "refused the API key (HTTP 401)" in done.json["error"]["message"]


@pytest.mark.parametrize("asked", ["看看 video_00x", "撤销 video_00x 的上一次修改"])
def test_a_script_that_is_not_there_is_told_in_chinese(command: Command, asked: str) -> None:
    done = command("ask", asked, "--yes")

    assert done.exit_code == 3
    assert "没有脚本“video_00x”" in done.stderr
    assert "There is no" not in done.stderr


@pytest.mark.parametrize(
    ("sentence", "zh"),
    [
        ("Cannot reach api.example.com: connection refused", "连不上 api.example.com：connection refused"),
        ("Cannot reach api.example.com.", "连不上 api.example.com。"),
        ("a.b gave no complete answer within 120 seconds.", "a.b 在 120 秒内没有答完。"),
        ("OPENAI_API_KEY is set, but no model is named.", "设置了 OPENAI_API_KEY，但没有指定模型。"),
        ("Something nobody knows.", "Something nobody knows."),
    ],
)
def test_a_sentence_is_put_into_chinese(sentence: str, zh: str) -> None:
    assert failure_zh(sentence) == zh


def test_what_to_do_next_is_put_into_chinese() -> None:
    assert (
        next_step_zh("Did you mean a or b? All ids: script-editor list")
        == "是不是 a 或 b？全部编号：script-editor list"
    )
    assert next_step_zh("Known ids: a, b. All of them: script-editor list").startswith("已有的编号：a、b。")
    assert (
        next_step_zh("Name its model: script-editor batch run b-1 -m m/x")
        == "请指明模型：script-editor batch run b-1 -m m/x"
    )
    assert next_step_zh("Check --model, and OPENAI_BASE_URL: for most services it ends in /v1.").startswith(
        "请检查 --model 和 OPENAI_BASE_URL"
    )
    assert next_step_zh("Run it.") == "Run it."
