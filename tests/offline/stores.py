"""A store with a few scripts, and turns of a chat over it, for tests of the offline model through the app."""

from pathlib import Path

from script_editor.app.ask import AskReport
from script_editor.app.bootstrap import App, build_app
from script_editor.app.chat import ChatSession, Manner
from script_editor.app.errand import Errand
from tests.support.desk import settings

FIRST = "大家好，欢迎来到我的频道。\n今天聊聊人工智能。\n它经历了几次寒冬。\n谢谢观看。\n"
SECOND = "Welcome back to the show.\nToday we test three pens.\nSee you next week.\n"


def opened(folder: Path) -> App:
    """Return the app over a new store with video_001 (Chinese) and video_002 (English)."""
    app = build_app(settings(folder / "store.db", "offline"))
    app.scripts.new("video_001", FIRST, title="人工智能", author="tester")
    app.scripts.new("video_002", SECOND, title="Pens", author="tester")
    return app


def ask(app: App, instruction: str, mode: str = "tools") -> AskReport:
    """Carry out one instruction over the store; every save is agreed to."""
    errand = Errand(instruction=instruction, author="tester", mode=mode)
    return app.ask(errand, approve=lambda _pending: True)


def say(chat: ChatSession, instruction: str, mode: str = "tools") -> AskReport:
    """Say something in a chat; every save is agreed to."""
    return chat.turn(instruction, Manner(mode=mode), approve=lambda _pending: True)


def text(app: App, script_id: str = "video_001") -> str:
    return app.scripts.read(script_id).text
