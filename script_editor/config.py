"""Settings: what each is, where it may come from, and where the value in use did come from.

Order, highest first: command-line option, `SCRIPT_EDITOR_*`, the names the ecosystem knows
(`OPENAI_API_KEY`, `OPENAI_BASE_URL`, `MODEL_NAME`), default. A key and the address it is sent to
must come from the same layer: otherwise an address set elsewhere could collect the key.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from script_editor.errors import MissingSetting, SetupError

OFFLINE = "offline"
Layer = Literal["SCRIPT_EDITOR_*", "OPENAI_*"]


class Environment(BaseSettings):
    """The environment variables that are read; an empty variable counts as not set."""

    model_config = SettingsConfigDict(env_ignore_empty=True, extra="ignore")

    script_editor_db: str | None = None
    script_editor_author: str | None = None
    script_editor_model: str | None = None
    script_editor_api_key: SecretStr | None = None
    script_editor_base_url: str | None = None
    script_editor_timeout: float | None = None
    script_editor_max_tokens: int | None = None
    openai_api_key: SecretStr | None = None
    openai_base_url: str | None = None
    model_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A real model: its name, where it is (None: the official address), and the key, which never prints."""

    model: str
    base_url: str | None
    api_key: SecretStr


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What one invocation uses."""

    database: str
    """Path or URL of the store."""
    database_origin: str
    """Which option or variable named the store."""
    author: str
    """Signs what people save."""
    model: str | None = None
    """Name given by --model; "offline" is the embedded one."""
    environment: Environment
    timeout_seconds: float = 120.0
    """For one model call with its retries."""
    max_output_tokens: int | None = None
    """Cap of one reply; None leaves it to the service."""

    def endpoint(self) -> Endpoint | None:
        """Return the model to call, or None for the embedded offline model.

        Raises:
            MissingSetting: a key without a model name, or a model asked for without a key.
            SetupError: key and address come from different layers.
        """
        env = self.environment
        if self.model == OFFLINE or (self.model is None and env.script_editor_model == OFFLINE):
            return None
        key, key_layer = _first(
            ("SCRIPT_EDITOR_*", env.script_editor_api_key), ("OPENAI_*", env.openai_api_key)
        )
        url, url_layer = _first(
            ("SCRIPT_EDITOR_*", env.script_editor_base_url), ("OPENAI_*", env.openai_base_url)
        )
        if key is None:
            self._check_offline_is_meant()
            return None
        if url is not None and url_layer != key_layer:
            raise SetupError(
                f"The key comes from {_variable(key_layer, 'API_KEY')}, but the address from "
                f"{_variable(url_layer, 'BASE_URL')}; a key is only sent to an address of its own layer.",
                hint="Set both as SCRIPT_EDITOR_API_KEY and SCRIPT_EDITOR_BASE_URL, or both as OPENAI_*.",
            )
        model = self.model or env.script_editor_model or env.model_name
        if model is None:
            raise MissingSetting(
                f"{_variable(key_layer, 'API_KEY')} is set, but no model is named.",
                hint="Set MODEL_NAME, give --model NAME, or use --model offline.",
            )
        return Endpoint(model=model, base_url=url, api_key=key)

    def _check_offline_is_meant(self) -> None:
        if self.model is not None:
            raise MissingSetting(
                f"--model {self.model} needs a key.",
                hint="Set OPENAI_API_KEY (any text will do for a local server), and OPENAI_BASE_URL for "
                "a service of your own. --model offline needs none.",
            )


def load_settings(*, database: str | None = None, model: str | None = None) -> Settings:
    """Return the settings in force; arguments are the command-line options.

    Raises:
        SetupError: a variable holds something that cannot be used; names the variable, never its value.
    """
    env = _environment()
    if database:
        chosen, origin = database, "--db"
    elif env.script_editor_db:
        chosen, origin = env.script_editor_db, "SCRIPT_EDITOR_DB"
    else:
        chosen, origin = str(default_database()), "default"
    return Settings(
        database=chosen,
        database_origin=origin,
        author=env.script_editor_author or _user_name(),
        model=model,
        environment=env,
        timeout_seconds=env.script_editor_timeout or 120.0,
        max_output_tokens=env.script_editor_max_tokens,
    )


def default_database() -> Path:
    """Return where the store lives unless said otherwise: the user's data folder."""
    from platformdirs import user_data_path  # late: most invocations name their store or only ask for help

    return user_data_path("script-editor", appauthor=False) / "script-editor.db"


def _environment() -> Environment:
    from pydantic import ValidationError

    try:
        return Environment()
    except ValidationError as error:
        names = ", ".join(str(problem["loc"][0]).upper() for problem in error.errors())
        # The foreign error prints values; it must not travel on.
        raise SetupError(f"{names} cannot be used as it is.", hint="It must be a number.") from None


T = TypeVar("T")


def _first(*layers: tuple[Layer, T | None]) -> tuple[T | None, Layer]:
    for layer, value in layers:
        if value is not None:
            return value, layer
    return None, layers[-1][0]


def _variable(layer: Layer, name: str) -> str:
    return layer.replace("*", name)


def _user_name() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no entry for this user, as in some containers
        return "unknown"
