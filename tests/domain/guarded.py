"""Scripts of many kinds that the tests of the guards edit."""

from pathlib import Path

_SEEDS = Path(__file__).parents[2] / "seeds"


def changed(text: str, *pairs: tuple[str, str]) -> str:
    """Return `text` with each first of a pair, which must be there, replaced by the second."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def _seed(name: str) -> str:
    return (_SEEDS / name / "v1.txt").read_text(encoding="utf-8")


KITCHEN = (
    "大家好，我是小棠，欢迎回到厨房十分钟。\n"
    "今天我们做一碗番茄鸡蛋面。\n"
    "先把两个番茄切成小块，锅里放一勺油。\n"
    "番茄炒出红汁之后，加一碗半的热水。\n"
    "水开下面，三分钟就好。\n"
    "喜欢的话点个关注，我们明天见。\n"
)
NIGHT_RUNS = (
    "欢迎收看城市夜跑指南。\n"
    "第一站，滨江步道，全长六公里，路灯很亮。\n"
    "第二站，老铁路公园，周五晚上人比较多。\n"
    "跑步之前记得热身五分钟。\n"
    "今天就到这里，下期见。\n"
)
PLANT = (
    "Hey everyone, welcome back to Desk Garden.\n"
    "Today we are repotting a snake plant.\n"
    "You need a pot that is two inches wider than the old one.\n"
    "Fill the bottom third with fresh soil.\n"
    "Water it once, then leave it alone for ten days.\n"
    "Subscribe if you want part two, and see you next week.\n"
)
MAPS = (
    "Welcome to Ten Minute Maps.\n"
    "In this episode we look at why rivers bend.\n"
    "A straight river is never straight for long.\n"
    "The outer bank is eaten away, and the inner bank fills up.\n"
    "Give it a thousand years and you get a loop.\n"
    "Thanks for watching.\n"
)
TECH_TALK = (
    "主持人：欢迎来到今晚的科技夜话。\n"
    "嘉宾：谢谢邀请，我带来了一台旧相机。\n"
    "主持人：它还能拍照吗？\n"
    "嘉宾：能，不过快门有点慢。\n"
    "主持人：那我们现在就试一张。\n"
)
REPAIR_BENCH = (
    "HOST: Good evening and welcome to the repair bench.\n"
    "GUEST: Thanks for having me, I brought a broken radio.\n"
    "HOST: Does it still turn on?\n"
    "GUEST: It hums, but there is no sound.\n"
    "HOST: Then let's open it up.\n"
)
FRIDGE = (
    "[00:00] 你有没有想过，冰箱为什么是白色的？\n"
    "[00:08] 其实早期的冰箱外壳用的是搪瓷。\n"
    "[00:15] 白色看起来最干净。\n"
    "[00:22] 后来材料换了，颜色却留了下来。\n"
    "[00:30] 想看更多冷知识，记得关注。\n"
)
COIN_DROP = (
    "[00:00] What happens to a coin that falls from a tower?\n"
    "[00:07] The short answer is: not much.\n"
    "[00:13] Air slows it down within seconds.\n"
    "[00:20] It lands with a small click.\n"
    "[00:26] Follow for more tiny physics.\n"
)
SUBTITLES = (
    "1\n"
    "00:00:01,000 --> 00:00:03,000\n"
    "大家好。\n"
    "\n"
    "2\n"
    "00:00:03,200 --> 00:00:06,000\n"
    "今天我们去看海。\n"
    "\n"
    "3\n"
    "00:00:06,200 --> 00:00:08,000\n"
    "带上外套。\n"
)
LAMP = "这款灯售价249元，保修三年。\n客服电话在简介里，下单用口令 LIGHT24。\n它最亮的时候有八百流明。\n"
BOAT = "Our boat holds 12 people and sails at 9 am.\nTickets are 30 dollars.\nBring a hat.\n"
PHONE_REVIEW = (
    "大家好，我是老顾，今天聊聊北辰 X2 Pro。\n"
    "价格先说一下，12 加 256 的版本，4299 元，自己掏的钱。\n"
    "X2 Pro 重 198 克，单手刷半小时，手腕不酸。\n"
    "屏幕是一块 6.7 英寸的 OLED，最高 120Hz。\n"
    "电池是 5200mAh，早上八点拔充电器，晚上十一点到家，一般还剩 23% 左右。\n"
    "充电是 80W，从 1% 充到满，最快的一次 38 分钟。\n"
    "我们下期见。\n"
)
WELLS = (
    "Before sunrise, Nadi picks up the yellow can and starts walking.\n"
    "It's 4 kilometers to the river, and just as far back with the can full.\n"
    "So far, beneficiaries in 38 villages along the Tarro valley have a pump close to home.\n"
    "Altogether, 11,200 people now drink water that doesn't make them ill.\n"
    "For $30, less than a dinner out you'll have forgotten by Friday, you can pay for a filter.\n"
    "Go to waterbridge.org/give and give what you can.\n"
)
SPONSOR = "欢迎来到{{频道名}}。\n今天的赞助商是{{品牌}}，口令{{优惠码}}。\n我们开始吧。\n"
MONDAY = "Stay tuned, [BEAT] because this one hurts.\n[SFX: door slams]\nAnd that was Monday.\n"
LETTERS = (
    "　　各位听众晚上好，这里是书房来信。\n"
    "　　今晚读一本写海的小书。\n"
    "\n"
    "　　作者在灯塔上住了十一年，每天只记一行字。\n"
    "　　他说：“风大的日子，字会歪。”\n"
    "\n"
    "　　我们下周同一时间再见。\n"
)
DESK_TIPS = (
    "今天讲三件事。\n"
    "第一件，怎么选一把椅子。\n"
    "坐满三十分钟再决定，别只坐三秒。\n"
    "第二件，屏幕高度。\n"
    "屏幕上沿和眼睛齐平就好。\n"
    "第三件，多站起来走走。\n"
    "每小时两分钟，比周末一次跑步更管用。\n"
    "好，就讲到这里。\n"
)
TEA = (
    "今天教大家泡一壶好茶。\n"
    "第一步：用沸水烫一下茶壶。\n"
    "第二步：放五克茶叶。\n"
    "第三步：倒入九十度的水，等三十秒。\n"
    "注意：第一泡不要喝。\n"
    "老板说：“好茶不怕等。”\n"
)
RECIPE = "# 番茄鸡蛋面\n\n## 准备\n- 两个番茄\n- 三个鸡蛋\n\n## 步骤\n先炒番茄，再下面。\n"
TAINAN_SHORT = (
    "嗨，大家好，歡迎回到我的頻道，我是阿茉。\n"
    "今天這支影片，要帶大家在台南從早上吃到晚上。\n"
    "早上六點半，第一站，牛肉湯。\n"
    "一碗四十五塊，以這個品質來說，我覺得很可以。\n"
    "我們下次見，掰掰。\n"
)
NURSE = _seed("video_008")
SUNSCREEN = _seed("video_002")
PUMPS = _seed("video_009")
TAINAN_LONG = _seed("video_011")
SOURDOUGH = (
    "Q: What is sourdough?\n"
    "A: It is bread raised by wild yeast.\n"
    "Q: How long does it take?\n"
    "A: About 24 hours from start to finish.\n"
    "Q: Is it hard?\n"
    "A: Not if you are patient.\n"
)
TWO_LANGUAGES_TIMED = (
    "00:01 大家好，欢迎收看\n"
    "00:01 Hello everyone, welcome\n"
    "00:05 今天我们聊咖啡\n"
    "00:05 Today we talk about coffee\n"
    "00:09 先从豆子说起\n"
    "00:09 Let's start with the beans\n"
)
TWO_LANGUAGES = (
    "今天天气真好，我们去爬山。\n"
    "The weather is lovely, let's hike today.\n"
    "记得带两瓶水。\n"
    "Remember to bring two bottles of water.\n"
)
SCREENPLAY = (
    "INT. KITCHEN - NIGHT\n"
    "\n"
    "MAYA\n"
    "Did you lock the door?\n"
    "\n"
    "SAM\n"
    "(whispering)\n"
    "I thought you did.\n"
    "\n"
    "MAYA\n"
    "Then who is upstairs?\n"
)
SHOT_LIST = (
    "镜头,画面,台词\n"
    "1,桌面特写,大家好，今天教你三招收纳\n"
    "2,抽屉打开,第一招，竖着放\n"
    "3,衣柜全景,第二招，按颜色分\n"
)
MARKET = (
    "旁白：凌晨四点，菜市场已经亮了灯。\n"
    "（环境音：三轮车铃声）\n"
    "旁白：老李的摊位在第三排，卖了二十六年豆腐。\n"
    "老李：一块钱一块，二十年没涨过价。\n"
    "旁白：他说，涨价，街坊就不来了。\n"
)
QUADRATICS = (
    "同学们好，今天讲一元二次方程。\n"
    "公式是 x = (-b ± √(b²-4ac)) / 2a。\n"
    "判别式大于零，有两个不同的实数根。\n"
    "等于零，有两个相同的实数根。\n"
    "小于零，没有实数根。\n"
    "课后做第12页的3道题。\n"
)
BOSS_FIGHT = (
    "兄弟们，今天挑战《空洞》无伤通关。\n"
    "Boss 一共三个阶段，血量 1500。\n"
    "第二阶段会放AOE，记得提前跳。\n"
    "我死了47次才过，你呢？\n"
    "点赞过五千，下期挑战速通！\n"
)
NOTES_APP = (
    "Meet Lumen Notes, the note app that thinks with you.\n"
    "It syncs across 5 devices and works offline.\n"
    "Plans start at $9 a month, or $90 a year.\n"
    "Use code BRIGHT20 for 20% off until May 31.\n"
    "Download it at lumennotes.app.\n"
)
FLOOD_NEWS = (
    "本台消息，7月15日上午10时，全市防汛会议召开。\n"
    "会议要求，24小时值班，确保人员安全。\n"
    "目前已转移群众1.2万人，投入资金3500万元。\n"
    "咨询电话：010-12345678。\n"
)
LISBON = (
    "Day one: land in Lisbon, drop your bags, eat a pastel de nata.\n"
    "Day two: take tram 28 at 8:30 before the crowds.\n"
    "Day three: the beach at Cascais, 40 minutes by train, 2.30 euros.\n"
    "That's three days, under 300 euros.\n"
)
WORKOUT = (
    "Let's go, 20 jumping jacks.\n"
    "Now 15 squats, slow and steady.\n"
    "Rest for 30 seconds.\n"
    "Repeat three times.\n"
    "Great job today!\n"
)
DOWN_JACKET = (
    "这两天降温，很多朋友问我羽绒服怎么洗。\n"
    "其实一共就三步，十分钟搞定。\n"
    "第一，千万别机洗甩干。\n"
    "第二，用三十度温水，中性洗衣液泡五分钟。\n"
    "第三，平铺晾干，两三个小时翻一次面。\n"
    "一件衣服能多穿三五年，省下的钱够买两件新的。\n"
    "觉得有用就收藏，一万个人里有九千个都洗错了。\n"
)
PODCAST = (
    "Welcome back to Slow Mornings, episode 112.\n"
    "I'm Dee, and with me is Tom.\n"
    "Today we're asking a simple question: do you need a morning routine?\n"
    "I tried waking up at five for thirty days.\n"
    "Spoiler: I lasted four.\n"
    "Support us at slowmornings.fm/join.\n"
)
OLD_CAR = (
    "【开场】\n"
    "男：你这车开了几年了？\n"
    "女：八年，二十万公里，没大修过。\n"
    "男：保养花多少钱？\n"
    "女：一年两千出头。\n"
    "【结束】\n"
)
YOGA = (
    "Roll out your mat and sit tall.\n"
    "Breathe in for four, hold for four, breathe out for six.\n"
    "Move into child's pose and stay for one minute.\n"
    "Then downward dog, five breaths.\n"
    "Finish lying down, eyes closed.\n"
    "Namaste.\n"
)
EMPEROR = (
    "公元前221年，秦始皇统一六国。\n"
    "他修长城，统一文字，建了条驰道。\n"
    "公元前210年，他病死在出巡路上。\n"
    "四年后，秦朝灭亡，只存在了十五年。\n"
)
BALANCE = (
    "Your balance is $1,250.75.\n"
    "The transfer of $300 arrives within 2 business days.\n"
    "Call 1-800-555-0199 if you did not make it.\n"
    "Stay safe.\n"
)
LIVE_SALE = (
    "家人们晚上好！今天福利场，9块9包邮！\n"
    "库存只有500单，抢完下架。\n"
    "3号链接，拍2发3，尺码M到XXL。\n"
    "直播间抽奖，每10分钟一次。\n"
    "主播身高165，体重50公斤，穿的是M码。\n"
)
PHOTOSYNTHESIS = (
    "Chapter 3: Photosynthesis.\n"
    "Plants take in carbon dioxide and water.\n"
    "The formula is 6CO2 + 6H2O -> C6H12O6 + 6O2.\n"
    "Light drives it, and chlorophyll catches the light.\n"
    "Review questions are on page 45.\n"
)
WORKDAY = (
    "早上七点起床，给自己煮了杯咖啡。\n"
    "八点出门，地铁上人很多。\n"
    "九点到公司，开会开到十一点。\n"
    "中午吃了一碗牛肉粉，22块。\n"
    "下午剪视频，剪到六点半。\n"
    "晚上回家，撸猫，睡觉。\n"
)
MOON = (
    "NARRATOR: The year is 1969.\n"
    "NARRATOR: Three men sit on top of a rocket 110 meters tall.\n"
    "CONTROL: Ten, nine, ignition sequence start.\n"
    "NARRATOR: Eight days later, they come home.\n"
)
REX = "Rex is three years old and weighs 28 kilos.\nHe eats twice a day.\nOn Sundays we hike for two hours.\n"
SAVINGS = "年化利率3.85%，起存金额1万元。\n存满三年，利息大约1155元。\n活动截止到6月30日。\n详情拨打95588。\n"
COACH = (
    "主持人：今天请到健身教练阿杰。\n"
    "阿杰：大家好，我是阿杰。\n"
    "主持人：新手一周练几次？\n"
    "阿杰：三次就够，每次四十分钟。\n"
)
RAIN = "雨下了一整夜。\n窗台上的猫没有睡。\n我也没有。\n"
CHIP = (
    "The new chip has 16 cores and runs at 4.2 GHz.\n"
    "It draws 65 watts, down from 105.\n"
    "It ships in March for $329.\n"
    "Reviews go live at 9 am Eastern.\n"
)
HEIST = (
    "INTRO\n"
    "Tonight: the heist nobody solved.\n"
    "[MUSIC: low drone]\n"
    "On March 18, 1990, two men in police uniforms rang the bell.\n"
    "(pause)\n"
    "Thirteen works, gone in 81 minutes.\n"
    "OUTRO\n"
    "Tips go to tips@coldcase.tv.\n"
)
