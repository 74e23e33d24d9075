"""Ugly replies in tags, and what must be made of them."""

import pytest

from script_editor.agent.modes import read_reply
from script_editor.agent.steps import Actions, Malformed
from tests.agent.fakes import Desk, Told, assert_read, call, refused


def step(tool: str, inside: str) -> str:
    return f"<tool>{tool}</tool><tool_input>{inside}</tool_input>"


TEA = '{"script_id": "tea-ad"}'
EDIT = '{"script_id": "tea-ad", "instruction": "更短"}'
READ = call("history", script_id="tea-ad")
WRITE = call("modify_script", script_id="tea-ad", instruction="更短")
DONE = "<final_answer>好</final_answer>"


def preview(instruction: str) -> Told:
    return call("preview", script_id="a", instruction=instruction)


def children(instruction: str) -> str:
    return step("preview", f"<script_id>a</script_id><instruction>{instruction}</instruction>")


STEPS: dict[str, tuple[str, Told]] = {
    "as the prompt asks": (f"先看看。\n{step('history', TEA)}", READ),
    "a write behind a thought": (f"缩短一些。\n{step('modify_script', EDIT)}", WRITE),
    "tags on lines of their own": (f"<tool>\nhistory\n</tool>\n<tool_input>\n{TEA}\n</tool_input>\n", READ),
    "tags in capitals": (f"<TOOL>history</TOOL><Tool_Input>{TEA}</Tool_Input>", READ),
    "windows line ends": (f"<tool>history</tool>\r\n<tool_input>{TEA}</tool_input>\r\n", READ),
    "a fence around all of it": (f"```xml\n{step('modify_script', EDIT)}\n```", WRITE),
    "a fence around the input": (f"<tool>modify_script</tool>\n<tool_input>\n```json\n{EDIT}\n```\n</tool_input>", WRITE),
    "a fence that only ends": (f"{step('history', 'tea-ad')}\n```", READ),
    "backticks round the value": (step("history", "`tea-ad`"), READ),
    "quotes round the value": (step("history", '"tea-ad"'), READ),
    "the end of the input is missing": (f"<tool>modify_script</tool><tool_input>{EDIT}", WRITE),
    "the end of the name is missing": (f"<tool>history<tool_input>{TEA}</tool_input>", READ),
    "name with a prefix": (step("functions.history", TEA), READ),
    "name in capitals": (step("Get Script", TEA), call("get_script", script_id="tea-ad")),
    "no input": ("<tool>list_scripts</tool>", call("list_scripts")),
    "an empty input": (step("list_scripts", ""), call("list_scripts")),
    "an empty object": (step("list_scripts", "{}"), call("list_scripts")),
    "null": (step("list_scripts", "null"), call("list_scripts")),
    "无": (step("list_scripts", "无"), call("list_scripts")),
    "encoded once more": (step("history", '"{\\"script_id\\": \\"tea-ad\\"}"'), READ),
    "a call object in the tag": (f'<tool>{{"name": "history", "arguments": {TEA}}}</tool>', READ),
    "brackets in the tag": ("<tool>history[tea-ad]</tool>", READ),
    "keywords in the tag": ('<tool>revert(script_id="a", version=2)</tool>', call("revert", script_id="a", version=2)),
    "children": (step("diff", "<script_id>a</script_id><from_version>1</from_version><to_version>v2</to_version>"), call("diff", script_id="a", from_version=1, to_version=2)),
    "children on lines": (step("revert", "\n  <script_id>a</script_id>\n  <version>2</version>\n"), call("revert", script_id="a", version=2)),
    "one child": (step("history", "<script_id>tea-ad</script_id>"), READ),
    "a child over lines": (children("\n第一行\n第二行\n"), preview("第一行\n第二行")),
    "children without the end of the input": ("<tool>revert</tool><tool_input><script_id>a</script_id><version>2</version>", call("revert", script_id="a", version=2)),
    "the same child twice": (step("history", "<script_id>tea-ad</script_id><script_id>tea-ad</script_id>"), READ),
    "angle brackets in a child": (children("a < b，<i>斜体</i>，<script_id> 不动"), preview("a < b，<i>斜体</i>，<script_id> 不动")),
    "its own end tag in a child": (children("解释 </instruction> 标签"), preview("解释 </instruction> 标签")),
    "entities in a child": (children("A &amp; B &lt;b&gt; &quot;c&quot; &#39;d&#39; &#x4f60;"), preview("A & B <b> \"c\" 'd' 你")),
    "entities are decoded once": (children("写 &amp;lt; 两个字"), preview("写 &lt; 两个字")),
    "what is no entity": (children("A & B &copy; &#xD800; &nope;"), preview("A & B &copy; &#xD800; &nope;")),
    "cdata in a child": (children("<![CDATA[a < b &amp; <c>]]>"), preview("a < b &amp; <c>")),
    "entities in json": (step("preview", '{"script_id": "a", "instruction": "A &amp; B &quot;c&quot;"}'), preview('A & B "c"')),
    "cdata around json": (step("preview", '<![CDATA[{"script_id": "a", "instruction": "A &amp; <b>"}]]>'), preview("A &amp; <b>")),
    "cdata around a value": (step("history", "<![CDATA[tea-ad]]>"), READ),
    "escaped json": (step("history", "{&quot;script_id&quot;: &quot;tea-ad&quot;}"), READ),
    "our tags in json": (
        step("preview", '{"script_id": "a", "instruction": "<tool>revert</tool><tool_input>x</tool_input></tool_input><observation><final_answer>"}'),
        preview("<tool>revert</tool><tool_input>x</tool_input></tool_input><observation><final_answer>"),
    ),
    "our tags as they are shown": (step("preview", '{"script_id": "a", "instruction": "把 [[tool]] 换掉，[[=tool]] 不动"}'), preview("把 <tool> 换掉，[[tool]] 不动")),
    "our tags in a child": (children("讲讲 <observation> 和 <final_answer>x</final_answer> 的用法"), preview("讲讲 <observation> 和 <final_answer>x</final_answer> 的用法")),
    "labels in json": (step("preview", '{"script_id": "a", "instruction": "加：\nFinal Answer: 完\nHuman: 好"}'), preview("加：\nFinal Answer: 完\nHuman: 好")),
    "an invented result and answer": (f"{step('modify_script', EDIT)}<observation>ok</observation>{DONE}", WRITE),
    "an invented result that is cut": (f"{step('history', 'tea-ad')}\n<observation>ok", READ),
    "an invented result and step": (f"{step('history', 'tea-ad')}\n<observation>ok</observation>\n{step('modify_script', EDIT)}", READ),
    "an invented labelled result": (f"{step('history', 'tea-ad')}\nObservation: 两版\n{DONE}", READ),
    "an invented turn of the person": (f"{step('history', 'tea-ad')}\nHuman: 改短\n{step('modify_script', EDIT)}", READ),
    "the same step twice": (step("modify_script", EDIT) * 2, WRITE),
    "chatter behind a read": (f"{step('history', TEA)}\n我等结果。", READ),
    "chatter behind a read of a plain value": (f"{step('history', 'tea-ad')} 我等结果。", READ),
    "tags mentioned in quotes": (f'我用 "<tool>" 标签和 `<final_answer>`。\n{step("modify_script", EDIT)}', WRITE),
    "a tag mentioned in a sentence": (f"我用 <tool> 标签来调用。\n{step('history', 'tea-ad')}", READ),
    "a draft in the reasoning": (f"<think>{step('revert', 'x')}</think>\n{step('history', 'tea-ad')}", READ),
    "tags of another kind": ('<invoke name="history"><parameter name="script_id">tea-ad</parameter></invoke>', READ),
    "a tagged object": (f'<tool_call>{{"name": "history", "arguments": {TEA}}}</tool_call>', READ),
    "our tags in a value of another kind": (
        '<invoke name="preview"><parameter name="script_id">a</parameter>'
        '<parameter name="instruction">写 <tool>list_scripts</tool></parameter></invoke>',
        preview("写 <tool>list_scripts</tool>"),
    ),
    "our tags in an object that is the whole reply": (
        '{"name": "preview", "arguments": {"script_id": "a", "instruction": "<tool>list_scripts</tool>"}}',
        preview("<tool>list_scripts</tool>"),
    ),
    "our tags in a wrapper": (f"<tool_call>\n{step('modify_script', EDIT)}\n</tool_call>", WRITE),
    "an object is the whole reply": (f'{{"name": "history", "arguments": {TEA}}}', READ),
    "echo of the question": (f"Question: 看看\n{step('history', 'tea-ad')}", READ),
    "the input written twice": (step("modify_script", EDIT * 2), WRITE),
    "an invented result of another kind behind it": (f"{step('modify_script', EDIT)}\n<tool_response>好</tool_response>\n{DONE}", WRITE),
    "other markup in an argument": (children('写 <tool_call>{"name": "list_scripts"}</tool_call>'), preview('写 <tool_call>{"name": "list_scripts"}</tool_call>')),
}  # fmt: skip

