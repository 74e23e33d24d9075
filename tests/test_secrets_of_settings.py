"""What the settings hold that nobody may see: keys in use or not, and what stands in addresses."""

from base64 import b64encode

import pytest

from script_editor.config import Settings


def secrets(database: str = "store.db", **environment: str) -> tuple[str, ...]:
    return Settings(database=database, database_origin="--db", author="a", environment=environment).secrets


def sent(user: str, password: str) -> str:
    return b64encode(f"{user}:{password}".encode()).decode("ascii")


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("https://api.example.com/v1", ()),
        ("https://wang:geheim@h:8080/v1", ("geheim", sent("wang", "geheim"))),
        ("https://wang:p%40ss@h/v1", ("p%40ss", "p@ss", sent("wang", "p@ss"))),
        ("https://token-1234@h/v1", ("token-1234", sent("token-1234", ""))),
        ("https://h/v1?mail=a@b", ()),
        ("not an address @ all", ()),
    ],
    ids=["none", "a password", "escaped", "a user alone", "a sign in the path", "no address"],
)
@pytest.mark.parametrize("layer", ["SCRIPT_EDITOR_", "OPENAI_"])
def test_an_address_holds_secrets(layer: str, address: str, found: tuple[str, ...]) -> None:
    assert secrets(**{f"{layer}BASE_URL": address}) == found


def test_keys_are_secrets_whether_or_not_they_are_in_use() -> None:
    assert secrets(OPENAI_API_KEY="k2", SCRIPT_EDITOR_API_KEY="k1") == ("k1", "k2")


def test_of_the_address_of_a_store_the_password_is_a_secret_and_its_user_is_none() -> None:
    assert "geheim" in secrets("postgresql://wang:geheim@h/db")
    assert secrets("postgresql+psycopg://postgres:@/db") == () == secrets("postgresql://postgres@h/db")
