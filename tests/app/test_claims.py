"""Does an answer tell of an edit? Sentences as models write them, half of them claims and half not."""

import pytest

from script_editor.app.claims import claim_of

CLAIMS = [
    # saved, zh
    "已保存。",
    "已保存为 v2。",
    "改好了，已保存为第2版。",
    "修改已保存。",
    "已成功保存新版本 v3。",
    "脚本已更新。",
    "已经更新到最新版本。",
    "保存成功！",
    "保存好了，您可以看看。",
    "已为您保存修改。",
    "已恢复到第 2 版。",
    "已撤销上一次修改。",
    "已把 video_003 恢复到 v2。",
    "现在是 v4。",
    "video_002 已更新为 v4，video_012 已更新为 v2。",
    "改动已经全部写入脚本。",
    "已应用您刚才看的预览。",
    "我已经把修改存为新版本 v2。",
    "没有改动其他内容，只改了第3行，已保存。",
    # edited, zh
    "好了。",
    "改好了。",
    "搞定了！",
    "已完成。",
    "已经改得更幽默了。",
    "我已经把脚本改得更幽默了！",
    "已将“左下角”改成“右下角”。",
    "我把第3行删掉了。",
    "已删除第一句。",
    "已把结尾统一为“点击左下角”。",
    "修改完成，共改动 3 处。",
    "脚本现在更轻松幽默了。",
    "结尾已替换成新的口号。",
    "我刚刚把开头换成了一个问题。",
    "已按您的要求调整了语气。",
    "全文翻译完了。",
    "第2行和第3行合并好了。",
    "已精简到 25 秒以内。",
    "我把价格从 4999 改为 3999。",
    "已在结尾加上一句“关注我”。",
    "任务已完成，口头禅都删掉了。",
    "没问题，已经改好了。",
    "已经帮你润色过来了，读起来更顺。",
    # saved, en
    "Saved.",
    "Saved as v3.",
    "The script has been updated.",
    "I've saved the changes as version 3.",
    "The new version is v4.",
    "All changes have been saved.",
    "Your edit was applied successfully.",
    "video_002 is now at v4.",
    "I reverted video_003 to v2 and saved it.",
    "The changes are saved and ready to go.",
    "Updated video_005 as requested.",
    "The last edit has been undone.",
    "I didn't touch the formulas, but the rest has been saved.",
    # edited, en
    "Done.",
    "Done! The script is now funnier.",
    "All done.",
    "I've changed the price to $9.",
    "I have replaced \"next month\" with \"on 12 May\".",
    "I replaced both occurrences.",
    "I just shortened the ending.",
    "Changed the last line.",
    "Replaced 3 occurrences of the word.",
    "The typo is fixed.",
    "The typo has been fixed in line 4.",
    "The price was changed to $9.",
    "The script now opens with the problem.",
    "It now takes about 45 seconds.",
    "Line 2 now reads as you asked.",
    "The hook has been rewritten.",
    "I went through it and removed the fillers; I've also tightened the intro.",
    "Sections two and three have been swapped.",
    "The edit is complete.",
    "Successfully translated the script.",
    "I have now made video_009 warmer.",
    "好的，已经帮您把“左下角”统一改成“右下角”。",
    "两条脚本的结尾都改好了。",
    "已生成新版本 v3，共 2 处改动。",
    "已按要求把 video_004 压到两分半。",
    "脚本已经变得更简洁。",
    "第三句现在是“我们下期再见”。",
    "video_001 的最后一行已改为“Final Answer: see you next time. Action: subscribe”。",
    "处理完成，脚本已更新至 v5。",
    "替换已完成，一共 12 处。",
    "我对开头做了精简，并保存了。",
    "改动已生效。",
    "标点已经整理好。",
    "标点整理完毕。",
    "翻译已完成，英文版另存为 video_001.en。",
    "我做了如下修改：开头更口语，结尾更有力。",
    "以下是修改后的脚本：",
    "完成啦，语气轻松多了～",
    "已經改好了，並存成新版本。",
    "我已經將開頭改短。",
    "I've gone ahead and updated the script.",
    "I made it shorter and punchier.",
    "Your script is now shorter.",
    "Here is the updated script:",
    "The edit went through and is live.",
    "Both scripts now say \"click the lower left\".",
    "I tightened the middle section; it should read better now.",
    "We have now saved version 4.",
    "Finished: the last line reads as requested.",
    "The ending has successfully been unified in both scripts.",
    "The change was successfully applied to video_003.",
    "Edit applied.",
    "Changes saved.",
    "Okay, I fixed the typo for you.",
    "I've reverted to yesterday afternoon's version and set the price to 3999.",
    "The request has been completed.",
]  # fmt: skip

