"""Perfect answers in every syntax, spoiled as models spoil them: the exact text comes out, or a refusal.

Each case takes a script, a change whose result is computed by plain slicing, writes the perfect reply in one
syntax, and spoils it in one way. What may come out is known from the way it was spoiled.
"""

import json
import random
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from script_editor.domain.edits import resolve
from script_editor.domain.replies import Syntax, parse_plan
from script_editor.domain.segments import NumberedScript
from script_editor.domain.splices import apply
from script_editor.errors import EditRefused

SCRIPTS = {
    "zh": "大家好，我是小棠，欢迎回到厨房十分钟。\n今天我们做一碗番茄鸡蛋面。\n先把两个番茄切成小块，锅里放一勺油。\n番茄炒出红汁之后，加一碗半的热水。\n水开下面，三分钟就好。\n喜欢的话点个关注，我们明天见。\n",
    "zh indented": "\u3000\u3000各位听众晚上好，这里是书房来信。\r\n\u3000\u3000今晚读一本写海的小书。\r\n\r\n\u3000\u3000作者在灯塔上住了十一年，每天只记一行字。\r\n\u3000\u3000他说：“风大的日子，字会歪。”\r\n\r\n\u3000\u3000我们下周同一时间再见。\r\n",
    "zh wide": "\ufeff本节目由ＡＩ制作，编号①②③。\n今天讲㎏和斤怎么换算。\n我用Excel记账，每周３次。\n“别记错了”，他总说——“别急……”\n打开App就能看到，一共12期",
    "zh spaced": "我用 AI 写脚本，用 Excel 排期。\n每周更新 3 期，一共 12 期。\n\n欢迎来玩，记得带上 iPad 哦！\n下期讲 GPU 为什么这么贵。\n",
    "zh repeated": "开始吧。\n记得保存。\n我们来看第一步。\n记得保存。\n我们来看第二步。\n记得保存。\n谢谢观看。",
    "zh labels": "主持人：欢迎来到今晚的科技夜话。\n嘉宾：谢谢邀请，我带来了一台旧相机。\r\n主持人：它还能拍照吗？\n嘉宾：能，不过快门有点慢。\r\n[SFX: 快门声]\n主持人：那我们现在就试一张。\n",
    "en": "Hey everyone, welcome back to Desk Garden.\nToday we are repotting a snake plant.\nYou need a pot that is two inches wider than the old one.\n\nFill the bottom third with fresh soil.\nWater it once, then leave it alone for ten days.\n\n\nSubscribe if you want part two, and see you next week.\n",
    "en quotes": "\ufeffOur studio is at 12\u00a0Mill\u00a0Lane.\r\n  She wrote “hi” on the wall — twice.\r\n  Don’t forget: doors open at 7\u202fpm.\n\tBring a friend…\r\nThat's “it” for tonight.",
    "en accents": unicodedata.normalize("NFD", "Our café opens at nine.\nThe naïve answer is coffee.\n\nTry the crème brûlée, s'il vous plaît.\nGoodbye for now.\n"),
    "en odd": "First we wait.\u2028Then we wait again.\nThe end comes\x0bquickly.\nUse code \\1SAVE or $5 off.\n   \nThe next line is a row:\n* * *\nBye for today, friends.\n",
    "en fences": "Open a terminal and type this:\n```\necho hello\n```\nThat's your first command.\nHere is the full script of it.\nSee you soon, everybody.\n",
}  # fmt: skip


@dataclass(frozen=True)
class Change:
    """One line is replaced, deleted, or gets a new line behind it; `text` is plain, so no spoiling changes it."""

    kind: str
    number: int
    text: str = ""


@dataclass(frozen=True)
class Case:
    script: NumberedScript
    changes: tuple[Change, ...]
    gold: str
    rng: random.Random


def line_end(script: NumberedScript, index: int) -> str:
    lines, text = script.lines, script.text
    own = text[lines[index].content_end : lines[index].end]
    before = text[lines[index - 1].content_end : lines[index - 1].end] if index else ""
    return own or before or "\n"


