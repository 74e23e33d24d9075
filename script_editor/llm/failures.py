"""What a chat service said when it did not answer, and the error that tells a person of it.

Every message is one printable line that names the service by host and never holds a secret, also
when the service sends the secret back.
"""

import json
import re
from dataclasses import dataclass, field

from script_editor.errors import AccountEmpty, KeyRefused, ModelFailure, ModelUnknown, SetupError, Unreachable
from script_editor.llm.capabilities import Feature
from script_editor.llm.retry import is_passing
from script_editor.patterns import Pattern

MAX_QUOTED_CHARS = 200
MASK = "***"

_LINE_END = Pattern("[\n\r\x0b\x0c\x85\u2028\u2029]+")
_USER_INFO = Pattern(r"//[^/\s@]+@")
_NO_SUCH_MODEL = Pattern(
    r"model_not_(found|exist)"
    r"|\bmodels?\b.{0,100}?(does not exist|doesn't exist|not exist|not found|is unknown)"
    r"|(unknown|invalid|not found the) model\b|模型不存在",
    re.IGNORECASE,
)
_TOO_LONG = Pattern(
    r"context[ _-]?(length|window|size)|maximum context"
    r"|(prompt|input) is too long|too many (input |prompt )?tokens",
    re.IGNORECASE,
)
_EMPTY_CODES = Pattern(
    # OpenAI, DeepSeek, Moonshot, Zhipu, Qwen, Volcengine, MiniMax, gateways such as one-api
    r"insufficient[_ ]?(user[_ ]?)?(quota|balance|credits?|funds)|exceeded_current_quota"
    r"|billing_(hard_limit_reached|not_active)|payment_?required|arrearage|account_?overdue|freetieronly"
    r"|pre_consume_token_quota_failed|(?<![0-9])1113(?![0-9])",
    re.IGNORECASE,
)
_EMPTY_WORDS = Pattern(
    r"insufficient (account )?(balance|credits?|funds|quota)"
    r"|(balance|credits?) (is|are) (too low|insufficient|not enough|exhausted|used up)"
    r"|(used|exhausted) all (of )?(your |its )?(available |included )?credits|monthly (included credits|spending limit)"
    r"|account .{0,40}(in arrears|overdue)|余额不足|额度不足|欠费",
    re.IGNORECASE,
)
_WORDED_STATUSES = frozenset({200, 400, 401, 403, 412, 429})
"""With these, services say in words alone that an account is empty."""
_PASSING_WORDS = Pattern(
    r"overloaded|server_error|rate.?limit|internal|timed? ?out|unavailable", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class SettingNames:
    """What the settings of a service are called where they were found, for whoever has to mend them."""

    key: str = "OPENAI_API_KEY"
    address: str = "OPENAI_BASE_URL"
    model: str = "MODEL_NAME"


USUAL_NAMES = SettingNames()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The service and model that messages speak of. `address` is host and port without credentials."""

    address: str
    model: str
    secrets: tuple[str, ...] = field(repr=False)
    settings: SettingNames = USUAL_NAMES

    def quote(self, text: str) -> str:
        """Return the first line of `text` with anything on it, masked, printable, cut to MAX_QUOTED_CHARS."""
        for secret in self.secrets:
            text = _mask(secret, text)
        text = _USER_INFO.sub(f"//{MASK}@", text)
        printable = ("".join(c if c.isprintable() else " " for c in line) for line in _LINE_END.split(text))
        line = next((squeezed for line in printable if (squeezed := " ".join(line.split()))), "")
        return line if len(line) <= MAX_QUOTED_CHARS else line[: MAX_QUOTED_CHARS - 1] + "…"


class FeatureRefused(ModelFailure):
    """The service would not carry out `feature`, on which the meaning of the request rests.

    The same request without it may succeed. Whether the refusal lasts is known to whoever remembers it.
    """

    def __init__(self, message: str, *, feature: Feature, hint: str = ""):
        super().__init__(message, hint=hint)
        self.feature = feature


class AttemptError(Exception):
    """One request brought no reply; `error` is what the caller gets unless another try succeeds."""

    def __init__(
        self,
        error: SetupError | ModelFailure,
        *,
        complaint: "Complaint | None" = None,
        retry_after: float | None = None,
    ):
        super().__init__(error)
        self.error, self.complaint, self.retry_after = error, complaint, retry_after

    @property
    def is_passing(self) -> bool:
        """Whether the same request may succeed later."""
        return isinstance(self.error, ModelFailure) and self.error.retryable


def _mask(secret: str, text: str) -> str:
    """Return `text` without `secret`; a short one, as local servers take, only where it stands alone."""
    if len(secret) >= 8:
        return text.replace(secret, MASK)
    return re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", MASK, text)


@dataclass(frozen=True, slots=True)
class Complaint:
    """An error as the service put it. `status` is HTTP's, or the one named in the body of a 200."""

    status: int
    message: str
    code: str = ""
    """The service's codes and types, joined; "" when it gave none."""
    param: str = ""
    """The field of the request that the service blames; "" when it names none."""

    @property
    def is_passing(self) -> bool:
        """Whether the same request may succeed later."""
        if self.status == 200:
            return _PASSING_WORDS.search(f"{self.code} {self.message}") is not None
        return is_passing(self.status)


def complaint_in(answer: object) -> Complaint | None:
    """Return the complaint that a body sent with status 200 consists of, or None when it is none."""
    if isinstance(answer, dict) and (answer.get("error") or answer.get("object") == "error"):
        return _complaint(200, answer)
    return None


def read_complaint(status: int, body: str) -> Complaint:
    """Return what a body sent with an error status says; one that is not JSON is its own message."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return Complaint(status, body)
    return _complaint(status, answer)


def _complaint(status: int, answer: object) -> Complaint:
    error = (answer.get("error") or answer) if isinstance(answer, dict) else answer
    if not isinstance(error, dict):
        return Complaint(status, _text(error))
    message = error.get("message") or error.get("detail") or error
    codes = [str(error[key]) for key in ("code", "type") if error.get(key)]
    if status == 200:
        status = next((int(code) for code in codes if re.fullmatch("[45][0-9]{2}", code)), status)
    param = error.get("param")
    return Complaint(status, _text(message), " ".join(codes), param if isinstance(param, str) else "")


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def complained(
    endpoint: Endpoint, complaint: Complaint, *, retry_after: float | None = None
) -> SetupError | ModelFailure:
    """Return the error for what the service complained of; `retry_after` is the wait that it asked for."""
    status, address, settings = complaint.status, endpoint.address, endpoint.settings
    said = endpoint.quote(complaint.message)
    if is_unknown_model(complaint):
        return ModelUnknown(
            _sentence(f"{address} does not know the model {endpoint.model!r} (HTTP {status})", said),
            hint=f"Check {settings.model}, and {settings.address}: for most services it ends in /v1.",
        )
    if is_account_empty(complaint):
        return AccountEmpty(
            _sentence(f"{address} has no money or quota left for this account (HTTP {status})", said),
            hint="Top it up at the service, or name another service or model; then do it again.",
            is_certain=_names_empty_account(complaint),
        )
    if status in (401, 403):
        return KeyRefused(
            _sentence(f"{address} refused the API key (HTTP {status})", said),
            hint=f"Check {settings.key}, and that {settings.address} is the service this key belongs to.",
            is_certain=status == 401,
        )
    if is_too_long(complaint):
        return ModelFailure(
            _sentence(f"The request is longer than {endpoint.model!r} at {address} can read", said),
            hint="Nothing was saved. Give it less text at a time, or choose a model with a larger context.",
        )
    return ModelFailure(
        _sentence(f"{address} {_deed(status)} (HTTP {status})", said),
        retryable=complaint.is_passing,
        retry_after=retry_after,
    )


def feature_refused(endpoint: Endpoint, complaint: Complaint, feature: Feature) -> FeatureRefused:
    """Return the error for a part of the request that the service would not carry out."""
    is_about_tools = feature in ("tools", "functions", "tool_choice")
    return FeatureRefused(
        _sentence(
            f"{endpoint.model!r} at {endpoint.address} does not take {_FEATURE_NAMES[feature]} "
            f"(HTTP {complaint.status})",
            endpoint.quote(complaint.message),
        ),
        feature=feature,
        hint="Nothing was saved. Try --mode react, which needs no tools, or another model with --model."
        if is_about_tools
        else "",
    )


_FEATURE_NAMES: dict[Feature, str] = {
    "tools": "tools",
    "functions": "functions",
    "tool_choice": "a choice of tool",
    "json_schema": "a JSON schema",
    "json_object": "JSON mode",
}


def _deed(status: int) -> str:
    if status == 200:
        return "answered with an error"
    if status == 429:
        return "is limiting requests"
    return "refused the request" if status < 500 and not is_passing(status) else "answered with an error"


def is_unknown_model(complaint: Complaint) -> bool:
    """Whether a complaint says that there is no such model, or no such address."""
    if complaint.status == 404 or _NO_SUCH_MODEL.search(complaint.code):
        return True
    return complaint.status in (200, 400, 403, 422) and _NO_SUCH_MODEL.search(complaint.message) is not None


def is_account_empty(complaint: Complaint) -> bool:
    """Whether a complaint says that nothing is left to pay with: waiting does not help, whatever the status.

    "You exceeded your current quota" alone is not that: some services say it of a limit that is over in a minute.
    """
    if _names_empty_account(complaint):
        return True
    return complaint.status in _WORDED_STATUSES and _EMPTY_WORDS.search(complaint.message) is not None


def _names_empty_account(complaint: Complaint) -> bool:
    return complaint.status == 402 or _EMPTY_CODES.search(complaint.code) is not None


def is_too_long(complaint: Complaint) -> bool:
    """Whether a complaint says that the model cannot read so much."""
    if complaint.status in (408, 409, 429):
        return False
    return complaint.status == 413 or _TOO_LONG.search(f"{complaint.code} {complaint.message}") is not None


def redirected(endpoint: Endpoint, status: int, location: str) -> ModelUnknown:
    """Return the error for a service that sends the request elsewhere, where nobody said the key may go."""
    target = endpoint.quote(location.partition("?")[0])
    return ModelUnknown(
        _sentence(f"{endpoint.address} sends the request to another address (HTTP {status})", target),
        hint=f"If you trust that address, set it as {endpoint.settings.address}.",
    )


def unreadable(endpoint: Endpoint, what: str, body: str) -> ModelFailure:
    """Return the error for an answer that is not an answer; `what` says what it is instead."""
    return ModelFailure(
        _sentence(f"{endpoint.address} sent {what} instead of a chat completion", endpoint.quote(body)),
        may_cost=True,
        hint=f"Nothing was saved. Check that {endpoint.settings.address} is a chat service; for most it ends in /v1.",
    )


def unreachable(endpoint: Endpoint, host_and_port: str, reason: str) -> Unreachable:
    """Return the error for a connection that could not be made."""
    return Unreachable(
        _sentence(f"Cannot reach {host_and_port}", endpoint.quote(reason)),
        retryable=True,
        hint=f"Nothing was saved. Check {endpoint.settings.address}, the network and the proxy settings.",
    )


def dropped(endpoint: Endpoint, reason: str) -> ModelFailure:
    """Return the error for a connection that broke before the answer was complete."""
    return ModelFailure(
        _sentence(f"{endpoint.address} broke off before the answer was complete", endpoint.quote(reason)),
        retryable=True,
        may_cost=True,
    )


def timed_out(endpoint: Endpoint, seconds: float) -> ModelFailure:
    """Return the error for an answer that was not complete within `seconds`."""
    return ModelFailure(
        f"{endpoint.address} gave no complete answer within {seconds:g} seconds.",
        retryable=True,
        may_cost=True,
        hint="Nothing was saved. Try again, allow more time, or send less text at a time.",
    )


def _sentence(start: str, said: str) -> str:
    return f"{start}: {said}" if said else f"{start}."
