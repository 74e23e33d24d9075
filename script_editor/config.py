"""Settings: what each is, where it may come from, and where the value in use did come from.

Order, highest first: command-line option, `SCRIPT_EDITOR_*`, the names the ecosystem knows
(`OPENAI_API_KEY`, `OPENAI_BASE_URL`, `MODEL_NAME`), default. An empty variable counts as not set. A
key and the address it is sent to must come from the same layer: otherwise an address set elsewhere
could collect the key.

Read with the standard library alone: a settings library would cost every `show` and `history` a
tenth of their start-up.
"""

import os
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

from script_editor.errors import MissingSetting, SetupError

OFFLINE = "offline"
DEFAULT_TIMEOUT_SECONDS = 120.0
DEFAULT_LOG_MEGABYTES = 50.0
DEFAULT_LOG_DAYS = 30.0

Layer = Literal["SCRIPT_EDITOR_", "OPENAI_"]
_LAYERS: tuple[Layer, ...] = ("SCRIPT_EDITOR_", "OPENAI_")
_SWITCH = {
    **dict.fromkeys(("on", "1", "true", "yes"), True),
    **dict.fromkeys(("off", "0", "false", "no"), False),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A real model: its name, where it is (None: the official address), and the key, which never prints.

    `*_name` is which option or variable each of them came from, or would.
    """

    model: str
    base_url: str | None
    api_key: str = field(repr=False)
    model_name: str = "MODEL_NAME"
    base_url_name: str = "OPENAI_BASE_URL"
    api_key_name: str = "OPENAI_API_KEY"


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
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    """For one model call with its retries."""
    max_output_tokens: int | None = None
    """Cap of one reply; None leaves it to the service."""
    log_runs: bool = False
    """Whether every run is kept in the log folder; `load_settings` turns it on unless it is told not to."""
    log_megabytes: float = DEFAULT_LOG_MEGABYTES
    """How much the log folder may hold before the oldest runs are removed."""
    log_days: float = DEFAULT_LOG_DAYS
    """How old a run in the log folder may become."""
    price_in: float | None = None
    """Price of a million tokens sent; None means that it is not known."""
    price_out: float | None = None
    """Price of a million tokens received; None means that it is not known."""
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The variables that were set, for the endpoint; holds the key."""

    @property
    def state_folder(self) -> Path:
        """Where the run log is, and what was learnt of a service. Nothing in it is needed: it may be deleted."""
        if named := self.environment.get("SCRIPT_EDITOR_STATE"):
            return Path(named)
        from platformdirs import user_state_path  # late: reading a history needs it not

        return user_state_path("script-editor", appauthor=False)

    @property
    def log_folder(self) -> Path:
        """Where runs are logged."""
        return self.state_folder / "log"

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every key and every password that is set, used or not: none of them may be written anywhere."""
        set_here = self.environment.get
        keys = (set_here(f"{layer}API_KEY") for layer in _LAYERS)
        services = (set_here(f"{layer}BASE_URL") or "" for layer in _LAYERS)
        inside = (secret for address in services for secret in _secrets_in(address, user_alone=True))
        of_store = _secrets_in(self.database, user_alone=False)
        return tuple(dict.fromkeys(secret for secret in (*keys, *inside, *of_store) if secret))

    @property
    def priced_model(self) -> str | None:
        """The model that the prices are those of, None when none is named.

        Prices are variables, so it is the one that a variable names; --model may name another for one command.
        """
        named = self.usual_model or self.model
        return None if named == OFFLINE else named

    @property
    def usual_model(self) -> str | None:
        """The model that a variable names, so that of a command without --model; None when none is named."""
        return self.environment.get("SCRIPT_EDITOR_MODEL") or self.environment.get("MODEL_NAME")

    @property
    def has_key(self) -> bool:
        """Whether there is a key of a service, so that something else than the offline model may be meant."""
        return self._first("API_KEY")[1] is not None

    @property
    def offline_is_meant(self) -> bool:
        """Whether the offline model was asked for by name."""
        return (self.model or self.usual_model) == OFFLINE

    def endpoint(self) -> Endpoint | None:
        """Return the model to call, or None for the embedded offline model.

        Raises:
            MissingSetting: a key without a model name, or a model asked for without a key.
            SetupError: key and address come from different layers.
        """
        if self.offline_is_meant:
            return None
        named = self.model or self.usual_model
        key_name, key = self._first("API_KEY")
        url_name, url = self._first("BASE_URL")
        if key is None:
            self._check_offline_is_meant()
            return None
        if url is not None and url_name.removesuffix("BASE_URL") != key_name.removesuffix("API_KEY"):
            raise SetupError(
                f"The key comes from {key_name}, but the address from {url_name}; "
                "a key is only sent to an address of its own layer.",
                hint="Set both as SCRIPT_EDITOR_API_KEY and SCRIPT_EDITOR_BASE_URL, or both as OPENAI_*.",
            )
        if named is None:
            raise MissingSetting(
                f"{key_name} is set, but no model is named.",
                hint="Set MODEL_NAME, give --model NAME, or use --model offline.",
            )
        return Endpoint(
            model=named, base_url=url, api_key=key, model_name=self._origin_of_model(),
            base_url_name=f"{key_name.removesuffix('API_KEY')}BASE_URL", api_key_name=key_name,
        )  # fmt: skip

    def _origin_of_model(self) -> str:
        if self.model:
            return "--model"
        return "SCRIPT_EDITOR_MODEL" if "SCRIPT_EDITOR_MODEL" in self.environment else "MODEL_NAME"

    def _first(self, name: str) -> tuple[str, str | None]:
        """Return which variable gives a value, and the value; the highest layer wins."""
        for layer in _LAYERS:
            if layer + name in self.environment:
                return layer + name, self.environment[layer + name]
        return _LAYERS[-1] + name, None

    def _check_offline_is_meant(self) -> None:
        # MODEL_NAME alone may be there for other programs; our own names are meant for this one.
        asked = self.model or self.environment.get("SCRIPT_EDITOR_MODEL")
        if asked is not None:
            raise MissingSetting(
                f"The model {asked} needs a key.",
                hint="Set OPENAI_API_KEY (any text will do for a local server), and OPENAI_BASE_URL for "
                "a service of your own. --model offline needs none.",
            )


def load_settings(*, database: str | None = None, model: str | None = None) -> Settings:
    """Return the settings in force; arguments are the command-line options.

    Raises:
        SetupError: a variable holds something that cannot be used; names the variable, never its value.
    """
    environment = {name: value for name, value in os.environ.items() if value}
    if database:
        chosen, origin = database, "--db"
    elif "SCRIPT_EDITOR_DB" in environment:
        chosen, origin = environment["SCRIPT_EDITOR_DB"], "SCRIPT_EDITOR_DB"
    else:
        chosen, origin = str(default_database()), "default"
    max_tokens = _number(environment, "SCRIPT_EDITOR_MAX_TOKENS")
    return Settings(
        database=chosen,
        database_origin=origin,
        author=environment.get("SCRIPT_EDITOR_AUTHOR") or _user_name(),
        model=model,
        timeout_seconds=_number(environment, "SCRIPT_EDITOR_TIMEOUT") or DEFAULT_TIMEOUT_SECONDS,
        max_output_tokens=None if max_tokens is None else int(max_tokens),
        log_runs=_switch(environment, "SCRIPT_EDITOR_LOG", default=True),
        log_megabytes=_number(environment, "SCRIPT_EDITOR_LOG_MB") or DEFAULT_LOG_MEGABYTES,
        log_days=_number(environment, "SCRIPT_EDITOR_LOG_DAYS") or DEFAULT_LOG_DAYS,
        price_in=_price(environment, "SCRIPT_EDITOR_PRICE_IN"),
        price_out=_price(environment, "SCRIPT_EDITOR_PRICE_OUT"),
        environment=environment,
    )


def default_database() -> Path:
    """Return where the store lives unless said otherwise: the user's data folder."""
    from platformdirs import user_data_path  # late: not needed where the store is named

    return user_data_path("script-editor", appauthor=False) / "script-editor.db"


def _number(environment: Mapping[str, str], name: str) -> float | None:
    if name not in environment:
        return None
    try:
        number = float(environment[name])
    except ValueError:
        number = 0.0
    if not 0 < number < 1e9:
        raise SetupError(f"{name} cannot be used as it is.", hint="It must be a number above 0.")
    return number


def _price(environment: Mapping[str, str], name: str) -> float | None:
    """Return a price, which may be 0: a model on one's own machine."""
    if name not in environment:
        return None
    try:
        price = float(environment[name])
    except ValueError:
        price = -1.0
    if not 0 <= price < 1e9:
        raise SetupError(
            f"{name} cannot be used as it is.",
            hint="It must be the price of a million tokens: 0 or a number above 0, such as 2.5, without a currency.",
        )
    return price


def _secrets_in(address: str, *, user_alone: bool) -> tuple[str, ...]:
    """Return what of an address lets someone in: its password, as it is written, as it is meant, and as it is sent.

    With `user_alone` it is the user where there is no password: some services take a token there.
    """
    if "://" not in address or "@" not in address:
        return ()
    said = address.partition("://")[2].partition("/")[0].rpartition("@")[0]
    user, _, password = said.partition(":")
    secret = password or (user if user_alone else "")
    together = f"{unquote(user)}:{unquote(password)}".encode()
    return (secret, unquote(secret), b64encode(together).decode("ascii")) if secret else ()


def _switch(environment: Mapping[str, str], name: str, *, default: bool) -> bool:
    if name not in environment:
        return default
    said = environment[name].strip().lower()
    if said not in _SWITCH:
        raise SetupError(f"{name} cannot be used as it is.", hint="It must be on or off.")
    return _SWITCH[said]


def _user_name() -> str:
    import getpass  # late: most users name themselves once, in SCRIPT_EDITOR_AUTHOR

    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no entry for this user, as in some containers
        return "unknown"