def gold_text(script: NumberedScript, changes: tuple[Change, ...]) -> str:
    """Return the result by slicing, from the last change to the first."""
    text = script.text
    for change in sorted(changes, key=lambda each: -each.number):
        segment = script.segment(change.number)
        line = script.lines[segment.line]
        if change.kind == "replace":
            text = text[: segment.start] + change.text + text[segment.end :]
        elif change.kind == "insert":
            indent = script.text[line.start : segment.start]
            text = (
                text[: line.content_end]
                + line_end(script, segment.line)
                + indent
                + change.text
                + text[line.content_end :]
            )
        elif line.end > line.content_end:
            text = text[: line.start] + text[line.end :]
        else:
            text = text[: script.lines[segment.line - 1].content_end]
    return text


def reworded(content: str, rng: random.Random) -> str | None:
    """Return a line with one word or character exchanged, None when it has none to exchange."""
    spots = [
        m.span()
        for m in re.finditer(
            r"[\u4e00-\u9fff]{2}(?=[\u4e00-\u9fff])|(?<![\w\u0300-\u036f])[a-z]{3,}(?![\w\u0300-\u036f])",
            content,
        )
    ]
    if not spots:
        return None
    start, end = rng.choice(spots)
    word = rng.choice(["蓝天", "慢慢"]) if content[start] >= "\u4e00" else rng.choice(["purple", "seldom"])
    return content[:start] + word + content[end:]


def may_go(script: NumberedScript, number: int) -> bool:
    """Say whether a line can be deleted so that nobody could disagree about blank lines."""
    places = [segment.line for segment in script.segments]
    index = number - 1
    near = places[max(0, index - 1) : index + 2]
    return len(places) > 2 and near[-1] - near[0] == len(near) - 1 and 0 < index < len(places) - 1


def make_case(name: str, seed: int) -> Case:
    rng = random.Random(f"{name} {seed}")
    script = NumberedScript("video_001", 3, SCRIPTS[name])
    changes: dict[int, Change] = {}
    for number in rng.sample(range(1, len(script.segments) + 1), rng.choice([1, 1, 2])):
        kind = rng.choice(["replace", "replace", "replace", "insert", "delete"])
        content = script.segment(number).content
        new = reworded(content, rng)
        is_chinese = any("\u4e00" <= char <= "\u9fff" for char in script.text)
        if (
            kind == "delete"
            and may_go(script, number)
            and not changes
            and content.isprintable()
            and "`" not in content
        ):
            changes[number] = Change("delete", number)
        elif kind == "insert" and "`" not in content:
            changes[number] = Change(
                "insert", number, "这里补上一句新的话。" if is_chinese else "Here comes a brand new sentence."
            )
        elif new is not None:
            changes[number] = Change("replace", number, new)
    if not changes:
        return make_case(name, seed + 1000)
    wanted = tuple(changes.values())
    return Case(script, wanted, gold_text(script, wanted), rng)


# --- perfect answers ---------------------------------------------------------------------------


def as_json(case: Case) -> str:
    ops = []
    for change in case.changes:
        op = {"replace": "replace", "insert": "insert_after", "delete": "delete"}[change.kind]
        ops.append(
            {
                "op": op,
                "id": case.script.segment(change.number).id,
                **({"text": change.text} if change.text else {}),
            }
        )
    return json.dumps({"script_id": "video_001", "base_version": 3, "ops": ops}, ensure_ascii=False)


def as_text_form(case: Case) -> str:
    lines = []
    for change in case.changes:
        op = {"replace": "replace", "insert": "insert_after", "delete": "delete"}[change.kind]
        lines += [f"@@ {op} {case.script.segment(change.number).id}", *([change.text] if change.text else [])]
    return "\n".join([*lines, "@@ end"])


def as_blocks(case: Case) -> str:
    return "\n".join(block(case, change) for change in case.changes)


