"""The label at the start of a line: who speaks it, or that it is for the crew and nobody does.

Read off the line alone. "小颜：你好" has a label; "重点：先放盐" and "Remember: salt first" are said as they
stand. A wrong guess costs a few syllables and nothing else.
"""

import re
from itertools import takewhile


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ASIDE = r"(?:\s*[(（\[][^()（）\[\]]*[)）\]])?"
_LABEL = (
    r"[*_]{0,3}(?P<name>[A-Za-z][\w.'’&/-]{0,19}(?: [\w.'’&/-]{1,16}){0,2}"
    r"|(?P<zh>[^\x00-\x7f\s：（［]{1,8})[A-Za-z0-9]{0,3})"
    rf"[*_]{{0,3}}{_ASIDE}[*_]{{0,3}}[ \t]*(?:：|:(?=[*_\s]|[^\x00-\x7f]|$))[*_]{{0,3}}{_ASIDE}[ \t]*"
)
"""A label. What stands for Chinese characters is looked at when it is found: to compile their range takes long."""
_BRACKETED = r"[【\[［](?P<name>[^\[\]【】［］]{1,30})[】\]］]"

_SPEAKERS = _set("""
    主持人 主播 嘉宾 旁白 口播 口播文案 画外音 解说 解说词 配音 台词 文案 讲师 记者 采访者 受访者 观众 男声 女声 主持
    问 答 甲 乙 丙 丁 合 男 女 嘉賓 畫外音 解說 臺詞 講師 記者 觀眾 問 host guest narrator narration voiceover
    voice-over voice vo v.o. interviewer interviewee speaker presenter anchor reporter announcer audio dialogue
    moderator audience man woman all both q a
""")
_STAGE = _set("""
    画面 镜头 镜号 景别 音效 音乐 配乐 bgm 字幕 花字 转场 特效 动画 道具 场景 备注 时长 标题 封面 空镜 机位 素材 贴纸 分镜
    注 插图 特写 畫面 鏡頭 音樂 配樂 轉場 特寫 場景 備註 時長 標題 sfx fx vfx gfx music visual visuals
    video shot on-screen onscreen super b-roll broll scene title graphic graphics overlay caption
    duration props transition
""")
"""Labels of lines for the crew."""
_SEEN = _set("""
    画面 镜头 镜号 字幕 花字 空镜 备注 场景 道具 分镜 畫面 鏡頭 備註 場景 visual visuals video
""")
"""Labels that describe what follows even in brackets: after 【音乐】 somebody may speak, after 【画面】 nobody does."""
_STAGE_PHRASE = r"(?:on screen|text on screen|lower third|cut to|sound effects?|screen text|b roll)\b"

_SAID_ZH = "的了是说說道问問想看听聽写寫有就在对對给給成為为着把被要会會能不这這那你我他她它们們么麼什哪吗嗎呢吧啊各第"
"""Characters that a name does not have, and an opening such as 意思是： or 大家的问题： does."""
_OPENINGS_ZH = _set("""
    记住 记得 注意 重点 结论 原因 问题 答案 比如 例如 譬如 总之 首先 其次 再次 最后 最终 总结 提醒 关键 优点 缺点 好处
    坏处 区别 方法 材料 配料 做法 步骤 结果 价格 理由 提示 温馨提示 警告 另外 还有 此外 特点 亮点 效果 原理 规则 公式
    前提 代价 同学 朋友 諸位 記住 記得 重點 結論 總之 最後 總結 關鍵 優點 缺點 好處 壞處 區別 步驟 結果 價格 另外 還有
""")
_OPENINGS_EN = _set("""
    remember note tip tips warning step steps question answer first second third finally next now so why how what
    when where plus bonus result results example fact rule lesson reason problem solution spoiler disclaimer update
    ingredients today also but and or here this that these those there yes no one two three part chapter section
    day week option reminder conclusion key point hint caution important look listen imagine picture think guess
    translation meaning in the a my our your it for if then because ps verdict price
""")
"""Words that open a sentence with a colon and are said."""


def after_label(line: str) -> str | None:
    """Return the rest of `line` behind its speaker's label, all of it when there is none.

    None when the label says that the line is for the crew ("画面：", "SFX:").
    """
    # Two looks that cost nothing, because most lines have no label.
    bracketed = re.match(_BRACKETED, line) if line.startswith(("【", "[", "［")) else None
    if bracketed:
        return None if _words(bracketed["name"]) in _SEEN else line
    found = re.match(_LABEL, line) if ":" in line or "：" in line else None
    if found is None or not all(char == "·" or _is_han(char) for char in found["zh"] or ""):
        return line
    if is_stage(found["name"]):
        return None
    return line[found.end() :] if _is_speaker(found["name"]) else line


def is_stage(note: str) -> bool:
    """Say whether a label or a note begins with what is seen or heard but not spoken: `SFX: boom`, 镜头2."""
    note = note.strip().lower()
    latin = re.match(r"[a-z-]+", note)
    if latin is None:
        return "".join(takewhile(_is_han, note)) in _STAGE
    return latin[0] in _STAGE or re.match(_STAGE_PHRASE, note) is not None


def _is_speaker(name: str) -> bool:
    words = _words(name)
    if words in _SPEAKERS or (words and words.split()[0] in _SPEAKERS):
        return True
    if name[0].isascii():
        first = words.split()[0] if words else name.lower()
        is_name = all(part[0].isupper() or part[0].isdigit() for part in name.split())
        is_sentence = re.search(r"[a-z]{3}\. ", name)  # Stop. Go: left
        return is_name and not is_sentence and first not in _OPENINGS_EN
    return len(words) <= 4 and words not in _OPENINGS_ZH and not any(char in _SAID_ZH for char in words)


def _words(name: str) -> str:
    """Return a label in small letters without its number: `Speaker 2` is speaker, 嘉宾A is 嘉宾."""
    name = name.strip()
    if re.search(r"[^\W\d_][A-Za-z]$", name) and _is_han(name[-2]):
        name = name[:-1]
    else:
        name = re.sub(r"(?<=[^\W\d_])\s*\d+$", "", name)
    return name.strip().lower()


def _is_han(char: str) -> bool:
    return "\u3400" <= char <= "\u9fff"
