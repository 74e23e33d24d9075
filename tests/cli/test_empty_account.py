"""What a single edit says where the account at the service is empty."""

from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.openai_server import Behaviour, OpenAIServer, json_body, status

EMPTY: dict[str, Behaviour] = {
    "402": json_body({"error": {"message": "Insufficient Balance"}}, code=402),
    "429": status(429, "You exceeded your current quota", error={"code": "insufficient_quota"}),
}


@pytest.mark.parametrize("name", EMPTY)
def test_an_edit_with_an_empty_account_says_so_at_once_and_what_next(tmp_path: Path, name: str) -> None:
    with OpenAIServer(lambda _request: EMPTY[name]) as server:
        command = Command(tmp_path / "store.db")
        command("new", "e1", input="欢迎来到频道。\n")
        service = {
            "OPENAI_API_KEY": "sk-0123456789abcdef",
            "OPENAI_BASE_URL": server.base_url,
            "MODEL_NAME": "m",
        }
        ran = command("edit", "e1", "改得更轻松幽默一些", "--yes", model=None, **service)

        assert ran.exit_code == 6
        assert f"的账户余额或额度已用完（HTTP {name}）" in ran.stderr
        assert "请到服务方充值" in ran.stderr
        assert len(server.requests) == 1  # waiting pays no bill