ANSWERS: dict[str, tuple[str, Told]] = {
    "as the prompt asks": (f"想好了。\n{DONE}", "好"),
    "over lines with colons": ("<final_answer>\n两点：\n一：短\n</final_answer>", "两点：\n一：短"),
    "its end is missing": ("<final_answer>好", "好"),
    "a fence around it": (f"```\n{DONE}\n```", "好"),
    "text behind it": (f"{DONE}\n还有吗？", "好"),
    "entities": ("<final_answer>A &amp; B &lt;b&gt;</final_answer>", "A & B <b>"),
    "cdata": ("<final_answer><![CDATA[A &amp; <b>]]></final_answer>", "A &amp; <b>"),
    "its own end tag in it": ("<final_answer>标签 </final_answer> 表示结束。</final_answer>", "标签 </final_answer> 表示结束。"),
    "tags of a page": ("<final_answer>用 <b>粗体</b> 和 <i>。</final_answer>", "用 <b>粗体</b> 和 <i>。"),
    "our tags in a sentence": ("<final_answer>先写 <tool>，再写 <tool_input>。</final_answer>", "先写 <tool>，再写 <tool_input>。"),
    "our tags as they are shown": ("<final_answer>脚本里有 [[observation]]。</final_answer>", "脚本里有 <observation>。"),
    "screenplay": ("<final_answer>Action: 推近\nHuman: 你好\nAI: 好</final_answer>", "Action: 推近\nHuman: 你好\nAI: 好"),
    "said twice": (DONE * 2, "好"),
    "an invented turn and step": (f"{DONE}\nHuman: 改短\n{step('modify_script', EDIT)}", "好"),
    "an invented result behind it": (f"{DONE}<observation>x</observation>{step('modify_script', EDIT)}", "好"),
    "behind no tool": (f"<tool>None</tool>{DONE}", "好"),
    "finish as the tool": (step("final_answer", "好"), "好"),
    "finish as the tool with an object": (step("FINISH", '{"answer": "好"}'), "好"),
    "a call in a sentence of it": (f'<final_answer>可以发 {{"name": "revert", "arguments": {TEA}}}。</final_answer>', f'可以发 {{"name": "revert", "arguments": {TEA}}}。'),
    "other markup in cdata": ('<final_answer><![CDATA[好：\n<tool_call>{"name": "list_scripts"}</tool_call>]]></final_answer>', '好：\n<tool_call>{"name": "list_scripts"}</tool_call>'),
    "fenced data in it": ('<final_answer>数据：\n```json\n{"name": "茶", "n": 1}\n```\n</final_answer>', '数据：\n```json\n{"name": "茶", "n": 1}\n```'),
}  # fmt: skip

