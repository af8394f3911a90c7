"""R19: a line is JSON for us when it is JSON for Node (`trust.md` 2.4)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ink_tui.formats.decode import NotJson, decode
from tests.reliability.node_verdicts import RECORDED, digest, texts

if TYPE_CHECKING:
    from tests.reliability.ledger import Ledger


def test_the_same_verdict_as_node(ledger: Ledger) -> None:
    what = "a text is taken or refused as Node takes or refuses it"
    asked = texts()
    with ledger.row("R19", what, least=300) as row:
        for raw in RECORDED.read_text("utf-8").splitlines():
            case = json.loads(raw)
            text = asked.pop(case["name"])
            row.trial()
            row.check(digest(text) == case["sha256"], case["name"], "is another text now")
            accepts = not isinstance(decode(text), NotJson)
            row.note("taken" if case["accepts"] else "refused")
            row.check(accepts == case["accepts"], case["name"], text[:80])
        row.check(not asked, "Node was not asked about", list(asked))