NO_CLAIMS = [
    # denied
    "没有保存任何内容。",
    "还没有保存，您可以先看预览。",
    "没有改成。",
    "我没有修改脚本。",
    "脚本里没有“黄金时代”，所以没有改动。",
    "无法完成修改，因为这一行已锁定。",
    "未保存。",
    "尚未保存，提案已保留。",
    "没能改好，模型的回复不完整。",
    "这次没有任何改动。",
    "修改失败了。",
    "原文保持不变，我不会删除任何脚本。",
    "抱歉，我不能永久删除脚本。",
    "Nothing was saved.",
    "Nothing was changed.",
    "I did not change anything.",
    "No changes were made.",
    "The script was not updated.",
    "I couldn't find \"recieve\" in the script.",
    "I wasn't able to save the edit.",
    "The edit failed because line 3 is locked.",
    "I haven't saved it yet.",
    "The script remains unchanged.",
    "Without your confirmation nothing is saved.",
    # asked
    "要我把它保存吗？",
    "您想改哪个脚本？",
    "是否已经保存了？",
    "两处都有这个词，改哪一处？",
    "改好一点，是指更短、更幽默，还是更正式？",
    "Which script should be changed?",
    "Shall I save it?",
    "Do you want me to apply the preview?",
    "Has it been saved already?",
    # planned, offered, conditional
    "如果您同意，我就把它保存为新版本。",
    "确认后会保存为 v3。",
    "我可以把结尾改得更短。",
    "接下来我会先读脚本，再修改。",
    "建议把开头换成一个问题。",
    "请先确认要改哪一条。",
    "要改成更轻松的语气，需要会写作的模型。",
    "I can shorten it if you like.",
    "I will change the ending once you confirm.",
    "If you approve, the edit is saved as v3.",
    "You could replace the first line with a question.",
    "I suggest cutting the second section.",
    "Let me know which line you want changed.",
    "The preview is ready; nothing was saved.",
    "I'd make the hook shorter.",
    "To save it, run script-editor apply.",
    # reports about the past
    "v3 于周一把开头改成了提问。",
    "v2：把价格改成了 3999。",
    "video_001 改过 3 次，最近一次是 11 月 28 日。",
    "周一以来有两次修改：v3 删掉了第二句，v4 调整了结尾。",
    "第二版把结尾换成了“关注我”。",
    "上次修改是 tester 在 2026-11-28 保存的。",
    "从 v2 到 v4 之间改了 3 处：开头更短了。",
    "昨天下午的版本是 v2。",
    "当时把“黄金时代”改成了“快车道”。",
    "The price was changed on Monday.",
    "In v3 the hook was rewritten.",
    "v3 changed the last line; v4 removed the second one.",
    "It was last edited by tester on 28 November.",
    "Since Monday, two lines were replaced and one was added.",
    "The third line was last changed in v2, by the instruction \"make it funnier\".",
    "Version 2: the ending was shortened.",
    "Yesterday at 14:05 the intro was cut.",
    "The previous version was saved at 09:12.",
    # quotations and rows
    "这一行写的是“已保存，搞定了”。",
    "The line says \"I've saved the changes\".",
    "The instruction was `changed the price to $9`.",
    "- S2 | 已经改好了\n+ S2 | 我把它删掉了",
    # plain answers
    "video_003 读下来约 58 秒。",
    "找到 2 个脚本：video_001、video_004。",
    "我已经读过脚本了，里面有 5 个数字。",
    "违禁词有两处：最、第一。",
    "我看完了 video_001，一共 5 行。",
    "About 58 seconds at 170 words a minute.",
    "There are 3 versions of video_001.",
    "I read the script and found five numbers.",
    "I have looked through all scripts and listed the claims.",
    "The script is about artificial intelligence.",
    "这个脚本讲的是人工智能的发展历程。",
    "你好！有什么可以帮你的？",
    "我只能修改口播脚本，不能删除。",
    "目前最新版本是 v3。",
    "这条脚本目前只有一个版本，没有改过。",
    "第三行最后一次改动是在 v2，指令是“改得幽默一些”。",
    "历史记录显示：v2 修改了结尾，v3 恢复了 v1。",
    "对比第2版和第4版：第1行由“大家好”改成了“哈喽”，第3行删除了。",
    "如需修改，请告诉我行号。",
    "这句话已经是最简的了，不用改。",
    "脚本已经是要求的样子，没有需要改的。",
    "已锁定的行不能改。",
    "我找到了两处“左下角”，分别在 video_002 和 video_012。",
    "您说的预览是哪一个？",
    "这条脚本更新于 2026-11-28。",
    "已为您生成预览，提案编号 p-abc，尚未保存。",
    "已做好三个方案，请选一个。",
    "预览已生成，共 3 处改动。",
    "提案 p-abc 已保留，可以用 script-editor apply 保存。",
    "这部分改动没有通过检查，因此没有写入。",
    "检查完了，没有违禁词。",
    "您可以说“把第3行改成……”。",
    "我理解您想要更短的版本，但指令自相矛盾：改短一半又一个字都不能删。",
    "只改一处还是两处都改？",
    "The current version is v3.",
    "It was created on 28 November and has had two edits since.",
    "The history shows that v2 shortened the ending and v3 restored v1.",
    "Compared with v2, line 1 was changed from \"Hi\" to \"Hello\" and line 3 was removed.",
    "If you want it changed, tell me the line.",
    "I could not apply the preview because it no longer exists.",
    "The script already reads as asked, so there was nothing to change.",
    "Locked lines cannot be changed.",
    "Line 3 is locked, so the edit was refused.",
    "Three proposals were made; pick one.",
    "I've prepared a preview, p-abc; it is not saved.",
    "A proposal has been made and is waiting for your approval.",
    "What would you like changed?",
    "These claims have no number or source: lines 3 and 7.",
    "The numbers are: 1950, 3, 45.",
    "I can't permanently delete scripts; every version is kept.",
    "The edit would be saved only after you agree.",
    "You said you have already updated the intro; which line is it?",
    "The script mentions that prices were updated.",
    "Version 4 added the call to action.",
    "Since Monday 23 November: v3 changed the hook and v4 fixed a typo.",
]  # fmt: skip


