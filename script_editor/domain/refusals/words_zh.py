"""Single words of the notes in Chinese: marks, languages, signs of Markdown, kinds of locks, times."""

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    # marks of structure
    "placeholder": "占位符", "time code": "时间码", "cue number": "字幕序号", "cue": "提示标记",
    "heading": "标题", "speaker label": "说话人", "marker": "标记行",
    # languages and kinds of characters
    "Chinese": "中文", "Japanese": "日文", "Korean": "韩文", "Cyrillic": "西里尔字母的文字", "Greek": "希腊文",
    "Arabic": "阿拉伯文", "Hebrew": "希伯来文", "Devanagari": "天城文", "Thai": "泰文",
    "English (Latin letters)": "英文（拉丁字母）", "Latin": "英文（拉丁字母）",
    "simplified": "简体字", "traditional": "繁体字",
    # signs of Markdown
    "a heading": "标题", "emphasis": "强调", "a list": "列表", "a numbered list": "编号列表", "a table": "表格",
    "code marks": "代码", "a quotation mark of Markdown": "引用", "a rule": "分隔线", "a link": "链接", "HTML": "HTML",
    # what is locked
    "line": "行", "words": "词语", "speaker": "说话人",
    # bounds of a time, and what it is compared with
    "at most": "不超过", "at least": "不少于", "shorter": "缩短", "longer": "加长", "+": "多", "-": "少",
    # steps in the history
    "undo": "撤销", "redo": "重做",
    # what a lock suffers
    "changes": "会被改动", "removes": "会被删去", "removes or moves": "会被删去或挪动",
}  # fmt: skip
