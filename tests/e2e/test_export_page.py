"""An exported page in a real browser: hostile text in every field stays text, nothing runs."""

from __future__ import annotations

import shutil
import subprocess
import warnings
from typing import TYPE_CHECKING

import pytest

from tests.e2e.terminal import installed_command
from tests.exports import filled
from tests.page_audit import Page

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.e2e

RAN = "document.title='RAN';document.body.innerHTML='<u>RAN</u>'"
HOSTILE = (
    f'</pre></title></style></textarea><script>{RAN}</script><img src=x onerror="{RAN}">'
    f"<svg/onload={RAN}><details open ontoggle={RAN}><a href='javascript:{RAN}'>x</a>"
    f'<iframe srcdoc="<script>parent.{RAN}</script>"></iframe><base href=//e.example/>'
    f"<meta http-equiv=refresh content='0;url=javascript:{RAN}'><style>*{{display:none}}</style>"
    f"\"' onmouseover='{RAN}' x=\" ]]> --> <!-- &lt;script&gt;{RAN}&lt;/script&gt; `<b>` **<i>**"
)
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--virtual-time-budget=2000", "--dump-dom",
)  # fmt: skip


def browser() -> str:
    """Return a browser's program; skip loudly where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found is not None:
            return found
    warnings.warn("chromium is missing: the exported page was not opened", stacklevel=2)
    pytest.skip("chromium is missing: apt-get install chromium")


def rendered(program: str, page: Path, profile: Path) -> str:
    """Return the document as the browser has it after all scripts had their chance."""
    done = subprocess.run(
        [program, *FLAGS, f"--user-data-dir={profile}", page.as_uri()],
        capture_output=True,
        timeout=60,
        check=True,
    )
    return done.stdout.decode("utf-8", "replace")


def test_no_element_attribute_or_script_comes_from_content(tmp_path: Path) -> None:
    program = browser()
    source, page = tmp_path / "session.jsonl", tmp_path / "page.html"
    source.write_bytes(filled(HOSTILE).data)
    subprocess.run(
        [installed_command(), "export", str(source), "--format", "html", "-o", str(page)],
        capture_output=True,
        timeout=30,
        check=True,
    )
    written, shown = Page(page.read_text("utf-8")), Page(rendered(program, page, tmp_path / "p"))
    assert shown.strangers == []
    assert shown.counts["title"] == 1
    assert "RAN" not in shown.elements
    assert shown.text.count(RAN) > 100, "the hostile text is there, as text"
    assert shown.counts == written.counts
    assert shown.attributes == written.attributes
    assert "".join(shown.text.split()) == "".join(written.text.split())


def test_the_browser_would_have_run_it(tmp_path: Path) -> None:
    """The control: the same text without escaping runs, so a silent browser proves something."""
    page = tmp_path / "page.html"
    page.write_text(f"<!DOCTYPE html><title>x</title><body><p>{HOSTILE}</p>", "utf-8")
    shown = Page(rendered(browser(), page, tmp_path / "p"))
    assert "u" in shown.elements
    assert shown.strangers != []
