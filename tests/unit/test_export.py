"""The exported documents: whole, in words, and nothing in them acts on anything."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.text import clean
from ink_tui.model.transcript import ToolBody
from ink_tui.model.transcript_build import build_transcript
from ink_tui.store.demo import create_demo
from tests.cases import CASES_DIR
from tests.conftest import NOON
from tests.exports import as_html, as_markdown, filled
from tests.page_audit import written
from tests.sessions import read, session, simple, user
from tests.transcript_samples import Script, call, result

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = (
    "</pre></code><script>document.title='RAN'</script><img src=x onerror=alert(1)>"
    "\"'><svg onload=alert(1)>&lt;script&gt;&#60;b&#62;</style></title><!-- --> ]]> `<b>` **<i>**"
)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The session that the demo opens on."""
    home: Path = tmp_path_factory.mktemp("export") / "home"
    with create_demo(int(NOON.timestamp() * 1_000), home) as made:
        data = made.first.read_bytes()
    return data.replace(str(home).encode(), b"/home/u")


class TestMarkdown:
    def test_head(self, demo: bytes) -> None:
        lines = as_markdown(demo, "/home/u").split("\n")
        assert lines[0] == "# fix the sum function, keep the interface"
        head = lines[2 : lines.index("## Turn 1 of 9: fix the sum function, keep the interface")]
        assert "- folder: `~/work/demo`" in head
        assert "- model: `zai/glm-5.3`" in head
        assert (
            "- not shown: `3 other branches; this is the one that a resume would continue`" in head
        )
        assert (
            "- **needs a decision: Torn tail: the last record is not complete (line 53)**" in head
        )
        assert head[-1] == ""

    def test_calls_diffs_and_words(self, demo: bytes) -> None:
        text = as_markdown(demo)
        assert (
            "**edit** `src/sum.ts` +1 -1 · 0.3 s\n\n```diff\n"
            "-export function sum(xs: Numbers) {\n"
            "+export function sum(xs: Numbers): number {\n```\n"
        ) in text
        assert (
            "**edit** `src/sum.ts` +9 -1 · **needs a decision: no result saved; may have run**\n"
        ) in text
        assert "**bash** `npm test` · **exit 1** · 8.2 s\n" in text
        assert text.count("**compacted: 118,000 to about 322 tokens, 2 messages kept**") == 1
        assert text.count("Everything above is no longer in the context.") == 1
        assert [int(n) for n in re.findall(r"^## Turn (\d+) of 9: ", text, re.M)] == [*range(1, 10)]

    def test_fences_cannot_be_closed_from_inside(self) -> None:
        script = Script().user("go").answer(call("c", "bash", command="x"))
        script.results(result("c", "bash", "```\n# not a heading\n````\n<script>"))
        assert "`````\n```\n# not a heading\n````\n<script>\n`````" in as_markdown(script.data())

    @pytest.mark.parametrize(
        ("said", "written"),
        [
            ("a <script>x</script> b", "a &#60;script>x&#60;/script> b"),
            ("![x](http://e/x.png)", "&#33;[x]&#40;http://e/x.png)"),
            ("\\![x](u) [a][b] [b]: u", "\\&#33;[x]&#40;u) [a]&#91;b] [b]&#58; u"),
            ("a < b and `c < d`", "a < b and `c < d`"),
            ("use `Array<string>` here", "use <code>Array&#60;string&#62;</code> here"),
            ("a ` b `<i>` c", "a ` b `&#60;i>` c"),
            ("a `` b `<i>` c", "a `` b <code>&#60;i&#62;</code> c"),
            ("```html\n<b>\n```\n<b>", "```html\n<b>\n```\n&#60;b>"),
            ("- x\n  ```\n<b>", "- x\n  ```\n&#60;b>"),
            ("~~~\n<b>", "~~~\n<b>\n~~~"),
            ("```\n````\n<b>", "```\n````\n&#60;b>"),
        ],
    )
    def test_text_keeps_its_marks_and_loses_its_claws(self, said: str, written: str) -> None:
        text = as_markdown(Script().user("go").answer(said).data())
        got = text.split("**assistant**\n\n")[1]
        assert got == written

    def test_nothing_foreign_is_a_tag(self) -> None:
        text = as_markdown(filled(HOSTILE).data, redacted=False)
        fence = ""
        for line in text.split("\n"):
            bare = line.removeprefix("> ").rstrip()
            if fence:
                fence = "" if bare == fence else fence
            elif re.fullmatch(r"`{3,}\w*", bare):
                fence = bare.rstrip("dif")
            else:
                outside = re.sub(r"(?<!`)(`+)(?!`)(?:(?!\1).)+\1(?!`)", "", line)
                tags = set(re.findall(r"<[A-Za-z/!?][^ >]*", outside))
                assert tags <= {"<details", "</details", "<summary", "</summary", "<code", "</code"}
        assert fence == ""