REFUSED: dict[str, tuple[str, Told]] = {
    "nothing": ("", refused("<tool>", "<final_answer>", "get_script")),
    "prose": ("已经改好了！", refused("<tool>", "<final_answer>", "get_script")),
    "reasoning only": (f"<think>{step('history', 'a')}", refused("<tool>", "<final_answer>")),
    "labels": ("Thought: x\nFinal Answer: 好", refused("<tool>", "<final_answer>")),
    "an empty answer": ("<final_answer> </final_answer>", refused("<final_answer>")),
    "two different answers": ("<final_answer>好</final_answer><final_answer>坏</final_answer>", refused("<final_answer>")),
    "step and answer": (f"{step('modify_script', EDIT)}\n{DONE}", refused("<tool>", "<final_answer>", "modify_script")),
    "answer and step": (f"{DONE}\n{step('modify_script', EDIT)}", refused("<final_answer>", "modify_script")),
    "a step on a line of the answer": (f"<final_answer>改好了：\n{step('modify_script', EDIT)}\n</final_answer>", refused("<final_answer>", "modify_script")),
    "two different steps": (step("history", "a") + step("get_script", "a"), refused("history", "get_script")),
    "two different steps with prose between": (f"{step('history', 'a')} 然后\n{step('get_script', 'a')}", refused("history", "get_script")),
    "an unknown tool": (step("edit_script", EDIT), refused("edit_script", "modify_script", "preview")),
    "a chinese tool": (step("获取脚本", "tea-ad"), refused("获取脚本", "get_script")),
    "no name": (step("", EDIT), refused("<tool>", "get_script")),
    "no tool and no answer": ("<tool>None</tool>", refused("<tool>", "<final_answer>")),
    "input without a tool": (f"<tool_input>{TEA}</tool_input>", refused("<tool>", "<tool_input>", "get_script")),
    "no input": ("<tool>history</tool>", refused("tool_input", "script_id")),
    "a bare value for two arguments": (step("preview", "更短"), refused("script_id", "instruction")),
    "a missing argument": (step("preview", TEA), refused("instruction")),
    "a missing child": (step("preview", "<script_id>a</script_id>"), refused("instruction")),
    "an unknown child": (step("modify_script", "<script_id>a</script_id><instruction>b</instruction><dry_run>true</dry_run>"), refused("dry_run")),
    "a child with two values": (step("history", "<script_id>a</script_id><script_id>b</script_id>"), refused("script_id", "history")),
    "an unknown argument": (step("history", '{"script_id": "a", "limit": 3}'), refused("limit", "history(script_id: str)")),
    "a key twice": (step("preview", '{"script_id": "a", "instruction": "b", "instruction": "c"}'), refused("JSON", "instruction")),
    "a version as a word": (step("revert", "<script_id>a</script_id><version>二</version>"), refused("version")),
    "cut in json": ('<tool>modify_script</tool><tool_input>{"script_id": "a", "instru', refused("JSON", "modify_script")),
    "cut in json that has its end tag": ('<tool>modify_script</tool><tool_input>{"script_id": "a"</tool_input>', refused("JSON", "modify_script")),
    "cut in a value": ("<tool>history</tool><tool_input>tea", refused("history", "<tool_input>")),
    "cut in a child": ("<tool>modify_script</tool><tool_input><script_id>a</script_id><instruction>把", refused("modify_script")),
    "cut in the name": ("<tool>modify_scr", refused("<tool>", "get_script")),
    "an empty call in tags of another kind": ("<tool_call></tool_call>", refused("<tool>", "get_script")),
    "a claim behind a write": (f"{step('modify_script', EDIT)}\n改好了！", refused("modify_script", "改好了")),
    "second thoughts behind a write": (f"{step('modify_script', EDIT)} 等等，先不要。", refused("modify_script", "等等")),
    "prose between the name and the input of a write": (f"<tool>modify_script</tool> 也许 <tool_input>{EDIT}</tool_input>", refused("modify_script", "也许")),
    "a fenced call among prose": (f'好的：\n```json\n{{"name": "history", "arguments": {TEA}}}\n```', refused("history", "<tool>")),
    "two different objects as the input": (step("modify_script", EDIT + EDIT.replace("更短", "更长")), refused("modify_script")),
    "our step behind another form": (f'<tool_call>{{"name": "history", "arguments": {TEA}}}</tool_call>\n{step("modify_script", EDIT)}', refused("history", "modify_script")),
    "another form behind our step": (f'{step("history", TEA)}\n<tool_call>{{"name": "modify_script", "arguments": {EDIT}}}</tool_call>', refused("history", "modify_script")),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "expected"), STEPS.values(), ids=STEPS)
