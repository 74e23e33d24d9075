"""What a script is made of, and the checks that every text and id passes on its way in.

There is one canonical form of an id and one rule for texts; every door (commands, tools, imports,
the store) uses these two functions, so that no two spellings of an id are two scripts.
"""

import unicodedata
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from script_editor.domain.findings import Finding
from script_editor.errors import BadInstruction, BadScriptId, BadText, TooLarge
from script_editor.patterns import Pattern

Source = Literal["import", "edit", "revert", "manual", "merge", "undo", "redo"]
ProposalStatus = Literal["pending", "accepted", "rejected", "stale"]

MAX_TEXT_BYTES = 8 * 1024 * 1024
MAX_ID_CHARS = 64
MAX_INSTRUCTION_CHARS = 8000

# Letters and digits of any script, and the marks that belong to letters (Thai, Hindi, accents that
# have no composed form). `.en` or `.zh-hant` at the end names a language variant.
_ID_START = "LN"
_ID_REST = "LNM"
_LANGUAGE = Pattern(r"[a-z]{2,3}(-[a-z0-9]{2,8})*")


def utc_now() -> datetime:
    """Return the present time in UTC. The only clock of this program: tests freeze it here."""
    return datetime.now(UTC)


def canonical_id(raw: str) -> str:
    """Return the one spelling of a script id: NFKC, trimmed, lower case.

    Raises:
        BadScriptId: it is empty, too long, or holds anything that could be a path, a pattern or a
            reference (`/`, `*`, `@`, a dot that does not start a language code, …).
    """
    folded = unicodedata.normalize("NFKC", raw).strip().lower()
    folded = unicodedata.normalize("NFKC", folded)
    name, dot, language = folded.partition(".")
    fits = (
        0 < len(folded) <= MAX_ID_CHARS
        and name != ""
        and unicodedata.category(name[0])[0] in _ID_START
        and all(char in "_-" or unicodedata.category(char)[0] in _ID_REST for char in name)
        and (not dot or _LANGUAGE.fullmatch(language) is not None)
    )
    if not fits:
        raise BadScriptId(raw)
    return folded


def check_text(text: str) -> None:
    """Accept any text that both databases keep exactly; nothing is normalised.

    Raises:
        BadText: it holds NUL or a lone surrogate; names line and character, both from 1.
        TooLarge: its UTF-8 form is over MAX_TEXT_BYTES.
    """
    for offset, char in enumerate(text):
        if char == "\0" or "\ud800" <= char <= "\udfff":
            what = "a NUL character" if char == "\0" else "half of a surrogate pair"
            line_start = text.rfind("\n", 0, offset) + 1
            raise BadText(what, line=text.count("\n", 0, offset) + 1, column=offset - line_start + 1)
    size = len(text.encode("utf-8"))
    if size > MAX_TEXT_BYTES:
        raise TooLarge(size, limit_bytes=MAX_TEXT_BYTES)