class TestHtml:
    def test_the_demo_is_all_there(self, demo: bytes) -> None:
        page = written(as_html(demo, "/home/u"))
        transcript = build_transcript(read(demo))
        calls = sum(isinstance(block.body, ToolBody) for block in transcript.blocks)
        assert page.strangers == []
        assert page.elements["h2"] == transcript.turns == 9
        assert page.text.count("needs a decision: no result saved; may have run") == 2
        assert page.text.count("compacted: 118,000 to about 322 tokens, 2 messages kept") == 1
        assert as_html(demo).count('<section class="call') == calls > 10
        for words in ("~/work/demo", "exit 1", "#before-refactor", "也要处理空数组和 NaN 的情况"):
            assert words in page.text
        assert '<span class="add">+  let s = -0 // neutral' in as_html(demo)
        assert "<code>[-0]</code>" in as_html(demo)

    def test_nothing_is_loaded_and_nothing_runs(self, demo: bytes) -> None:
        text = as_html(demo)
        assert "default-src 'none'" in text
        for word in ("<script", "src=", "href=", "url(", "@import", "javascript:", "<link", " on"):
            assert word not in text.split("<body>")[0].replace("script-src", ""), word

    def test_every_hostile_text_is_only_text(self) -> None:
        session_bytes = filled(HOSTILE)
        page = written(as_html(session_bytes.data, redacted=False))
        assert page.strangers == []
        assert page.text.count("document.title='RAN'") > 60
        assert page.text.count("&#60;b&#62;") > 60

    @pytest.mark.parametrize(
        ("said", "made"),
        [
            ("# a <b>\ntext", '<p class="heading">a &lt;b&gt;</p><p>text</p>'),
            ("```ts\nx < y\n```\nz", '<p class="language">ts</p><pre>\nx &lt; y</pre><p>z</p>'),
            ("```\n\nnever ended", "<pre>\n\nnever ended</pre>"),
            ("~~~\n```\n~~~", "<pre>\n```</pre>"),
            ("```", "<pre>\n</pre>"),
            ("``` no `fence`", "<p>``<code> no </code>fence`</p>"),
            ("- a\n  1. **b**", '<p class="item in0">- a</p><p class="item in1">1. <b>b</b></p>'),
            ("-a\n1.2 b", "<p>-a\n1.2 b</p>"),
            ("a | b\nc | d", "<p>a | b\nc | d</p>"),
            ("|a|b|\n|-|\n", "<p>|a|b|\n|-|</p>"),
            (
                "so:\n| a | `b` |\n|:--|--:|\n| x \\| y |\n| 1 | <2> | 3 |\nend",
                '<p>so:</p><div class="wide"><table><thead><tr><th>a</th><th><code>b</code></th>'
                "</tr></thead><tbody><tr><td>x | y</td></tr><tr><td>1</td><td>&lt;2&gt;</td>"
                "<td>3</td></tr></tbody></table></div><p>end</p>",
            ),
        ],
    )
    def test_marks_of_the_talk(self, said: str, made: str) -> None:
        page = as_html(Script().user("go").answer(said).data())
        assert f'<p class="who">assistant</p>{made}</section>' in page

    def test_turns_are_listed_and_their_titles_said_once(self, demo: bytes) -> None:
        page = as_html(demo, "/home/u")
        assert page.count('<li><a href="#turn-') == page.count('<h2 class="turn') == 9
        title = "which callers rely on the old behaviour?"
        assert f'<a href="#turn-2">{title}</a>' in page
        assert f'id="turn-2"><b>turn 2 of 9</b><span class="hidden">{title}</span>' in page
        assert "<nav>" not in as_html(simple())

    def test_a_long_title_is_whole_in_its_text_alone(self) -> None:
        script = Script()
        for number in range(4):
            script.user(f"{number} " + "long " * 100)
        page = as_html(script.data())
        assert page.count("long " * 90) == 4 + len(("title", "h1"))
        assert page.count("…</a></li>") == page.count("…</span>") == 4

    @pytest.mark.parametrize(("code", "folded"), [("", True), ("\nExit code: 1", False)])
    def test_results_that_failed_are_not_folded(self, code: str, folded: bool) -> None:
        script = Script().user("go").answer(call("c", "bash", command="x"))
        script.results(result("c", "bash", "line\n" * 20 + code))
        assert ("<summary>result, " in as_html(script.data())) is folded

    def test_first_newline_of_a_result_stays(self) -> None:
        script = Script().user("go").answer(call("c", "bash", command="x"))
        script.results(result("c", "bash", "\nfirst"))
        assert "<pre>\n\nfirst</pre>" in as_html(script.data())


@pytest.mark.parametrize(
    "name", sorted(path.parent.name for path in CASES_DIR.glob("*/session.jsonl"))
)
def test_nothing_acts_on_a_terminal(name: str) -> None:
    data = (CASES_DIR / name / "session.jsonl").read_bytes()
    for text in (as_markdown(data), as_html(data)):
        assert clean(text) == text
        text.encode("utf-8")


def test_a_session_without_a_message() -> None:
    assert "This session has no message yet." in as_markdown(session())
    assert "This session has no message yet." in as_html(session())
    assert "(no message yet)" in as_markdown(session())


def test_a_large_session_is_written_in_time() -> None:
    data = session(
        user("a0", None, "x"), *(user(f"a{n}", f"a{n - 1}", "`" * 400) for n in range(1, 500))
    )
    assert as_markdown(data).count("## Turn") == 500
    assert as_html(simple()).count("<h2") == 1
