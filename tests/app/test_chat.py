"""Conversations: what a turn knows of those before it, and what is left of one that fails."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from script_editor.agent.memory import Remembered
from script_editor.app.ask import AskReport
from script_editor.app.bootstrap import App, build_app
from script_editor.app.chat import ChatSession, Manner
from script_editor.app.scope import Objection, Pending
from script_editor.errors import (
    BadInput,
    BadInstruction,
    ChatNotFound,
    Declined,
    ModelFailure,
    NotFound,
    ScriptNotFound,
)
from script_editor.llm.chat import Message, Reply, ToolSpec, Usage
from script_editor.llm.scripted import Scripted, ScriptedModel
from tests.support.desk import FUNNIER, FUNNIER_TEXT, SEED, settings

call = ScriptedModel.call
EDIT = call("modify_script", script_id="video_001", instruction="改得更轻松幽默一些")
PREVIEW = call("preview", script_id="video_001", instruction="改得更轻松幽默一些")


def app_with(folder: Path, *replies: Scripted) -> tuple[App, ScriptedModel]:
    """An application on the store of `folder`, where `video_001` and `video_002` are, with a scripted model."""
    model = ScriptedModel(replies)
    app = build_app(settings(folder / "store.db"), model=model)
    if not app.scripts.list():
        for script_id in ("video_001", "video_002"):
            app.scripts.new(script_id, SEED, author="tester")
    return app, model


def say(
    chat: ChatSession, instruction: str, answer: bool | tuple[int, ...] | Objection = True, **manner: object
) -> AskReport:
    """One turn; `answer` is what the person says to what would be saved."""
    return chat.turn(instruction, Manner(**manner), approve=lambda _pending: answer)  # type: ignore[arg-type]


def sent(model: ScriptedModel, number: int = -1) -> str:
    """Everything in one request after the system message."""
    return "\n".join(message.content for message in model.calls[number].messages[1:])


def test_the_next_turn_knows_what_was_said_and_what_came_of_it(tmp_path: Path) -> None:
    app, model = app_with(tmp_path, EDIT, FUNNIER, "改好了。", "第1、2、5行变了。")
    chat = app.chats.begin(script_id="video_001")

    say(chat, "改得更轻松幽默一些")
    report = say(chat, "改了哪些行？")

    assert "answered" == report.outcome
    shown = sent(model)
    assert "改得更轻松幽默一些" in shown and "改好了。" in shown
    assert "video_001 v1 → v2" in shown and "最新版本是 v2" in shown
    assert "改了哪些行？" == model.calls[-1].messages[-1].content
    assert FUNNIER_TEXT == app.scripts.read("video_001").text


def test_a_turn_is_stored_with_its_run_its_chat_and_its_facts(tmp_path: Path) -> None:
    app, _ = app_with(tmp_path, EDIT, FUNNIER, "改好了。")
    chat = app.chats.begin(script_id="video_001")

    report = say(chat, "改得更轻松幽默一些")

    said, answered = app.store.messages(chat.chat.id)
    assert ("user", "改得更轻松幽默一些") == (said.speaker, said.content)
    assert ("assistant", "改好了。", report.run_id) == (answered.speaker, answered.content, answered.run_id)
    assert report.facts == answered.facts and "v1 → v2" in answered.facts[0]
    (run,) = chat.runs()
    assert (report.run_id, "video_001", chat.chat.id) == (run.id, run.script_id, run.chat_id)


@pytest.mark.parametrize(
    ("wish", "taken"),
    [
        ("先预览一下更轻松的版本", "刚才那个预览可以，就用它"),
        ("preview a funnier version", "that preview is fine, use it"),
    ],
    ids=["zh", "en"],
)
def test_a_preview_that_is_liked_is_saved_itself(tmp_path: Path, wish: str, taken: str) -> None:
    def use_it(messages: Sequence[Message], _tools: Sequence[ToolSpec]) -> Reply:
        told = "\n".join(message.content for message in messages)
        id = app.proposals.open()[0].id
        assert f"proposal_id={id}" in told
        return call("modify_script", script_id="video_001", instruction=taken, proposal_id=id)

    app, model = app_with(tmp_path, PREVIEW, FUNNIER, "Here.", use_it, "Saved.")
    chat = app.chats.begin(script_id="video_001")
    (proposal,) = say(chat, wish).proposals

    with model:
        report = say(chat, taken)

    assert FUNNIER_TEXT == app.scripts.read("video_001").text
    assert proposal.proposal.id == report.changed[0].version.proposal_id
    assert () == app.proposals.open()


def test_a_part_of_a_preview_can_be_saved(tmp_path: Path) -> None:
    def part(_messages: Sequence[Message], _tools: Sequence[ToolSpec]) -> Reply:
        id = app.proposals.open()[0].id
        return call("modify_script", script_id="video_001", instruction="x", proposal_id=id, targets=[1])

    app, model = app_with(tmp_path, PREVIEW, FUNNIER, "Here.", part, "Saved.")
    chat = app.chats.begin(script_id="video_001")
    say(chat, "preview a funnier version")

    with model:
        say(chat, "Apply only the first paragraph of that preview")

    assert "changes in line 1-2, 5" in sent(model, 3)
    assert SEED.replace("大家好", "哈喽大家好", 1) == app.scripts.read("video_001").text


def test_a_saved_proposal_is_no_longer_told_as_open(tmp_path: Path) -> None:
    app, model = app_with(tmp_path, PREVIEW, FUNNIER, "看看。", "好。")
    chat = app.chats.begin(script_id="video_001")
    (review,) = say(chat, "预览一下更轻松的版本").proposals
    app.proposals.accept(review.proposal.id, decided_by="tester")

    say(chat, "现在怎么样了？")

    assert f"提案 {review.proposal.id} 已保存为 v2。" in sent(model)
    assert "可以保存" not in sent(model)


def test_a_proposal_that_no_longer_fits_is_told_as_such(tmp_path: Path) -> None:
    app, model = app_with(tmp_path, PREVIEW, FUNNIER, "Look.", "Well.")
    chat = app.chats.begin(script_id="video_001")
    (review,) = say(chat, "preview a funnier version").proposals
    app.scripts.save("video_001", f"{SEED}再见。\n", author="other", expected_head=1)

    say(chat, "and now?")

    assert (
        f"Proposal {review.proposal.id} over video_001 v1 is open, but the script has moved since."
        in sent(model)
    )


def test_an_open_proposal_of_before_the_chat_is_known_from_the_first_word(tmp_path: Path) -> None:
    app, model = app_with(tmp_path, "好的。")
    version = app.scripts.read("video_001")
    app.proposals.propose(version, FUNNIER_TEXT, provenance=version.provenance)

    say(app.chats.begin(script_id="video_001"), "上次的预览还在吗？")

    assert f"proposal_id={app.proposals.open()[0].id}" in sent(model)


def test_a_first_word_has_nothing_before_it(tmp_path: Path) -> None:
    app, model = app_with(tmp_path, "Hello.")

    say(app.chats.begin(script_id="video_001"), "hello")

    assert ["system", "user"] == [message.role for message in model.calls[0].messages]


def test_a_chat_goes_on_in_another_process(tmp_path: Path) -> None:
    first, _ = app_with(tmp_path, EDIT, FUNNIER, "改好了。")
    chat = first.chats.begin(name="周三", script_id="video_001")
    say(chat, "改得更轻松幽默一些")
    first.close()

    app, model = app_with(tmp_path, "v2。", "v2。", "v2。")
    for again in (app.chats.resume(), app.chats.resume("周三"), app.chats.resume(chat.chat.id)):
        assert "video_001" == again.chat.script_id
        say(again, "现在是第几版？")

    assert "改得更轻松幽默一些" in sent(model, 0) and "v1 → v2" in sent(model, 0)
    assert 4 == len(app.chats.resume().turns)


def test_the_newest_chat_of_the_author_is_gone_on_with(tmp_path: Path) -> None:
    app, _ = app_with(tmp_path)
    with pytest.raises(NotFound):
        app.chats.resume()
    own = app.chats.begin()
    app.store.create_chat(name="", author="somebody else")

    assert own.chat.id == app.chats.resume().chat.id
    with pytest.raises(ChatNotFound):
        app.chats.resume("nothing")


def test_a_chat_begins_with_a_script_that_is_there_and_a_name_that_is_free(tmp_path: Path) -> None:
    app, _ = app_with(tmp_path)

    with pytest.raises(ScriptNotFound):
        app.chats.begin(script_id="video_009")
    app.chats.begin(name="hooks")
    with pytest.raises(BadInput):
        app.chats.begin(name="hooks")


def test_another_script_is_meant_after_a_move(tmp_path: Path) -> None:
    edit = call("modify_script", script_id="video_002", instruction="改得更轻松幽默一些")
    app, model = app_with(tmp_path, edit, FUNNIER, "好了。")
    chat = app.chats.begin(script_id="video_001")

    chat.move("video_002")
    say(chat, "改得更轻松幽默一些")

    assert "video_002" in model.calls[0].messages[0].content
    assert (SEED, FUNNIER_TEXT) == tuple(app.scripts.read(id).text for id in ("video_001", "video_002"))
    with pytest.raises(ScriptNotFound):
        chat.move("video_009")
    assert "video_002" == app.chats.resume().chat.script_id


# --- turns that do not end well --------------------------------------------------------------


def test_a_failed_turn_is_kept_with_why_it_failed(tmp_path: Path) -> None:
    app, model = app_with(tmp_path, ModelFailure("HTTP 503 from the service"), "好。")
    chat = app.chats.begin(script_id="video_001")

    with pytest.raises(ModelFailure):
        say(chat, "改得更轻松幽默一些")
    say(chat, "再试一次？")

    assert "改得更轻松幽默一些" in sent(model)
    assert "这一轮没有做成：HTTP 503 from the service" in sent(model)


def test_an_interrupted_turn_is_kept(tmp_path: Path) -> None:
    def interrupt(_messages: Sequence[Message], _tools: Sequence[ToolSpec]) -> Reply:
        raise KeyboardInterrupt

    app, model = app_with(tmp_path, interrupt, "OK.")
    chat = app.chats.begin(script_id="video_001")

    with pytest.raises(KeyboardInterrupt):
        say(chat, "make it funnier")
    say(chat, "go on")

    assert "make it funnier" in sent(model) and "The person interrupted this turn" in sent(model)
    assert ["cancelled", "finished"] == [run.stop_reason for run in reversed(chat.runs())]


def test_what_was_said_is_there_even_when_the_program_fails(tmp_path: Path) -> None:
    app, _ = app_with(
        tmp_path
    )  # a model that was not expected to be called: a bug, as far as the chat can tell
    chat = app.chats.begin(script_id="video_001")

    with pytest.raises(AssertionError):
        say(chat, "make it funnier")

    assert "make it funnier" == chat.turns[0].said and chat.turns[0].facts


def test_a_turn_that_was_cut_off_is_said_to_be_without_a_result(tmp_path: Path) -> None:
    app, model = app_with(tmp_path, "OK.")
    chat = app.chats.begin(script_id="video_001")
    app.store.say(chat.chat.id, "user", "make it funnier")  # and then the process was killed

    say(chat, "go on")

    assert "Nothing is recorded of how this turn ended." in sent(model)


@pytest.mark.parametrize("instruction", ["", "   ", "x" * 8_001])
def test_what_cannot_be_an_instruction_is_not_kept(tmp_path: Path, instruction: str) -> None:
    app, _ = app_with(tmp_path)
    chat = app.chats.begin(script_id="video_001")

    with pytest.raises(BadInstruction):
        say(chat, instruction)

    assert () == chat.turns


def test_a_change_that_was_declined_is_told(tmp_path: Path) -> None:
    app, model = app_with(tmp_path, EDIT, FUNNIER, "Done.", "OK.")
    chat = app.chats.begin(script_id="video_001")

    report = say(chat, "make it funnier", (1, 3))
    say(chat, "what about the rest?")

    (proposal,) = (
        review.proposal for review in [app.proposals.review(report.changed[0].version.proposal_id)]
    )
    assert f"Change 2 of proposal {proposal.id} over video_001@v1 was declined" in sent(model)


def test_a_no_is_told_in_the_next_turn_and_the_proposal_stays(tmp_path: Path) -> None:
    def no(_pending: Pending) -> bool:
        raise Declined

    app, model = app_with(tmp_path, EDIT, FUNNIER, "好。")
    chat = app.chats.begin(script_id="video_001")

    with pytest.raises(Declined):
        chat.turn("改得更轻松幽默一些", Manner(), approve=no)
    say(chat, "那先这样")

    id = app.proposals.open()[0].id
    assert f"用户没有接受提案 {id}" in sent(model)
    assert f"proposal_id={id}" in sent(model)


def test_a_reason_is_told_too(tmp_path: Path) -> None:
    app, model = app_with(tmp_path, EDIT, FUNNIER, "I see.", "OK.")
    chat = app.chats.begin(script_id="video_001")

    say(chat, "make it funnier", Objection("too long, keep line 2"))
    say(chat, "go on")

    assert ": too long, keep line 2" in sent(model)
    assert SEED == app.scripts.read("video_001").text


# --- manners ---------------------------------------------------------------------------------


def test_a_read_only_chat_has_no_tool_that_saves(tmp_path: Path) -> None:
    app, model = app_with(tmp_path, EDIT, "没有保存的工具。")
    chat = app.chats.begin(script_id="video_001")

    say(chat, "改得更轻松幽默一些", read_only=True)

    assert {"list_scripts", "get_script", "preview", "history", "diff"} == {
        tool.name for tool in model.calls[0].tools
    }
    assert SEED == app.scripts.read("video_001").text


def test_a_read_only_chat_is_not_told_how_to_save(tmp_path: Path) -> None:
    app, model = app_with(tmp_path, PREVIEW, FUNNIER, "Here.", "Yes.")
    chat = app.chats.begin(script_id="video_001")
    (review,) = say(chat, "preview a funnier version", read_only=True).proposals

    say(chat, "is it saved?", read_only=True)

    assert f"Proposal {review.proposal.id} over video_001 v1 (changes in line 1-2, 5) is not saved." in sent(
        model
    )
    assert "modify_script" not in sent(model)


def test_a_long_answer_is_remembered_by_its_beginning(tmp_path: Path) -> None:
    app, model = app_with(tmp_path, "很长" * 5_000, "好。")
    chat = app.chats.begin()
    say(chat, "念一遍")

    say(chat, "好")

    assert 3_000 < len(sent(model)) < 4_000
    assert "很长" * 5_000 == app.store.messages(chat.chat.id)[1].content


@pytest.mark.parametrize(
    ("mode", "answer"),
    [
        ("tools", "好。"),
        ("functions", "好。"),
        ("react", "Thought: 可以了。\nFinal Answer: 好。"),
        ("json", '```json\n{"action": "Final Answer", "action_input": "好。"}\n```'),
        ("conversational", "AI: 好。"),
        ("xml", "<final_answer>好。</final_answer>"),
    ],
)
def test_every_mode_is_shown_what_came_before(tmp_path: Path, mode: str, answer: str) -> None:
    app, model = app_with(tmp_path, answer, answer)
    chat = app.chats.begin(script_id="video_001")
    chat.note("/undo", ["video_001 v9 → v10"])

    say(chat, "语气要轻松", mode=mode)
    say(chat, "记得吗？", mode=mode)

    shown = "\n".join(message.content for message in model.calls[-1].messages)
    assert "语气要轻松" in shown and "video_001 v9 → v10" in shown
    assert shown.count("语气要轻松") == 1


def test_what_was_done_by_command_is_known_in_the_next_turn(tmp_path: Path) -> None:
    app, model = app_with(tmp_path, "好。")
    chat = app.chats.begin(script_id="video_001")

    chat.note("/undo 2", ["video_001 v9 → v10，恢复了 v7 的内容。"])
    say(chat, "现在呢？")

    assert "/undo 2" in sent(model) and "恢复了 v7 的内容" in sent(model)
    assert (
        Remembered(said="/undo 2", answered="", facts=("video_001 v9 → v10，恢复了 v7 的内容。",))
        == chat.turns[0]
    )


def test_a_window_forgets_and_a_buffer_does_not(tmp_path: Path) -> None:
    app, model = app_with(tmp_path, *["OK."] * 10)
    chat = app.chats.begin()
    for number in range(8):
        say(chat, f"question {number}?")

    say(chat, "and?", memory="window")
    assert "question 1?" not in sent(model) and "question 2?" in sent(model)
    say(chat, "and?", memory="buffer")
    assert "question 0?" in sent(model)


def test_a_summary_is_stored_and_paid_once(tmp_path: Path) -> None:
    app, model = app_with(tmp_path, *["好。"] * 7, "客户要轻松的语气。", "好。", "好。")
    chat = app.chats.begin(script_id="video_001")
    for number in range(7):
        say(chat, f"第{number}个要求：" + "很长" * 2_000)

    with model:
        say(chat, "继续", memory="summary")
        say(app.chats.resume(), "继续", memory="summary")

    assert "压缩" in model.calls[7].messages[0].content
    for asked in (8, 9):
        assert "客户要轻松的语气。" in sent(model, asked)
        assert "第0个要求" not in sent(model, asked) and "第6个要求" in sent(model, asked)
    (summary,) = [m for m in app.store.messages(chat.chat.id) if m.speaker == "summary"]
    assert ("客户要轻松的语气。", 10) == (summary.content, summary.covers)


def test_what_a_summary_took_is_counted_in_the_run_of_its_turn(tmp_path: Path) -> None:
    summary = Reply(text="客户要轻松的语气。", usage=Usage(1_000, 40))
    app, _model = app_with(tmp_path, *["好。"] * 7, summary, Reply(text="好。", usage=Usage(300, 7)))
    chat = app.chats.begin(script_id="video_001")
    for number in range(7):
        say(chat, f"第{number}个要求：" + "很长" * 2_000)

    report = say(chat, "继续", memory="summary")

    assert report.usage == Usage(1_300, 47)
    newest = app.store.run_costs(chat_id=chat.chat.id)[0]
    assert (newest.prompt_tokens, newest.completion_tokens) == (1_300, 47)


def test_a_summary_that_fails_stops_no_turn(tmp_path: Path) -> None:
    app, model = app_with(tmp_path, *["OK."] * 7, ModelFailure("down"), "Fine.")
    chat = app.chats.begin(script_id="video_001")
    for number in range(7):
        say(chat, f"wish {number}: " + "long " * 800)

    with model:
        report = say(chat, "go on", memory="summary")

    assert "Fine." == report.answer
    assert "wish 6" in sent(model)