def test_a_step_is_found(raw: str, expected: Told) -> None:
    assert_read("xml", raw, expected)


@pytest.mark.parametrize(("raw", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_is_found(raw: str, expected: Told) -> None:
    assert_read("xml", raw, expected)


@pytest.mark.parametrize(("raw", "expected"), REFUSED.values(), ids=REFUSED)
def test_nothing_is_run_and_the_feedback_names_what_matters(raw: str, expected: Told) -> None:
    assert_read("xml", raw, expected)


CUT: dict[str, tuple[str, Told]] = {
    "an answer does not stand": (DONE, refused("length")),
    "a whole write does not stand": (step("modify_script", EDIT), refused("length", "modify_script")),
    "a whole read stands": (step("history", TEA), READ),
    "a whole read without its end tag stands": (f"<tool>history</tool><tool_input>{TEA}", READ),
    "children without their end may be cut": ("<tool>history</tool><tool_input><script_id>tea-ad</script_id>", refused("length", "history")),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "expected"), CUT.values(), ids=CUT)
def test_of_a_reply_cut_by_length_only_whole_reads_stand(raw: str, expected: Told) -> None:
    assert_read("xml", raw, expected, finish_reason="length")


@pytest.mark.parametrize("written", [
    '<invoke name="preview"><parameter name="script_id">a</parameter><parameter name="instruction">删 <tool></parameter></invoke>',
    children("删 &lt;tool&gt;"),
])  # fmt: skip
def test_a_call_is_shown_again_in_our_tags_and_its_text_escaped(written: str) -> None:
    outcome = read_reply("xml", f"我来。\n{written}<observation>假</observation>", Desk().toolbox())

    assert isinstance(outcome, Actions)
    replayed = outcome.actions[0].message
    assert replayed is not None
    assert replayed.content == (
        '我来。\n<tool>preview</tool><tool_input>{"script_id": "a", "instruction": "删 [[tool]]"}</tool_input>'
    )
    assert_read("xml", replayed.content, preview("删 <tool>"))


def test_the_feedback_names_the_tags() -> None:
    outcome = read_reply("xml", "你好", Desk().toolbox(), language="zh")

    assert isinstance(outcome, Malformed)
    assert outcome.message == "你的回复不符合格式：既没有 <tool>，也没有 <final_answer>。"
    assert "<tool_input>{…}</tool_input>" in outcome.hint
