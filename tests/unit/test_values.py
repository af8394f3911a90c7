"""Values made by our own `dataclass` are as those of the standard one, but for their cost."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from ink_tui.model import values
from ink_tui.model.listing import SessionRow
from ink_tui.model.values import names_of
from ink_tui.store.files import UnreadableError
from ink_tui.store.findings import Job


def classes_of(made_by: Any) -> tuple[type[Any], type[Any], type[Any]]:
    """Return a class of values, one that inherits from it, and one that may be changed."""
    field = made_by.field

    @made_by.dataclass(frozen=True, slots=True)
    class Base:
        one: int
        two: str = "x"
        many: list[int] = field(default_factory=list)
        untold: int = field(default=3, compare=False)

        @property
        def twice(self) -> int:
            return 2 * self.one

    @made_by.dataclass(frozen=True, slots=True)
    class Derived(Base):
        two: str = "y"
        more: float = 0.5

    @made_by.dataclass(slots=True)
    class Changing:
        one: int
        seen: list[int] = field(default_factory=list)

    return Base, Derived, Changing


STANDARD, OURS = classes_of(dataclasses), classes_of(values)
GIVEN: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, "z"), {"untold": 9}),
    ((), {"one": 2, "many": [1, 2]}),
    ((1, "a", [3], 4), {}),
]


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize(("given", "named"), GIVEN)
def test_they_hold_print_and_compare_the_same(
    which: int, given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    theirs, ours = STANDARD[which](*given, **named), OURS[which](*given, **named)
    assert repr(ours) == repr(theirs)
    assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
    assert [each.name for each in dataclasses.fields(ours)] == [
        each.name for each in dataclasses.fields(theirs)
    ]
    assert ours == OURS[which](*given, **named)
    assert ours == values.replace(ours, untold=77)
    assert ours != values.replace(ours, one=77)
    assert ours != theirs
    assert values.replace(ours, two="new").two == dataclasses.replace(ours, two="new").two == "new"
    assert OURS[which].__match_args__ == STANDARD[which].__match_args__
    assert OURS[which].__slots__ == STANDARD[which].__slots__


def test_a_default_is_made_for_each_value_alone() -> None:
    assert OURS[0](1).many is not OURS[0](1).many


@pytest.mark.parametrize("classes", [STANDARD, OURS])
def test_frozen_ones_stay_as_they_are(classes: tuple[type[Any], ...]) -> None:
    value = classes[1](1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        value.one = 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        del value.one
    with pytest.raises(TypeError):
        classes[1]()
    with pytest.raises(TypeError):
        classes[1](1, nothing=2)
    with pytest.raises(TypeError):
        dataclasses.replace(value, nothing=2)
    assert not hasattr(value, "__dict__")
    changing = classes[2](1)
    changing.one = 5
    assert changing == classes[2](5)
    with pytest.raises(TypeError):
        hash(changing)


def test_hashes_follow_what_is_compared() -> None:
    known = {Job("/s/1", child=False): 1}
    assert known[Job("/s/1", child=False, seen=b"")] == 1
    assert hash(Job("/s/1", child=False)) != hash(Job("/s/2", child=False))


def test_they_are_copied_and_handed_to_other_processes() -> None:
    row = SessionRow("/s/1", title="t", open_calls=3)
    assert pickle.loads(pickle.dumps(row)) == row
    assert copy.deepcopy(row) == copy.copy(row) == row
    assert names_of(SessionRow)[0] == "path"
    assert names_of(SessionRow) == tuple(each.name for each in dataclasses.fields(SessionRow))


def test_others_are_replaced_by_the_standard_way() -> None:
    assert values.replace(STANDARD[0](1), one=2) == STANDARD[0](2)
    assert not dataclasses.is_dataclass(UnreadableError)