def check_instruction(instruction: str) -> str:
    """Return the instruction without surrounding white space.

    Raises:
        BadInstruction: it shows nothing, is over MAX_INSTRUCTION_CHARS, or holds NUL or half a character.
    """
    text = instruction.strip()
    if not any(char.isprintable() and not char.isspace() for char in text):
        raise BadInstruction(
            "The instruction is empty.",
            hint="Say what to change, such as: 把“AI”改成“人工智能”",
            zh="没有写指令。",
            zh_hint="请写要改什么，例如：把“AI”改成“人工智能”",
        )
    if len(text) > MAX_INSTRUCTION_CHARS:
        raise BadInstruction(
            f"The instruction has {len(text):,} characters; the limit is {MAX_INSTRUCTION_CHARS:,}.",
            hint="Keep the request short; long material belongs in a script of its own.",
            zh=f"指令有 {len(text):,} 个字符，上限是 {MAX_INSTRUCTION_CHARS:,}。",
            zh_hint="请写短一些；长的材料请放进单独的脚本。",
        )
    if any(char == "\0" or "\ud800" <= char <= "\udfff" for char in text):
        raise BadInstruction(
            "The instruction holds a character that cannot be used (NUL or half of a pair).",
            zh="指令里有不能用的字符（NUL 或半个字符）。",
        )
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class FileForm:
    """How a text was written in the file it came from, so that an export gives the same bytes."""

    encoding: str = "utf-8"
    bom: bool = False
    name: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the form as plain JSON values, as stored and hashed."""
        return {"bom": self.bom, "encoding": self.encoding, "name": self.name}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "FileForm":
        """Return the form that `to_json` wrote; unknown keys are ignored."""
        return cls(
            encoding=str(value.get("encoding", "utf-8")),
            bom=bool(value.get("bom", False)),
            name=str(value.get("name", "")),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Who or what made a text: everything a version records besides the text itself.

    `instruction` is what was asked for, `message` a person's note. Token counts are None when no
    model was called or the service did not report them.
    """

    author: str
    instruction: str | None = None
    message: str = ""
    model: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    run_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionInfo:
    """One entry of a history, without its text. Never changes once written."""

    script_id: str
    number: int
    parent_number: int | None
    restored_number: int | None
    content_hash: str
    chain_hash: str
    created_at: datetime
    source: Source
    format: str
    file: FileForm
    provenance: Provenance
    proposal_id: str | None = None
    request_id: str | None = None

    @property
    def reference(self) -> str:
        """The version's name as people write it, such as `video_001@v3`."""
        return f"{self.script_id}@v{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Version(VersionInfo):
    """One immutable text of a script, exactly as it was decoded or edited."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptInfo:
    """One script on the shelf. `head_number` is its newest version."""

    id: str
    title: str
    language: str
    head_number: int
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A stored result that nobody has accepted yet: `text` is what would be saved over `base_number`.

    `findings` is what the guards said when it was made, `notes` what the person should know of it.
    """

    id: str
    script_id: str
    base_number: int
    text: str
    status: ProposalStatus
    provenance: Provenance
    created_at: datetime
    accepted_number: int | None = None
    decided_at: datetime | None = None
    decided_by: str | None = None
    reason: str | None = None
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedReply:
    """An answer of a model that was not taken: the script stayed at `base_number`.

    `reason` is the refusal's, `segments` are the lines it names, and `reply` is what the model said, word
    for word; None when it said nothing. `id` is "" until it is stored.
    """

    script_id: str
    base_number: int
    reason: str
    message: str
    instruction: str = ""
    model: str | None = None
    segments: tuple[int, ...] = ()
    reply: str | None = None
    run_id: str | None = None
    created_at: datetime = field(default_factory=utc_now)
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One agent run as stored. `stop_reason` is None while it runs.

    `script_id` is the script it was about, None when it was about the whole store; `chat_id` is the chat it
    was a turn of. `usage_known` is False when some call took tokens that the service did not report, None when
    nobody recorded whether. `saved` holds the versions it wrote, as script and number in the order of saving, and
    `proposed` the ids of the proposals that were left when it ended; what was decided later changes neither.
    """

    id: str
    mode: str
    model: str
    input: str
    started_at: datetime
    output: str | None = None
    stop_reason: str | None = None
    error: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    finished_at: datetime | None = None
    script_id: str | None = None
    chat_id: str | None = None
    usage_known: bool | None = None
    saved: tuple[tuple[str, int], ...] = ()
    proposed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCost:
    """What a run took, without what was said in it; see RunRecord."""

    model: str
    started_at: datetime
    script_id: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usage_known: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRecord:
    """One step of a run as stored, numbered from 1 within its run."""

    run_id: str
    seq: int
    tool: str
    tool_input: dict[str, Any]
    log: str
    observation: str | None
    error: str | None
    duration_ms: int | None
    created_at: datetime
