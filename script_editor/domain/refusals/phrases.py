"""What each reason for refusing an edit is called, in Chinese and English, and what mends it.

Words only; `refusals` puts them together with the facts of one refusal. Every reason of
`errors.REASONS` has a row.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from script_editor.errors import Language

Turn = Literal["retry", "tell", "finish"]
"""What an agent does after a refused call: call again, tell the person, or finish because nothing is left to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """One reason in one language.

    `what` is the fault without a full stop, `next` what a person can do, `mend` what the model that
    wrote the operations has to do otherwise.
    """

    what: str
    next: str
    mend: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One reason. `command` helps a person further; {id} in it is the script's."""

    en: Phrase
    zh: Phrase
    command: str = ""
    turn: Turn = "retry"
    is_technical: bool = False
    """The detail of the raise site speaks of operations, which the person has never seen."""

    def phrase(self, language: Language) -> Phrase:
        """Return the row in one language."""
        return self.zh if language == "zh" else self.en


_SHOW = "script-editor show {id} --lines"

ROWS: Mapping[str, Row] = {
    "ambiguous_match": Row(
        en=Phrase(
            what="The text to change stands in more than one place",
            next="Name the line, or say that all of them are meant.",
            mend="Give that operation the id of the line meant, or 'all' where every place is meant.",
        ),
        zh=Phrase(
            what="要改的文字不止一处，分不清是哪一处",
            next="请写明是哪一行，或者说明全部都改。",
            mend="给那个操作写上要改的那一行的编号；处处都要改，就加上 all。",
        ),
        command=_SHOW,
    ),
    "commentary": Row(
        en=Phrase(
            what="The model wrote remarks or alternatives instead of one finished text",
            next="Ask for one finished text, or choose another model with --model.",
            mend="Write spoken text only: one version, no remarks, no headings of your own.",
        ),
        zh=Phrase(
            what="模型写的是说明或几种备选，不是一份定稿",
            next="请只要一份定稿，或者用 --model 换一个模型。",
            mend="只写口播文字：一种写法，不加说明，不加自己的标题。",
        ),
    ),
    "conflict": Row(
        en=Phrase(
            what="Two changes want the same line",
            next="Ask for one change of that line at a time.",
            mend="Give one operation for each line; put what both want into one replace.",
        ),
        zh=Phrase(
            what="有两处修改要改同一行",
            next="同一行请一次只提一种改法。",
            mend="每一行只给一个操作；两处都要改的，合成一个 replace。",
        ),
        is_technical=True,
    ),
    "content_filter": Row(
        en=Phrase(
            what="The model service's content filter stopped the reply",
            next="Put the request in other words, or choose another model with --model.",
            mend="Write the changed lines in other words.",
        ),
        zh=Phrase(
            what="模型服务的内容过滤拦下了回复",
            next="请换个说法，或者用 --model 换一个模型。",
            mend="要改的行请换个写法。",
        ),
        turn="tell",
    ),
    "content_lost": Row(
        en=Phrase(
            what="Text would be lost that nobody asked to remove",
            next="Say what may go, or name the words that must stay with --keep.",
            mend="Put the missing text back; use delete only for lines that were asked to go.",
        ),
        zh=Phrase(
            what="有内容会丢失，而指令没有要求删掉",
            next="请写明哪些可以删，或者用 --keep 写出必须留下的词。",
            mend="把少掉的文字补回来；只有要求删的行才用 delete。",
        ),
    ),
    "duplicated": Row(
        en=Phrase(
            what="A passage would stand in the script twice",
            next="Ask for less at a time, or choose another model with --model.",
            mend="Write that passage once.",
        ),
        zh=Phrase(
            what="有一段文字会重复出现",
            next="请分成几次来改，或者用 --model 换一个模型。",
            mend="那一段只写一遍。",
        ),
    ),
    "elision": Row(
        en=Phrase(
            what="The model wrote a placeholder for text that it left out",
            next="Ask for fewer lines at a time, or choose another model with --model.",
            mend="Write the full text of each changed line, and leave unchanged lines out of your answer.",
        ),
        zh=Phrase(
            what="模型用“其余不变”之类的话代替了原文",
            next="请一次少改几行，或者用 --model 换一个模型。",
            mend="要改的行写出完整的新内容；不改的行不要出现在操作里。",
        ),
    ),
    "empty": Row(
        en=Phrase(
            what="The edit would leave nothing, or the reply is empty",
            next="Name the lines to change or delete, or choose another model with --model.",
            mend="Write the new text under each operation; use delete to remove a line, never all of them.",
        ),
        zh=Phrase(
            what="改完什么都不剩，或者模型的回复是空的",
            next="请写明要改或要删的行，或者用 --model 换一个模型。",
            mend="每个操作下面写上新的内容；删一行用 delete，不能全部删光。",
        ),
    ),
    "empty_search": Row(
        en=Phrase(
            what="It is not said which text to look for",
            next="Put the words to change in quotation marks.",
            mend="Copy the words to look for from the line, or replace the whole line by its id.",
        ),
        zh=Phrase(
            what="没有写要找哪段文字",
            next="请把要改的原文放在引号里。",
            mend="照抄那一行里要找的原文，或者按编号用 replace 改整行。",
        ),
    ),
    "facts_changed": Row(
        en=Phrase(
            what="A figure, price, code, name or address would change that nobody asked to change",
            next="If it should change, say so in the request; if not, name it with --keep.",
            mend="Keep every figure, price, code, name and address of those lines as it was.",
        ),
        zh=Phrase(
            what="有数字、价格、编号、名称或网址会变，而指令没有要求改",
            next="要改就在指令里写明；不要改就用 --keep 写出来。",
            mend="这些行里的数字、价格、编号、名称和网址一律照原样保留。",
        ),
    ),
    "language_changed": Row(
        en=Phrase(
            what="The text would change its language, or its Chinese characters from one form to the other",
            next="If that is meant, ask for it in so many words; if not, choose another model with --model.",
            mend="Write each line in the language and the form of characters it had.",
        ),
        zh=Phrase(
            what="文字会换成另一种语言，或者简体和繁体会互换",
            next="如果就是要这样，请在指令里写明；否则用 --model 换一个模型。",
            mend="每一行保持原来的语言，简体还是简体，繁体还是繁体。",
        ),
    ),
    "locked_changed": Row(
        en=Phrase(
            what="Locked text would change",
            next="Ask for an edit without it, or unlock it first.",
            mend="Leave the locked text exactly as it is and where it is.",
        ),
        zh=Phrase(
            what="会改动锁定的文字",
            next="请避开锁定的文字，或者先解锁。",
            mend="锁定的文字一个字都不要动，也不要挪动。",
        ),
        command="script-editor unlock {id} …",
        turn="tell",
    ),
    "malformed": Row(
        en=Phrase(
            what="The model's reply cannot be read as edits",
            next="Try again, ask for less at a time, or choose another model with --model.",
            mend="Answer with operations only, in the form that was asked for.",
        ),
        zh=Phrase(
            what="模型的回复格式不对，读不成修改操作",
            next="请再试一次，分成几次来改，或者用 --model 换一个模型。",
            mend="只输出操作，并且照要求的格式写。",
        ),
        is_technical=True,
    ),
    "markdown_added": Row(
        en=Phrase(
            what="Markdown marks would get into the spoken text",
            next="If they are meant, ask for them in so many words; if not, choose another model with --model.",
            mend="Write plain text: no asterisks, headings, bullets or links.",
        ),
        zh=Phrase(
            what="口播文字里会多出 Markdown 标记",
            next="如果就是要标记，请在指令里写明；否则用 --model 换一个模型。",
            mend="只写纯文字：不加星号、标题、列表符号和链接。",
        ),
    ),
    "no_match": Row(
        en=Phrase(
            what="What was to be changed is not in the script",
            next="Quote the words exactly as they stand, or name the line.",
            mend="Copy ids and words exactly as they stand in the script that you were given.",
        ),
        zh=Phrase(
            what="脚本里没有要改的文字或那一行",
            next="请照原文写要改的字并放在引号里，或者写行号。",
            mend="编号和原文要一字不差地照抄给出的脚本。",
        ),
        command=_SHOW,
    ),
    "off_target": Row(
        en=Phrase(
            what="Lines would change that were not to be touched",
            next="If they should change too, name them in the request, and in --only where it is given.",
            mend="Leave those lines out of your operations.",
        ),
        zh=Phrase(
            what="会改到不该动的行",
            next="如果这些行也要改，请在指令里写明；用了 --only 的，也写进 --only。",
            mend="操作里不要出现这些行。",
        ),
    ),
    "placeholder_lost": Row(
        en=Phrase(
            what="A placeholder such as {{name}} would be lost or changed",
            next="Say that it may go, or name it with --keep.",
            mend="Copy every placeholder exactly, braces included.",
        ),
        zh=Phrase(
            what="有占位符（如 {{名字}}）会丢失或改变",
            next="如果可以去掉，请在指令里写明；要留下就用 --keep 写出来。",
            mend="占位符连同括号一起照抄。",
        ),
    ),
    "reasoning_leak": Row(
        en=Phrase(
            what="The model's thinking got into its reply",
            next="Try again, or choose another model with --model.",
            mend="Send the operations only, without thinking and without its tags.",
        ),
        zh=Phrase(
            what="模型的思考过程混进了回复",
            next="请再试一次，或者用 --model 换一个模型。",
            mend="只输出操作，不要输出思考过程和它的标签。",
        ),
    ),
    "refusal": Row(
        en=Phrase(
            what="The model refused to do this",
            next="Put the request in other words, or choose another model with --model.",
            mend="Write script text only; an apology is not one.",
        ),
        zh=Phrase(
            what="模型拒绝了这个要求",
            next="请换个说法，或者用 --model 换一个模型。",
            mend="只写脚本文字，不要道歉。",
        ),
        turn="tell",
    ),
    "stale": Row(
        en=Phrase(
            what="The script got a newer version meanwhile",
            next="Look at the newest version and repeat the edit.",
            mend="Use the version and the ids that you were given last.",
        ),
        zh=Phrase(
            what="修改期间脚本有了新版本",
            next="请看过最新版本后再提一次。",
            mend="请用最后给出的版本号和编号。",
        ),
        command=_SHOW,
    ),
    "structure_lost": Row(
        en=Phrase(
            what="Speaker labels, time codes, cue numbers or stage marks would be lost or moved",
            next="If they should change, say so in the request; if not, choose another model with --model.",
            mend="Keep every label, time code, number and mark exactly, each in its place.",
        ),
        zh=Phrase(
            what="说话人、时间码、字幕序号或提示标记会丢失或变动",
            next="如果要改，请在指令里写明；否则用 --model 换一个模型。",
            mend="说话人、时间码、序号和标记都照抄，留在原来的位置。",
        ),
    ),
    "too_different": Row(
        en=Phrase(
            what="The result is too far from the script",
            next="Ask for fewer lines at a time, or say how long it should be, as in --target 30s.",
            mend="Change only what was asked for, and stay near the script's length and words.",
        ),
        zh=Phrase(
            what="结果和原文差得太远",
            next="请一次少改几行，或者写明要多长，例如 --target 30s。",
            mend="只改要求改的地方，长度和用词不要离原文太远。",
        ),
    ),
    "truncated": Row(
        en=Phrase(
            what="The model's reply was cut off",
            next="Ask for fewer changes at a time, or choose another model with --model.",
            mend="Be brief: only the operations that are needed, to the very end.",
        ),
        zh=Phrase(
            what="模型的回复没有写完就断了",
            next="请分成几次来改，或者用 --model 换一个模型。",
            mend="只写必要的操作，并且写到最后。",
        ),
    ),
    "target_missed": Row(
        en=Phrase(
            what="The result does not have the spoken time that was asked for",
            next="Save it as it is, or ask again for less or more.",
            mend="Change as much text as the measured difference asks for.",
        ),
        zh=Phrase(
            what="改后的时长没有达到要求",
            next="可以照这样保存，也可以再提一次要求，删减或增补一些。",
            mend="按测得的差距再删减或增补相应的文字。",
        ),
        turn="tell",
    ),
    "unchanged": Row(
        en=Phrase(
            what="The script already reads as asked",
            next="If something should change, name the line and the new words.",
            mend="If something should change, write the new text of that line.",
        ),
        zh=Phrase(
            what="脚本已经是要求的样子",
            next="如果还有要改的，请写明行号和新的文字。",
            mend="如果有要改的行，请写出那一行新的内容。",
        ),
        command=_SHOW,
        turn="finish",
    ),
    "wrong_target": Row(
        en=Phrase(
            what="The edit was meant for another script",
            next="Edit one script at a time, and name it: script-editor edit ID …",
            mend="Edit only the script that you were given, under its own id.",
        ),
        zh=Phrase(
            what="这次修改针对的是另一个脚本",
            next="请一次只改一个脚本，并写明是哪个：script-editor edit ID …",
            mend="只改给出的那个脚本，编号照抄。",
        ),
    ),
}
