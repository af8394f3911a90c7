"""`dataclass`, `field` and `replace` for values, made in a fraction of the time.

The standard ones write and compile six functions for each class, and load what describes source
code to do so: with a hundred classes that was a third of our own part of a start. Here `__init__`
is compiled when the first value is made, the others are the same functions for all classes, and
what `dataclasses.fields` tells is found out when it is asked for.

What is supported is what this program uses: slots, frozen or not, defaults, `default_factory`,
`compare=False`, inheritance. Type checkers take the standard ones for them.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
else:
    _NOTHING = object()
    """Stands for a default that there is none of."""

    class _Spec:
        """What is said of a field beside its type."""

        __slots__ = ("compare", "default", "factory")

        def __init__(self, default, factory, compare):
            self.default = default
            self.factory = factory
            self.compare = compare

    def field(*, default=_NOTHING, default_factory=_NOTHING, compare=True):
        """Say of a field what its type does not: as `dataclasses.field`."""
        return _Spec(default, default_factory, compare)

    def dataclass(*, slots, frozen=False):
        """Make a class of values: as `dataclasses.dataclass`."""
        assert slots
        return lambda cls: _made(cls, frozen=frozen)

    def replace(value, /, **changes):
        """Return a value with some fields changed: as `dataclasses.replace`."""
        cls = type(value)
        specs = cls.__dict__.get("_specs")
        if specs is None:
            from dataclasses import replace as standard

            return standard(value, **changes)
        return cls(**{name: getattr(value, name) for name in specs} | changes)

    def _made(cls, *, frozen):
        body = dict(cls.__dict__)
        own = body.get("__annotations__", {})
        specs = {}
        for base in reversed(cls.__mro__[1:]):
            specs |= base.__dict__.get("_specs", {})
        inherited = specs.keys() & {
            name for base in cls.__mro__[1:] for name in base.__dict__.get("__slots__", ())
        }
        for name in own:
            spec = body.pop(name, _NOTHING)
            specs[name] = spec if isinstance(spec, _Spec) else _Spec(spec, _NOTHING, True)
        for name in ("__dict__", "__weakref__"):
            body.pop(name, None)
        body["__slots__"] = tuple(name for name in own if name not in inherited)
        body["_specs"] = specs
        body["_compared"] = _getter([name for name, spec in specs.items() if spec.compare])
        body["_all"] = _getter(list(specs))
        body.setdefault("__match_args__", tuple(specs))
        body.setdefault("__init__", _first_init)
        body.setdefault("__repr__", _repr)
        body.setdefault("__dataclass_fields__", _StandardFields())
        if "__eq__" not in body:
            body["__eq__"] = _eq
            body["__hash__"] = _hash if frozen else None
        if frozen:
            body["__setattr__"], body["__delattr__"] = _refuse_set, _refuse_delete
            body["__getstate__"], body["__setstate__"] = _state, _set_state
        made = type(cls)(cls.__name__, cls.__bases__, body)
        made.__qualname__ = cls.__qualname__
        return made

    def _getter(names):
        """Return what gives the values of some fields as a tuple."""
        if len(names) > 1:
            return staticmethod(attrgetter(*names))
        if not names:
            return staticmethod(lambda _value: ())
        one = attrgetter(names[0])
        return staticmethod(lambda value: (one(value),))

    def _first_init(self, *values, **named):
        """Compile the real `__init__` of a class with its first value."""
        cls = next(each for each in type(self).__mro__ if "_specs" in each.__dict__)
        if cls.__dict__["__init__"] is _first_init:
            cls.__init__ = _init_of(cls)
        cls.__init__(self, *values, **named)

    def _init_of(cls):
        scope = {"_nothing": _NOTHING}
        parameters, lines = ["self"], []
        for name, spec in cls._specs.items():
            scope[f"_set_{name}"] = getattr(cls, name).__set__  # past the refusal to set
            given = name
            if spec.default is not _NOTHING:
                scope[f"_default_{name}"] = spec.default
                parameters.append(f"{name}=_default_{name}")
            elif spec.factory is not _NOTHING:
                scope[f"_factory_{name}"] = spec.factory
                parameters.append(f"{name}=_nothing")
                given = f"_factory_{name}() if {name} is _nothing else {name}"
            else:
                parameters.append(name)
            lines.append(f" _set_{name}(self, {given})")
        text = f"def __init__({', '.join(parameters)}):\n" + "\n".join(lines or [" pass"])
        exec(text, scope)
        init = scope["__init__"]
        init.__qualname__ = f"{cls.__qualname__}.__init__"
        return init

    def _repr(self):
        told = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._specs)
        return f"{type(self).__qualname__}({told})"

    def _eq(self, other):
        if other.__class__ is not self.__class__:
            return NotImplemented
        return self._compared(self) == self._compared(other)

    def _hash(self):
        return hash(self._compared(self))

    def _refuse_set(self, name, _value):
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def _refuse_delete(self, name):
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def _state(self):
        return list(self._all(self))

    def _set_state(self, state):
        for name, value in zip(self._specs, state, strict=True):
            object.__setattr__(self, name, value)

    class _StandardFields:
        """What the functions of `dataclasses` look for; made when they do."""

        def __get__(self, _value, cls):
            import dataclasses
            import inspect

            annotations = {}
            for base in reversed(cls.__mro__):
                annotations |= inspect.get_annotations(base)
            body = {"__annotations__": {name: annotations.get(name, "Any") for name in cls._specs}}
            for name, spec in cls._specs.items():
                if spec.factory is not _NOTHING:
                    body[name] = dataclasses.field(
                        default_factory=spec.factory, compare=spec.compare
                    )
                elif spec.default is not _NOTHING:
                    body[name] = dataclasses.field(default=spec.default, compare=spec.compare)
                elif not spec.compare:
                    body[name] = dataclasses.field(compare=False)
            twin = dataclasses.dataclass(type(cls.__name__, (), body))
            cls.__dataclass_fields__ = twin.__dataclass_fields__
            return twin.__dataclass_fields__


def names_of(cls: type[Any]) -> tuple[str, ...]:
    """Return the names of a class's fields in their order."""
    names: tuple[str, ...] = cls.__match_args__
    return names
