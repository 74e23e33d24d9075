"""show, history, diff, revert, undo, redo, list, new, import, export, seeds: through the command line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import Command

SEED = "大家好，欢迎来到我的频道。\n今天我们要聊一聊人工智能的发展历程。\n人工智能从20世纪50年代开始发展，\n经历了几次寒冬和复兴。\n现在我们正处于AI的黄金时代。\n"


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path / "store.db")


@pytest.fixture
def loaded(command: Command) -> Command:
    assert command("seeds", "load").exit_code == 0
    return command


def test_seeds_load_twice_changes_nothing(command: Command) -> None:
    first = command("seeds", "load", "--json")
    before = command("list", "--json").stdout
    second = command("seeds", "load", "--json")

    assert first.data["added"] > 12
    assert second.data["added"] == 0
    assert command("list", "--json").stdout == before


def test_all_twelve_samples_are_there_and_four_have_a_history(loaded: Command) -> None:
    scripts = {row["script"]: row for row in loaded("list", "--json").data["scripts"]}

    assert sorted(scripts) == [f"video_{n:03}" for n in range(1, 13)]
    for script in ("video_003", "video_007", "video_009", "video_012"):
        versions = loaded("history", script, "--json").data["versions"]
        assert 4 <= len(versions) <= 6
        assert [v["created_at"] for v in versions] == sorted(
            (v["created_at"] for v in versions), reverse=True
        )
        assert any(v["instruction"] for v in versions)


def test_video_001_is_the_five_lines_of_the_source_document(loaded: Command) -> None:
    assert loaded("show", "video_001").stdout_bytes == SEED.encode()


def test_show_gives_any_version_and_numbers_spoken_lines(loaded: Command) -> None:
    first = loaded("show", "video_003@v1").stdout
    numbered = loaded("show", "video_003@v1", "--lines").stdout.splitlines()

    assert first == (Path("seeds/video_003/v1.md")).read_text(encoding="utf-8")
    assert numbered[0] == "  1  ## Hook"
    assert len(numbered) == sum(bool(line.strip()) for line in first.splitlines())


def test_diff_compares_head_with_parent_and_any_two_versions(loaded: Command) -> None:
    against_parent = loaded("diff", "video_003", "--json").data
    any_two = loaded("diff", "video_003", "v1", "v2")

    assert (against_parent["from"], against_parent["to"]) == ("v5", "v6")
    assert "v1 → v2" in any_two.stdout
    assert "[-" in any_two.stdout and "{+" in any_two.stdout
    assert loaded("diff", "video_003", "v3", "v5").stderr.strip() == "v3 and v5 are identical."
    assert loaded("diff", "video_003", "v1", "v2", "--exit-code").exit_code == 1
    assert loaded("diff", "video_003", "v3", "v5", "--exit-code").exit_code == 0


def test_unified_diff_is_a_patch(loaded: Command) -> None:
    out = loaded("diff", "video_009", "v1", "v2", "--unified").stdout

    assert out.startswith("--- video_009@v1\n+++ video_009@v2\n@@")


def test_revert_appends_a_copy_and_keeps_the_history(loaded: Command) -> None:
    done = loaded("revert", "video_003", "v1", "--json").data

    assert (done["version"], done["restored"], done["identical"]) == ("v7", "v1", True)
    assert loaded("show", "video_003").stdout_bytes == loaded("show", "video_003@v1").stdout_bytes
    assert len(loaded("history", "video_003", "--json").data["versions"]) == 7


def test_revert_to_the_text_that_is_there_changes_nothing(loaded: Command) -> None:
    done = loaded("revert", "video_001", "v1")

    assert done.exit_code == 0
    assert "Nothing to change" in done.stderr
    assert len(loaded("history", "video_001", "--json").data["versions"]) == 1


def test_revert_refuses_when_the_head_is_not_the_expected_one(loaded: Command) -> None:
    assert loaded("revert", "video_003", "v1", "--expect-head", "v5").exit_code == 5


@pytest.mark.parametrize("head", ["prev", "2020-01-01", "v6~1", "head"])
def test_an_expected_head_must_be_a_plain_number(loaded: Command, head: str) -> None:
    assert loaded("revert", "video_003", "v1", "--expect-head", head).exit_code == 2
    assert len(loaded("history", "video_003", "--json").data["versions"]) == 6


def test_undo_twice_and_redo(loaded: Command) -> None:
    texts = {n: loaded("show", f"video_009@v{n}").stdout_bytes for n in range(1, 7)}

    undone = loaded("undo", "video_009", "-n", "2", "--json").data
    assert (undone["version"], undone["restored"], undone["undone"]) == ("v7", "v4", ["v6", "v5"])
    loaded("undo", "video_009")
    assert loaded("show", "video_009").stdout_bytes == texts[3]
    loaded("redo", "video_009", "-n", "3")
    assert loaded("show", "video_009").stdout_bytes == texts[6]
    assert "nothing to redo" in loaded("redo", "video_009").stderr


def test_undo_with_nothing_to_undo_says_so(loaded: Command) -> None:
    done = loaded("undo", "video_001")

    assert done.exit_code == 0
    assert "nothing to undo" in done.stderr
    assert len(loaded("history", "video_001", "--json").data["versions"]) == 1


def test_list_searches_ids_and_titles(loaded: Command) -> None:
    assert "video_001" in loaded("list", "发展历程").stdout
    assert loaded("list", "发展历程", "--json").data["scripts"][0]["script"] == "video_001"
    assert "No script matches" in loaded("list", "zzzz").stderr


def test_an_empty_store_names_the_next_command(command: Command) -> None:
    assert "script-editor seeds load" in command("list").stderr
    unknown = command("show", "video_001")
    assert unknown.exit_code == 3
    assert "script-editor seeds load" in unknown.stderr


def test_an_unknown_id_names_near_ones(loaded: Command) -> None:
    unknown = loaded("history", "vidoe_001", "--json")

    assert unknown.exit_code == 3
    assert unknown.json["error"]["code"] == "script_not_found"
    assert "video_001" in unknown.json["error"]["hint"]


@pytest.mark.parametrize("reference", ["video_001@v9", "video_001@2020-01-01"])
def test_an_unknown_version_is_not_found(loaded: Command, reference: str) -> None:
    unknown = loaded("show", reference)

    assert unknown.exit_code == 3
    assert "script-editor history video_001" in unknown.stderr


def test_new_takes_a_file_stdin_or_text(command: Command, tmp_path: Path) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_bytes("第一句。\r\n第二句。".encode())

    assert command("new", "第一集", "-f", str(draft), "--title", "开箱").exit_code == 0
    assert command("new", "b", input="从管道来\n").exit_code == 0
    assert command("new", "c", "--text", "直接写").exit_code == 0

    assert command("show", "第一集").stdout_bytes == "第一句。\r\n第二句。".encode()
    assert command("show", "b").stdout == "从管道来\n"
    assert command("show", "c").stdout == "直接写"
    assert command("new", "b", "--text", "x").exit_code == 5


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"a\0b", "NUL"),
        (b"\xff\xfe\xff", "cannot be read"),
        ("中文".encode("gb18030"), "--encoding gb18030"),
        (b" \n", "empty"),
    ],
)
def test_a_text_that_cannot_be_kept_is_refused_and_nothing_is_stored(
    command: Command, data: bytes, why: str
) -> None:
    done = command("new", "a", input=data)

    assert done.exit_code == 2
    assert why in done.stderr
    assert command("list", "--json").data["scripts"] == []


@pytest.mark.parametrize("bad", ["../x", "a/b", "", "a b", "x" * 65])
def test_a_bad_id_is_refused(command: Command, bad: str) -> None:
    assert command("new", bad, "--text", "x").exit_code == 2


FILES = {
    "utf8.txt": "一\n二\n".encode(),
    "crlf.txt": "一\r\n二\r\n".encode(),
    "bom.txt": b"\xef\xbb\xbf" + "一\n二".encode(),
    "utf16.txt": "\ufeff一\n二\n".encode("utf-16-le"),
    "mixed.txt": "一\r\n二\n\u2028三\n\n".encode(),
}


def test_export_gives_the_bytes_that_were_imported(command: Command, tmp_path: Path) -> None:
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)

    done = command("import", *(str(tmp_path / name) for name in FILES))

    assert done.exit_code == 0
    for name, data in FILES.items():
        out = tmp_path / "out" / name
        assert command("export", Path(name).stem, "-o", f"{tmp_path / 'out'}/").exit_code == 0
        assert out.read_bytes() == data, name
        assert command("export", Path(name).stem).stdout_bytes == data, name


def test_a_named_encoding_is_read_and_written_back(command: Command, tmp_path: Path) -> None:
    (tmp_path / "gb.txt").write_bytes("中文稿\n".encode("gb18030"))

    command("import", str(tmp_path / "gb.txt"), "--encoding", "gb18030")

    assert command("show", "gb").stdout == "中文稿\n"
    assert command("export", "gb").stdout_bytes == "中文稿\n".encode("gb18030")
    assert command("export", "gb", "--encoding", "utf-8").stdout_bytes == "中文稿\n".encode()


def test_import_again_adds_a_version_only_for_another_text(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("一\n", encoding="utf-8")
    command("import", str(path))

    same = command("import", str(path), "--json").data["imported"][0]
    path.write_text("二\n", encoding="utf-8")
    skipped = command("import", str(path), "--on-conflict", "skip", "--json").data["imported"][0]
    refused = command("import", str(path), "--on-conflict", "error")
    other = command("import", str(path), "--json").data["imported"][0]

    assert (same["outcome"], same["version"]) == ("same text", "v1")
    assert (skipped["outcome"], skipped["version"]) == ("skipped", "v1")
    assert refused.exit_code == 5
    assert (other["outcome"], other["version"]) == ("new version", "v2")


def test_one_bad_file_does_not_stop_the_others(command: Command, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("一\n", encoding="utf-8")
    (tmp_path / "c.txt").write_text("三\n", encoding="utf-8")

    done = command(
        "import", str(tmp_path / "a.txt"), str(tmp_path / "missing.txt"), str(tmp_path / "c.txt"), "--json"
    )

    assert done.exit_code == 2
    assert not done.json["ok"]
    assert [row["script"] for row in done.json["data"]["imported"]] == ["a", "c"]
    assert len(done.json["warnings"]) == 1


def test_import_and_export_through_pipes(command: Command) -> None:
    done = command("import", "-", "--id", "piped", input=b"\xef\xbb\xbfx\r\n")

    assert done.exit_code == 0
    assert command("export", "piped").stdout_bytes == b"\xef\xbb\xbfx\r\n"


def test_export_all_writes_one_file_each(loaded: Command, tmp_path: Path) -> None:
    done = loaded("export", "--all", "-o", f"{tmp_path / 'all'}/", "--json")

    names = sorted(path.name for path in (tmp_path / "all").iterdir())
    assert len(done.data["exported"]) == 12
    assert names[:3] == ["video_001.txt", "video_002.txt", "video_003.md"]


def test_history_pages(loaded: Command) -> None:
    page = loaded("history", "video_007", "-n", "2", "--json").data["versions"]
    rest = loaded("history", "video_007", "--before", page[-1]["version"], "--json").data["versions"]

    assert [v["version"] for v in page + rest] == ["v6", "v5", "v4", "v3", "v2", "v1"]


def test_chinese_columns_align(loaded: Command) -> None:
    from rich.cells import cell_len

    lines = loaded("history", "video_012").stdout.splitlines()

    positions = {cell_len(line[: line.index("202")]) for line in lines}
    assert len(positions) == 1


def test_history_has_the_spoken_time_of_each_version(command: Command) -> None:
    command("new", "a", "--text", SEED)
    command("edit", "a", "删掉第2行和第4行", "--yes")

    rows = command("history", "a").stdout.splitlines()
    versions = command("history", "a", "--json").data["versions"]

    assert [" 10 s " in rows[0], " 17 s " in rows[1]] == [True, True]
    assert [round(version["seconds"]) for version in versions] == [10, 17]


def test_diff_has_the_spoken_time_before_and_after(command: Command) -> None:
    command("new", "a", "--text", SEED)
    command("edit", "a", "删掉第2行和第4行", "--yes")

    assert command("diff", "a").stdout.splitlines()[0].endswith("17 s → 10 s")
    assert command("diff", "a", "--stat").stdout.count("\n") == 1
    assert command("diff", "a", "--json").data["seconds"] == {"before": 16.8, "after": 10.0}


def test_undo_quotes_what_was_taken_back(command: Command) -> None:
    command("new", "a", "--text", SEED)
    command("edit", "a", "删掉第2行和第4行", "--yes")
    command("revert", "a", "v1", "--message", "还是原来的好")

    assert "v3 “还是原来的好”" in command("undo", "a").stdout
    assert "v2 “删掉第2行和第4行”" in command("undo", "a").stdout


@pytest.mark.parametrize("back", ["undo", "redo"])
def test_an_instruction_that_ends_with_a_quotation_is_quoted_whole(command: Command, back: str) -> None:
    command("new", "video", "--text", "只要89元。")
    command("edit", "video", "把“89元”改成“79元”", "--yes")

    command("undo", "video")
    done = command(back, "video") if back == "redo" else command("history", "video")

    assert "“把“89元”改成“79元””" in done.stdout


def test_undo_names_what_it_took_back_in_whole_quotation_marks(command: Command) -> None:
    command("new", "video", "--text", "只要89元。")
    command("edit", "video", "把“89元”改成“79元”", "--yes")

    assert "v2 “把“89元”改成“79元””. Now v3" in command("undo", "video").stdout


def test_a_line_that_was_taken_out_has_the_number_it_had(command: Command) -> None:
    command("new", "video", "--text", "一。\n二。\n三。\n四。\n")
    command("edit", "video", "删掉第2行，把“四”改成“五”", "--yes")

    rows = command("diff", "video").stdout.splitlines()[1:]

    assert rows == [" -2 -[-二。-]", "  3  [-四-]{+五+}。"]


@pytest.mark.parametrize("arguments", [["export"], ["apply"], ["discard"], []], ids=str)
def test_each_example_in_a_help_has_a_line_of_its_own(command: Command, arguments: list[str]) -> None:
    lines = command(*arguments, "--help", COLUMNS="70").stdout.splitlines()

    examples = [line for line in lines if line.strip().startswith("script-editor ")]
    assert len(examples) == 2
    assert all(line.count("script-editor ") == 1 for line in examples)


def test_global_options_stand_before_or_after_the_command(loaded: Command) -> None:
    assert json.loads(loaded("--json", "list").stdout)["ok"]
    assert json.loads(loaded("list", "--json").stdout)["ok"]


def test_usage_errors_are_json_when_asked(command: Command) -> None:
    done = command("shwo", "--json")

    assert done.exit_code == 2
    assert done.json["error"]["code"] == "usage"


def test_terminal_steering_in_a_script_is_shown_not_obeyed(command: Command) -> None:
    command("new", "a", "--text", "x\x1b[2Jy\n\u202ez")

    lines = command("show", "a", "--lines").stdout

    assert "\x1b" not in lines
    assert "␛[2J" in lines
    assert "<U+202E>" in lines


@pytest.mark.parametrize("path", ["/proc/nope/x.db", "/dev/null/x.db"])
def test_a_store_that_cannot_be_made_is_a_setup_error(path: str) -> None:
    done = Command(path)("list")

    assert done.exit_code == 6
    assert len(done.stderr.strip().splitlines()) <= 2


def test_a_file_that_is_no_store_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to be taken for one " * 20, encoding="utf-8")
    before = path.read_bytes()

    done = Command(path)("list")

    assert done.exit_code == 6
    assert path.read_bytes() == before


def test_a_unified_diff_can_be_applied_by_patch(command: Command, tmp_path: Path) -> None:
    for number, (before, after) in enumerate(
        [("a\nb", "a\nc"), ("a\r\nb\r\n", "a\r\nc\r\n"), ("a\nb", "a\nb\n")]
    ):
        (tmp_path / "x").write_bytes(before.encode())
        command("new", f"s{number}", input=before.encode())
        command("import", "-", "--id", f"s{number}", input=after.encode())
        patch = command("diff", f"s{number}", "v1", "v2", "--unified").stdout_bytes
        subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
        named = patch.replace(f"s{number}@v1".encode(), b"a/x").replace(f"s{number}@v2".encode(), b"b/x")

        subprocess.run(["git", "apply", "--whitespace=nowarn", "-"], cwd=tmp_path, input=named, check=True)

        assert (tmp_path / "x").read_bytes() == after.encode()


def test_import_takes_over_how_the_new_file_is_written(command: Command, tmp_path: Path) -> None:
    command("import", "-", "--id", "a", input=b"\xef\xbb\xbfone\n")

    command("import", "-", "--id", "a", input=b"two\n")

    assert command("export", "a").stdout_bytes == b"two\n"
    assert command("export", "a@v1").stdout_bytes == b"\xef\xbb\xbfone\n"


def test_export_follows_links_and_never_writes_two_scripts_to_one_file(
    loaded: Command, tmp_path: Path
) -> None:
    (tmp_path / "target.txt").write_text("old", encoding="utf-8")
    (tmp_path / "link.txt").symlink_to("target.txt")

    assert loaded("export", "video_001", "-o", str(tmp_path / "link.txt"), "--overwrite").exit_code == 0
    twice = loaded("export", "video_003@v1", "video_003@v2", "-o", f"{tmp_path / 'out'}/")

    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "target.txt").read_text(encoding="utf-8").startswith("大家好")
    assert twice.exit_code == 2
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["export", "video_001", "--encoding", "nope"],
        ["export", "video_001", "--encoding", "base64"],
        ["show", "video_001@v1" + "~" * 3000],
    ],
    ids=["no encoding", "no text encoding", "too many parents"],
)
def test_odd_input_is_one_clear_error(loaded: Command, arguments: list[str]) -> None:
    done = loaded(*arguments)

    assert done.exit_code == 2, done.stderr
    assert "bug" not in done.stderr


def test_a_folder_that_is_a_file_is_a_clear_error(loaded: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")

    assert loaded("export", "video_001", "-o", f"{tmp_path / 'file'}/").exit_code == 2


def test_diff_of_a_reference_and_a_version(loaded: Command) -> None:
    data = loaded("diff", "video_003@v1", "v2", "--json").data

    assert (data["from"], data["to"]) == ("v1", "v2")
    assert loaded("diff", "video_003", "@prev", "--json").data["from"] == "v5"


def test_a_misspelt_command_is_answered_with_a_near_one(command: Command) -> None:
    assert "Did you mean 'history'?" in command("histroy").stderr


def test_a_full_disk_on_stdout_is_no_bug(loaded: Command) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "script_editor", "--db", str(loaded.database), "list"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip

    assert done.returncode == 1
    assert "bug" not in done.stderr and "Traceback" not in done.stderr


def test_a_reader_that_had_enough_is_no_error(loaded: Command) -> None:
    done = subprocess.run(
        f"{sys.executable} -m script_editor --db {loaded.database} show video_006 --lines | head -1",
        shell=True, capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert done.stderr == ""


@pytest.mark.parametrize("named", ["@prev", "prev", "@v5", "video_003@v5", "video_003@prev", "v6~1", "@v6~1"])
def test_revert_takes_every_form_of_a_version(loaded: Command, named: str) -> None:
    done = loaded("revert", "video_003", named, "--json").data

    assert (done["version"], done["restored"]) == ("v7", "v5")


@pytest.mark.parametrize("named", ["@v2", "video_003@v2", "v2"])
def test_diff_takes_every_form_of_a_version(loaded: Command, named: str) -> None:
    plain = loaded("diff", "video_003", "v1", "v2").stdout

    assert loaded("diff", "video_003", "@v1", named).stdout == plain


@pytest.mark.parametrize("name", ["revert", "diff"])
@pytest.mark.parametrize("named", ["@nothing", "video_001@v1"])
def test_a_refused_version_names_the_script_at_hand(loaded: Command, name: str, named: str) -> None:
    done = loaded(name, "video_003", named)

    assert done.exit_code == 2
    assert "video_003@v3" in done.stderr and "Use video_001" not in done.stderr
