"""`records.dataclass` makes what the standard decorator makes, method by method."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import KW_ONLY, FrozenInstanceError, field, fields, replace
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from roce_audit.records import dataclass

T = TypeVar("T")
Decorator = Callable[..., Any]


def family(dataclass: Decorator) -> dict[str, Any]:
    """Classes as the house writes them, by one decorator or the other."""

    @dataclass(frozen=True, slots=True)
    class Plain:
        """A class."""

        one: int
        two: str = "two"
        many: list[int] = field(default_factory=list)
        told: tuple[int, ...] = field(default=(), compare=False)
        hidden: int = field(default=0, repr=False, hash=False)
        known: ClassVar[int] = 3

        @property
        def twice(self) -> int:
            return self.one * 2

    @dataclass(frozen=True, slots=True)
    class Below(Plain):
        """A class that has more."""

        three: int = 3
        _: KW_ONLY
        four: int = 4

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Named:
        """A class whose fields are named."""

        one: int
        two: int = 2
        made: dict[str, int] = field(default_factory=dict, init=False)

    @dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
    class Itself:
        """A class whose objects are equal to nothing else."""

        one: int

    @dataclass(frozen=True, slots=True)
    class Checked(Generic[T]):
        """A class that looks at what it is given."""

        one: T

        def __post_init__(self) -> None:
            if self.one is None:
                raise ValueError("one is missing")

    @dataclass(frozen=True, slots=True)
    class Own:
        """A class with methods of its own."""

        one: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own) and self.one % 2 == other.one % 2

        def __repr__(self) -> str:
            return "own"

    @dataclass
    class Changing:
        """A class that is no record."""

        one: int

    return {cls.__name__: cls for cls in (Plain, Below, Named, Itself, Checked, Own, Changing)}


OURS, THEIRS = family(dataclass), family(dataclasses.dataclass)
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("Plain", (1,), {}),
    ("Plain", (1, "x", [3], (4,), 5), {}),
    ("Plain", (), {"one": 1, "told": (2,)}),
    ("Plain", (), {}),
    ("Plain", (1, 2, 3, 4, 5, 6), {}),
    ("Plain", (1,), {"none": 1}),
    ("Below", (1,), {"three": 4, "four": 5}),
    ("Below", (1, "x", [], (), 0, 3, 4), {}),
    ("Named", (), {"one": 1}),
    ("Named", (1,), {}),
    ("Named", (), {"one": 1, "made": {}}),
    ("Itself", (1,), {}),
    ("Checked", (1,), {}),
    ("Checked", (None,), {}),
    ("Own", (1,), {}),
    ("Changing", (1,), {}),
]


def outcome(work: Callable[[], object]) -> object:
    """What it gives, or how it fails; where a class was made is no difference."""
    try:
        return work()
    except Exception as error:
        return type(error), str(error).rpartition(".")[2]


def shown(one: object) -> str:
    return repr(one).rpartition("<locals>.")[2]


@pytest.mark.parametrize(("name", "given", "named"), CALLS)
def test_objects_are_made_as_by_the_standard_decorator(
    name: str, given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    mine, theirs = (outcome(lambda made=made: made[name](*given, **named)) for made in (OURS, THEIRS))
    if isinstance(theirs, tuple):
        assert mine == theirs
        return
    if type(theirs).__repr__ is not object.__repr__:
        assert shown(mine) == shown(theirs)
    assert [getattr(mine, f.name) for f in fields(mine)] == [getattr(theirs, f.name) for f in fields(theirs)]  # type: ignore[arg-type]
    assert hasattr(mine, "__dict__") == hasattr(theirs, "__dict__")


def test_objects_are_compared_and_hashed_as_by_the_standard_decorator() -> None:
    def all_of(made: dict[str, Any]) -> list[Any]:
        plain, below, checked = made["Plain"], made["Below"], made["Checked"]
        return [
            *(
                plain(1, "a", ()),
                plain(1, "a", (), (7,)),
                plain(1, "a", (), (), 8),
                plain(2, "a", ()),
                below(1, "a", ()),
            ),
            *(
                below(1, "a", (), three=4),
                checked(1),
                checked(1),
                checked((1, "a")),
                made["Itself"](1),
                made["Itself"](1),
            ),
            *(made["Own"](1), made["Own"](3), made["Own"](2), made["Changing"](1), made["Changing"](1)),
        ]

    mine, theirs = all_of(OURS), all_of(THEIRS)
    assert [[a == b for b in mine] for a in mine] == [[a == b for b in theirs] for a in theirs]
    hashes = [
        [outcome(lambda one=one: hash(one)) for one in of if type(one).__name__ != "Itself"] for of in (mine, theirs)
    ]
    assert hashes[0] == hashes[1]


@pytest.mark.parametrize("name", [name for name in OURS if name != "Changing"])
def test_nothing_can_be_changed(name: str) -> None:
    one = OURS[name](one=1)
    for change in (lambda: setattr(one, "one", 2), lambda: setattr(one, "new", 2), lambda: delattr(one, "one")):
        with pytest.raises(FrozenInstanceError):
            change()
    assert one.one == 1


@dataclass(frozen=True, slots=True)
class Kept:
    """A class that has a name to be found by."""

    one: int
    two: tuple[int, ...] = ()


def test_copies_are_equal() -> None:
    one = Kept(1, (2,))
    assert copy.deepcopy(one) == one
    assert pickle.loads(pickle.dumps(one)) == one
    assert replace(one, one=3) == Kept(3, (2,))
    assert Kept.__match_args__ == ("one", "two")


def test_an_object_that_holds_itself_can_be_shown() -> None:
    held: list[object] = []
    one = OURS["Plain"](1, many=held)
    held.append(one)
    assert "..." in repr(one)