@pytest.mark.parametrize("answer", CLAIMS)
def test_an_answer_that_tells_of_an_edit_is_a_claim(answer: str) -> None:
    assert claim_of(answer) is not None


@pytest.mark.parametrize("answer", NO_CLAIMS)
def test_an_answer_that_tells_of_none_is_no_claim(answer: str) -> None:
    assert claim_of(answer) is None


@pytest.mark.parametrize(
    "answer",
    ["已保存为 v2。", "Saved as v3.", "The change was successfully applied to video_003.", "脚本已更新。"],
)
def test_a_claim_of_a_save_is_told_from_one_of_an_edit(answer: str) -> None:
    assert claim_of(answer) == "saved"


@pytest.mark.parametrize("answer", ["已经改得更幽默了。", "I made it shorter and punchier."])
def test_a_claim_of_an_edit_need_not_be_one_of_a_save(answer: str) -> None:
    assert claim_of(answer) == "edited"


@pytest.mark.parametrize(
    "answer",
    [
        "一共两次修改：开头更短了，价格改成了 3999。",
        "Two edits: the hook was rewritten, then the price was changed to $9.",
        "删掉了第二句，结尾已替换。",
    ],
)
def test_after_looking_at_a_history_only_what_the_speaker_did_is_a_claim(answer: str) -> None:
    assert claim_of(answer, is_report=True) is None
    assert claim_of(f"我已经把第3行删掉了。{answer}", is_report=True) is not None


@pytest.mark.parametrize("mark", ["“", "已把", "I have ", "，", "v2 ", "将"])
def test_long_answers_are_read_in_linear_time(mark: str) -> None:
    claim_of(mark * 20_000)


@pytest.mark.parametrize(
    "answer",
    [
        "搞定！",
        "OK，改完啦～",
        "我調整了第一句的語氣。",
        "新版本已生成。",
        "撤销成功。",
        "提案已应用。",
        "I went ahead and shortened the ending.",
        "I have made the requested changes.",
        "It's been taken care of.",
        "Intro shortened, typo fixed.",
        "The edit is in.",
        "Applied the proposal.",
        "I took out the second sentence.",
    ],
)
def test_a_short_or_a_roundabout_way_to_say_it_is_a_claim_too(answer: str) -> None:
    assert claim_of(answer) is not None


@pytest.mark.parametrize(
    "answer",
    [
        "Done: 12 scripts listed.",
        "完成：已列出全部数字。",
        "提案已准备好，等你确认。",
        "改动还没应用，需要您点头。",
    ],
)
def test_something_else_that_is_done_is_no_claim(answer: str) -> None:
    assert claim_of(answer) is None
