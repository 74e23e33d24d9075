"""The script that is edited, and the two tools that every agent here is given."""

import json

LINES = (
    "Host: Welcome back to Kitchen Lab, I'm Maya.",
    "Host: Today we bake sourdough bread from scratch.",
    "Narrator: You need flour, water, salt and a lively starter.",
    "Host: Mix everything, then let the dough rest for thirty minutes.",
    "Host: Subscribe, and see you next week!",
)
SCRIPT = "\n".join(f"[00:{7 * place:02}] {line}" for place, line in enumerate(LINES))
NEW_FIRST = "[00:00] Host: Welcome back to Kitchen Lab, where my smoke alarm is the timer. I'm Maya."
SYSTEM = (
    "You edit video scripts. Read the script with get_script, change it with modify_script, "
    "then say in one sentence what you did."
)
ASK = "Make the first line of script 1 funnier."
DONE = "Done: the first line is funnier now."
READ_MARK = "script 1, version 1"
SAVED_MARK = "saved version 2"


def tool_specs() -> list[dict[str, object]]:
    """Return the two tools as a chat service is told of them."""
    number, text = {"type": "integer"}, {"type": "string"}
    edit = {"script_id": number, "original_text": text, "new_text": text}
    return [
        _spec("get_script", "Return the text of a script.", {"script_id": number}),
        _spec("modify_script", "Replace original_text by new_text in a script.", edit),
    ]


def _spec(name: str, description: str, properties: dict[str, object]) -> dict[str, object]:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


class Tools:
    """The tools, with nothing behind them: only the agent's own work is to be measured. `edits` counts the edits."""

    def __init__(self) -> None:
        self.edits = 0

    def get_script(self, script_id: int) -> str:
        assert script_id, "a call without the script"
        return f"{READ_MARK}\n{SCRIPT}"

    def modify_script(self, script_id: int, original_text: str, new_text: str) -> str:
        assert script_id and original_text != new_text, "a call that edits nothing"
        self.edits += 1
        return SAVED_MARK

    def modify_script_json(self, arguments: str) -> str:
        return self.modify_script(**json.loads(arguments))