def block(case: Case, change: Change) -> str:
    """Return the change as a block whose SEARCH is unique: the line, with lines before it where it is repeated."""
    contents = [segment.content for segment in case.script.segments]
    first = change.number - 1
    text = case.script.text
    whole = "\n".join(text[line.start : line.content_end] for line in case.script.lines)

    def quoted(begin: int) -> str:
        lines = case.script.lines[
            case.script.segments[begin].line : case.script.segments[change.number - 1].line + 1
        ]
        shown = "\n".join(text[line.start : line.content_end] for line in lines)
        return shown.strip()

    while first and whole.count(quoted(first)) > 1:
        first -= 1
    search = quoted(first)
    own = contents[change.number - 1]
    head = search[: len(search) - len(own)]
    new = {"replace": change.text, "insert": f"{own}\n{change.text}", "delete": ""}[change.kind]
    return f"<<<<<<< SEARCH\n{search}\n=======\n{(head + new).rstrip()}\n>>>>>>> REPLACE".replace(
        "=======\n\n>", "=======\n>"
    )


def as_whole(case: Case) -> str:
    return case.gold.lstrip("\ufeff").replace("\r\n", "\n")


WRITERS: dict[str, tuple[Syntax, Callable[[Case], str]]] = {
    "JSON": ("operations", as_json),
    "@@": ("operations", as_text_form),
    "blocks": ("search_replace", as_blocks),
    "blocks unasked": ("operations", as_blocks),
    "whole": ("whole", as_whole),
}

# --- ways to spoil an answer -----------------------------------------------------------------------

Spoiler = Callable[[str], str]


def one_of(raw: str, wordings: list[str]) -> str:
    return wordings[len(raw) % len(wordings)]


def straight(text: str) -> str:
    for curly, plain in {"“": '"', "”": '"', "‘": "'", "’": "'", "—": "-", "…": "..."}.items():
        text = text.replace(curly, plain)
    return text


def spaced_out(text: str) -> str:
    text = re.sub(r"(?<=[\u4e00-\u9fff])(?=[A-Za-z0-9])", " ", text)
    return re.sub(r"(?<=[A-Za-z0-9])(?=[\u4e00-\u9fff])", " ", text)


def flattened(text: str) -> str:
    return "".join(
        unicodedata.normalize("NFKC", char) if char not in "，。：！？；（）\u3000" else char for char in text
    )


ANY: dict[str, Spoiler] = {
    "nothing": lambda raw: raw,
    "a fence": lambda raw: f"```text\n{raw.rstrip()}\n```\n",
    "a preamble": lambda raw: f"{one_of(raw, ['好的！以下是修改后的脚本：', 'Sure! Here is the revised script:', '没问题，修改后的脚本如下：', 'Certainly. Here are the edits you asked for:'])}\n\n{raw}",
    "a sign-off": lambda raw: f"{raw}\n\n{one_of(raw, ['如需进一步修改，请随时告诉我。', 'Let me know if you would like any other changes!', '希望这次修改符合你的要求！', 'Feel free to ask for further tweaks.'])}",
    "notes": lambda raw: f"{raw}\n\n---\n{one_of(raw, ['修改说明：', 'Changes made:', '**主要改动：**', '### Changes'])}\n1. 只改了一行。\n- one line changed",
    "thinking": lambda raw: f"<think>\n用户想改一行。Only one line, I think.\n</think>\n\n{raw}",
    "a fence and talk": lambda raw: f"Sure! Here is the revised script:\n\n```\n{raw.rstrip()}\n```\n\nLet me know if you'd like any other changes!",
    "CRLF": lambda raw: raw.replace("\n", "\r\n"),
    "blank lines at the end": lambda raw: raw + "\n\n\n",
}  # fmt: skip
OF_FORM: dict[str, Spoiler] = {
    "straight quotes": lambda raw: straight(raw),
    "plain spaces": lambda raw: raw.replace("\u00a0", " ").replace("\u202f", " "),
    "half width": lambda raw: flattened(raw),
    "composed": lambda raw: unicodedata.normalize("NFC", raw),
}
OF_WHOLE: dict[str, Spoiler] = {
    **OF_FORM,
    "spaces between Chinese and Latin": lambda raw: spaced_out(raw),
    "no spaces between Chinese and Latin": lambda raw: re.sub(r"(?<=[\u4e00-\u9fff]) (?=[A-Za-z0-9])|(?<=[A-Za-z0-9]) (?=[\u4e00-\u9fff])", "", raw),
    "no indentation": lambda raw: "\n".join(line.strip() for line in raw.split("\n")),
    "no final newline": lambda raw: raw.rstrip("\n"),
    "a final newline": lambda raw: raw.rstrip("\n") + "\n",
    "no blank lines": lambda raw: "\n".join(line for line in raw.split("\n") if line.strip()),
    "blank lines everywhere": lambda raw: "\n\n".join(line for line in raw.split("\n") if line.strip()),
    "line numbers": lambda raw: "\n".join(f"S{n}:ab | {line.strip()}" for n, line in enumerate((line for line in raw.split("\n") if line.strip()), 1)),
    "a title": lambda raw: f"**修改后的脚本**\n\n{raw}",
    "rules": lambda raw: f"Here is the updated script:\n\n---\n\n{raw.strip()}\n\n---\n\nLet me know if you want further edits.",
    "all of it": lambda raw: "<think>a\nb</think>\n好的，修改如下：\n\n```\n" + spaced_out(straight(flattened(unicodedata.normalize("NFC", raw)))).rstrip() + "\n```\n\n修改说明：\n- 改了一行",
}  # fmt: skip


