"""A reply put together from the chunks of a stream. No network; the bytes are read by `sse`."""

from dataclasses import dataclass, field

from script_editor.llm.chat import Reply
from script_editor.llm.received import AnswerError, Json, arguments_of, kind_of, reply_from, text_of


@dataclass(slots=True)
class _Call:
    """A tool call that may still grow. `index` is the service's number for it."""

    index: object
    id: str = ""
    function: Json = field(default_factory=lambda: {"name": "", "arguments": ""})

    def is_continued_by(self, part: Json) -> bool:
        """Whether `part` belongs to this call: neither its index nor its id speaks against it.

        Either may be missing, and some services give every call the index 0 and only another id.
        Where both are missing, a name begins a new call.
        """
        index, call_id, function = part.get("index"), part.get("id"), part.get("function")
        if index is None and not call_id:
            return not (isinstance(function, dict) and function.get("name"))
        return index in (None, self.index) and (not call_id or not self.id or call_id == self.id)

    def add(self, part: Json) -> None:
        """Take in a part of this call."""
        self.id = part.get("id") or self.id
        if isinstance(part.get("function"), dict):
            _add_function(self.function, part["function"])


@dataclass(slots=True)
class StreamedReply:
    """A reply that grows with every chunk. `model` is its author until the service names one."""

    model: str
    finish_reason: object = None
    usage: object = None
    has_choices: bool = False
    _message: Json = field(default_factory=lambda: {"role": "assistant", "content": ""})
    _calls: list[_Call] = field(default_factory=list)
    _held: str = ""

    @property
    def is_finished(self) -> bool:
        """Whether the service has said why the reply ends."""
        return self.finish_reason is not None

    def feed(self, chunk: object) -> str:
        """Take in one chunk and return the text that can be shown now, often "".

        Raises:
            AnswerError: it is not a chunk at all.
        """
        if not isinstance(chunk, dict):
            raise AnswerError(f"a JSON {kind_of(chunk)} as part of a stream")
        self.model = str(chunk.get("model") or self.model)
        self.usage = chunk.get("usage") or self.usage
        choices = chunk.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            return ""  # the last chunk brings the usage and no choice
        self.has_choices = True
        self.finish_reason = choices[0].get("finish_reason") or self.finish_reason
        delta = choices[0].get("delta")
        return self._add(delta) if isinstance(delta, dict) else ""

    def reply(self) -> Reply:
        """Return the whole reply.

        Raises:
            AnswerError: no chunk had a choice in it.
        """
        if not self.has_choices:
            raise AnswerError("a stream without choices")
        message = {**self._message, "content": _whole_characters(self._message["content"])}
        if self._calls:
            message["tool_calls"] = [
                {"id": call.id, "type": "function", "function": call.function} for call in self._calls
            ]
        return reply_from(message, finish_reason=self.finish_reason, usage=self.usage, model=self.model)

    def _add(self, delta: Json) -> str:
        text = ""
        for name, value in delta.items():
            match name:
                case "role":
                    pass
                case "content":
                    text = text_of(value)
                    self._message["content"] += text
                case "tool_calls":
                    for part in value if isinstance(value, list) else ():
                        if isinstance(part, dict):
                            self._add_call(part)
                case "function_call":
                    if isinstance(value, dict):
                        _add_function(self._message.setdefault(name, {"name": "", "arguments": ""}), value)
                case _ if value is not None:
                    self._message[name] = _joined(self._message.get(name), value)
        return self._showable(text)

    def _showable(self, text: str) -> str:
        """Return `text` without half a character at its end, which is held back for the next piece.

        Services that cut their text by UTF-16 units send a character such as 😀 in two halves.
        """
        text = _whole_characters(self._held + text)
        self._held = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return text.removesuffix(self._held)

    def _add_call(self, part: Json) -> None:
        call = next((call for call in reversed(self._calls) if call.is_continued_by(part)), None)
        if call is None:
            call = _Call(index=part.get("index"))
            self._calls.append(call)
        call.add(part)


def _add_function(function: Json, part: Json) -> None:
    name = str(part.get("name") or "")
    # Some services repeat the whole name in every chunk instead of sending it in pieces.
    function["name"] += "" if name == function["name"] else name
    function["arguments"] += arguments_of(part.get("arguments"))


def _joined(old: object, new: object) -> object:
    """Return a field nobody here knows, such as a model's reasoning, put together from two chunks."""
    if isinstance(old, str) and isinstance(new, str):
        return old + new
    if isinstance(old, list) and isinstance(new, list):
        return [*old, *new]
    return new


def _whole_characters(text: str) -> str:
    """Return `text` with the two halves of a surrogate pair made one character wherever they meet."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
