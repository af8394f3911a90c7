"""What is skimmed for list rows, held against what is read whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from ink_tui.formats.registry import INK
from ink_tui.model.messages import AssistantMessage, ToolResultMessage
from ink_tui.model.row_making import row_of
from ink_tui.model.verdict import diagnose
from tests.cases import CASES_DIR
from tests.sessions import HEADER, answer, entry, line, results, session, user

if TYPE_CHECKING:
    from ink_tui.formats.base import SessionParser
    from ink_tui.model.listing import SessionRow

CALL: tuple[str, str, dict[str, Any]] = ("c1", "bash", {"command": "ls"})


def _row(parser: SessionParser, content: bytes) -> SessionRow:
    parser.feed(content)
    return row_of(diagnose(parser.session()), "s.jsonl")


def _agree(content: bytes) -> None:
    assert _row(INK.skimmer(), content) == _row(INK.parser(), content)


def test_every_case_gives_the_same_row() -> None:
    files = [path for path in sorted(CASES_DIR.rglob("*.jsonl")) if path.is_file()]
    assert len(files) > 40
    for path in files:
        _agree(path.read_bytes())


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(0, 9)
    | st.sampled_from(["", "c1", "text", "a\r", "\nb"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "id", "name", "text", "toolCallId", "isError", "content"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
BLOCK = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "toolCall", "thinking", "image", "odd"])},
    optional={
        "text": JSON,
        "thinking": JSON,
        "id": st.sampled_from(["c1", "c2", 3]),
        "name": JSON,
        "arguments": JSON,
    },
)
RESULT = st.fixed_dictionaries(
    {"toolCallId": st.sampled_from(["c1", "c2", 3])},
    optional={"isError": JSON, "toolName": JSON, "content": JSON},
)
MESSAGE = st.one_of(
    st.fixed_dictionaries({"role": st.just("user"), "content": JSON | st.lists(BLOCK, max_size=3)}),
    st.fixed_dictionaries(
        {"role": st.just("assistant"), "blocks": JSON | st.lists(BLOCK, max_size=4)},
        optional={"usage": JSON, "model": JSON},
    ),
    st.fixed_dictionaries(
        {"role": st.just("toolResult"), "results": JSON | st.lists(RESULT | JSON, max_size=3)}
    ),
    st.fixed_dictionaries({"role": st.sampled_from(["system", ""])}),
)


@given(st.lists(MESSAGE, max_size=8), st.lists(MESSAGE | JSON, max_size=3), st.integers(0, 9))
def test_any_messages_give_the_same_row(
    messages: list[dict[str, Any]], tail: list[Any], at: int
) -> None:
    records, parent = [line(HEADER)], None
    for number, message in enumerate(messages):
        if number == at:
            records.append(entry("compaction", "k", parent, summary="s", retainedTail=tail))
            parent = "k"
        records.append(entry("message", f"e{number}", parent, message=message))
        parent = f"e{number}"
    _agree(b"".join(records))


def test_what_tools_gave_back_is_left_out() -> None:
    content = session(
        user("a", None, "q"),
        answer("b", "a", "x", (CALL,)),
        results("r", "b", ("c1", "bash", "y" * 999)),
    )
    parser = INK.skimmer()
    parser.feed(content)
    skimmed = parser.session()
    _asked, said, gave = (getattr(record, "message", None) for record in skimmed.records)
    assert isinstance(said, AssistantMessage)
    assert said.calls[0].arguments is None
    assert isinstance(gave, ToolResultMessage)
    assert [result.content for result in gave.results or ()] == [()]