def outcome(raw: str, case: Case, syntax: Syntax, targets: tuple[int, ...] = ()) -> str | tuple[str, str]:
    try:
        plan = parse_plan(raw, case.script, syntax=syntax, instruction="改一下 / change it", targets=targets)
        return apply(case.script.text, resolve(case.script, plan))
    except EditRefused as refusal:
        return ("refused", refusal.reason)


SEEDS = range(3)


def cases(writers: list[str], spoilers: dict[str, Spoiler]) -> list[object]:
    return [
        pytest.param(writer, spoiler, name, id=f"{writer} of {name} with {spoiler}")
        for writer in writers
        for spoiler in spoilers
        for name in SCRIPTS
    ]


@pytest.mark.parametrize(("writer", "spoiler", "name"), cases(list(WRITERS), ANY))
def test_wrapping_of_a_perfect_answer_changes_nothing(writer: str, spoiler: str, name: str) -> None:
    syntax, write = WRITERS[writer]
    for seed in SEEDS:
        case = make_case(name, seed)

        assert case.gold == outcome(ANY[spoiler](write(case)), case, syntax), case.changes


@pytest.mark.parametrize(("writer", "spoiler", "name"), cases(["whole"], OF_WHOLE))
def test_a_flattened_rewrite_gives_the_authors_bytes(writer: str, spoiler: str, name: str) -> None:
    for seed in SEEDS:
        case = make_case(name, seed)

        assert case.gold == outcome(OF_WHOLE[spoiler](as_whole(case)), case, "whole"), case.changes


@pytest.mark.parametrize(("writer", "spoiler", "name"), cases(["JSON", "@@", "blocks"], OF_FORM))
def test_flattened_edits_give_the_authors_bytes(writer: str, spoiler: str, name: str) -> None:
    syntax, write = WRITERS[writer]
    for seed in SEEDS:
        case = make_case(name, seed)

        assert case.gold == outcome(OF_FORM[spoiler](write(case)), case, syntax), case.changes


# --- answers that are wrong: never the wrong text ---------------------------------------------------


def lines_of(text: str) -> list[str]:
    return [segment.content for segment in NumberedScript("v", 1, text).segments]


@pytest.mark.parametrize("name", SCRIPTS)
def test_polish_of_other_lines_is_taken_back_where_only_targets_may_change(name: str) -> None:
    for seed in SEEDS:
        case = make_case(name, seed)
        target = next((change for change in case.changes if change.kind == "replace"), None)
        if target is None:
            continue
        shown = [reworded(s.content, case.rng) or s.content for s in case.script.segments]
        shown[target.number - 1] = target.text

        assert gold_text(case.script, (target,)) == outcome("\n".join(shown), case, "whole", (target.number,))


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_rewrite_that_breaks_off_never_gets_its_end_back(name: str) -> None:
    for seed in SEEDS:
        case = make_case(name, seed)
        shown = [line for line in as_whole(case).split("\n") if line.strip()]
        if "```" in shown:
            continue
        kept = case.rng.randint(1, len(shown) - 1)

        result = outcome("\n".join(shown[:kept]), case, "whole")

        assert isinstance(result, str)
        assert lines_of(result) == lines_of(case.gold)[:kept]


