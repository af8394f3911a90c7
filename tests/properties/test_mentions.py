"""Files that texts mention: found as they are written, from whatever stands around them."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ink_tui.model.mentions import MOST, Mention, mentions_in, mentions_of
from ink_tui.model.text import clean
from ink_tui.model.transcript import TextBody, ToolBody
from ink_tui.model.transcript_build import build_transcript
from tests.transcript_samples import Script, call, result

NAME = st.text("abcXYZ019_-文件é", min_size=1, max_size=8).filter(lambda name: name[0] != "-")
PATH = st.lists(NAME, min_size=1, max_size=4).map(lambda parts: "src/" + "/".join(parts) + ".py")
AROUND = st.sampled_from(["", " ", "(", "`", '"', "“", "看：", "\n", ", ", "> ", "[x]("])


def pairs(text: str) -> list[tuple[str, int | None]]:
    return [(each.path, each.line) for each in mentions_in(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see src/a.py:12:5 now", ("src/a.py", 12)),
        ('  File "src/a.py", line 12, in f', ("src/a.py", 12)),
        ("src/a.ts(12,5): error TS2304", ("src/a.ts", 12)),
        ("    at sum (/x/y.js:3:4)", ("/x/y.js", 3)),
        ("  --> src/main.rs:3:5", ("src/main.rs", 3)),
        ("src/lexer.ts:14:  // 还没有", ("src/lexer.ts", 14)),
        ("README.md#L12", ("README.md", 12)),
        ("请看src/a.py文件", ("src/a.py", None)),
        ("文档/说明.md：第一行", ("文档/说明.md", None)),
        ("in `my docs/x y.md` it", ("my docs/x y.md", None)),
        ("@src/a.py.", ("src/a.py", None)),
        ("Makefile:3", ("Makefile", 3)),
        ("a.py:0", ("a.py", None)),
        ("--config=conf/x.toml", ("conf/x.toml", None)),
        ("~/notes.md", ("~/notes.md", None)),
        ("-rf/x.py", ("-rf/x.py", None)),
    ],
)
def test_ways_to_write_a_file(text: str, expected: tuple[str, int | None]) -> None:
    assert expected in pairs(text)


@pytest.mark.parametrize(
    "text", ["", "https://a.b/c.py", "12:30", "v1.2.3 and 4.5", "src/ //host :3", "word", "/"]
)
def test_what_is_no_file(text: str) -> None:
    assert pairs(text) == []


@given(PATH, AROUND, st.sampled_from(["", " ", ")", "`", '"', "”", "，然后", "\n", ",", "]"]))
def test_a_path_is_found_between_what_stands_around_it(path: str, front: str, back: str) -> None:
    assert path in [each.path for each in mentions_in(front + path + back)]


@given(PATH, st.integers(1, 9_999_999), st.sampled_from(["", ":7", ": text", ")", "，"]))
def test_its_line_is_found(path: str, line: int, back: str) -> None:
    assert (path, line) in pairs(f"{path}:{line}{back}")


@given(st.text(max_size=300))
def test_no_text_breaks_it_and_nothing_hidden_comes_out(raw: str) -> None:
    for mention in mentions_in(clean(raw)):
        assert mention.path
        assert not any(unicodedata.category(char) == "Cc" for char in mention.path)
        assert mention.line is None or mention.line > 0


@pytest.mark.parametrize("piece", ["a/", "`", '"', "(1,", "a.b:1:", "文/", ":", "'x", 'File "a'])
def test_hostile_texts_take_no_time(piece: str) -> None:
    start = time.process_time()
    for _mention in mentions_in(piece * 60_000):
        pass
    assert time.process_time() - start < 2


def body_of(script: Script, kind: type) -> ToolBody | TextBody:
    blocks = build_transcript(script.diagnosis()).blocks
    body = next(block.body for block in blocks if isinstance(block.body, kind))
    assert isinstance(body, ToolBody | TextBody)
    return body


def test_the_argument_of_a_call_comes_first_with_its_line() -> None:
    script = Script().user("q").answer(call("c", "read", path="a b.py", offset=40))
    script.results(result("c", "read", "import x/y.py"))
    assert mentions_of(body_of(script, ToolBody)) == (Mention("a b.py", 40, certain=True),)
    script = (
        Script()
        .user("q")
        .answer(call("c", "edit", path="a.py", edits=[{"oldText": "x", "newText": "y"}]))
    )
    script.results(result("c", "edit", "Edited a.py (1 edit(s) applied):\n\n@@ line 9 @@"))
    assert mentions_of(body_of(script, ToolBody)) == (Mention("a.py", 9, certain=True),)


def test_a_search_mentions_what_it_found() -> None:
    script = Script().user("q").answer(call("c", "grep", pattern="x", path="src"))
    script.results(result("c", "grep", "src/a.py:3:x\nsrc/b.py:4:x\nsrc/a.py:9:x"))
    assert mentions_of(body_of(script, ToolBody)) == (
        Mention("src"),
        Mention("src/a.py", 3),
        Mention("src/b.py", 4),
    )


def test_a_later_line_counts_where_the_first_mention_has_none() -> None:
    script = Script().user("q").answer("`a.py` fails at a.py:7 and a.py:9")
    assert mentions_of(body_of(script, TextBody)) == (Mention("a.py", 7),)


def test_their_number_is_bounded() -> None:
    script = Script().user("q").answer(" ".join(f"src/{at}.py" for at in range(2 * MOST)))
    assert len(mentions_of(body_of(script, TextBody))) == MOST