WORDINGS = [
    "……（其余不变）", "（以下内容保持不变）", "（中间部分省略）", "[其余部分同上]", "…", "（下略）", "其余内容与原文一致", "……（同上）……",
    "... rest unchanged ...", "(remaining lines same as before)", "[The rest of the script stays the same]", "...", "# rest of script",
    "[unchanged]", "(The script continues as before)", "<rest of the text>",
]  # fmt: skip


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize("name", ["zh", "zh indented", "en", "en quotes"])
def test_a_placeholder_in_a_rewrite_reaches_the_guards(name: str, wording: str) -> None:
    """Taken for chatter it would vanish, and with it the reason why lines are missing."""
    for targets in ((), (1,)):
        case = make_case(name, 1)
        shown = [line for line in as_whole(case).split("\n") if line.strip()]

        result = outcome("\n".join([*shown[:2], wording]), case, "whole", targets)

        assert isinstance(result, str)
        assert wording in result


def misquoted(text: str, rng: random.Random) -> str:
    """Return a text with one of its words or characters exchanged for one that no script has."""
    spots = [
        m.span()
        for m in re.finditer(r"[\u4e00-\u9fff]|(?<![\w\u0300-\u036f])[a-z]{3,}(?![\w\u0300-\u036f])", text)
    ]
    start, end = rng.choice(spots)
    return text[:start] + ("龘" if text[start] >= "\u4e00" else "quixotic") + text[end:]


@pytest.mark.parametrize("name", [name for name in SCRIPTS if name != "en fences"])
def test_a_misquoted_block_is_never_applied_alone_or_in_a_batch(name: str) -> None:
    for seed in SEEDS:
        case = make_case(name, seed)
        number = case.rng.randint(1, len(case.script.segments))
        own = case.script.segment(number).content
        if not re.search(r"[\u4e00-\u9fff]|[a-z]{4}", own):
            continue
        wrong = misquoted(own, case.rng)
        stale = f"<<<<<<< SEARCH\n{wrong}\n=======\n{wrong} 又\n>>>>>>> REPLACE"

        assert ("refused", "no_match") == outcome(stale, case, "search_replace")
        assert ("refused", "no_match") == outcome(f"{as_blocks(case)}\n{stale}", case, "search_replace")


@pytest.mark.parametrize("name", SCRIPTS)
def test_an_id_that_is_off_by_one_is_refused_by_its_check(name: str) -> None:
    for seed in SEEDS:
        case = make_case(name, seed)
        change = case.changes[0]
        own = case.script.segment(change.number)
        other = case.script.segments[change.number % len(case.script.segments)]
        if own.check == other.check:
            continue
        for write in (as_json, as_text_form):
            raw = write(case).replace(own.id, f"S{other.number}:{own.check}")

            assert ("refused", "no_match") == outcome(raw, case, "operations")


@pytest.mark.parametrize("writer", ["JSON", "@@", "blocks"])
@pytest.mark.parametrize("name", SCRIPTS)
def test_edits_that_are_cut_anywhere_give_nothing(name: str, writer: str) -> None:
    syntax, write = WRITERS[writer]
    made = make_case(name, 2)
    case = Case(made.script, made.changes[:1], made.gold, made.rng)
    raw = write(case)
    for end in case.rng.sample(range(1, len(raw) - 1), min(25, len(raw) - 2)):
        result = outcome(raw[:end], case, syntax)

        assert isinstance(result, tuple), raw[:end]


@pytest.mark.parametrize("writer", ["JSON", "@@", "blocks"])
@pytest.mark.parametrize("name", SCRIPTS)
def test_the_same_edit_twice_is_a_conflict(name: str, writer: str) -> None:
    syntax, write = WRITERS[writer]
    for seed in SEEDS:
        case = make_case(name, seed)
        changes = tuple(change for change in case.changes if change.kind != "insert")
        if not changes:
            continue
        twice = Case(case.script, (*changes, changes[0]), case.gold, case.rng)

        assert ("refused", "conflict") == outcome(write(twice), twice, syntax)
