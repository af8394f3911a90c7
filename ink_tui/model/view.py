"""How a person looks at the list, remembered from one start to the next."""

from __future__ import annotations

from dataclasses import dataclass

from ink_tui.model.groups import Arrangement
from ink_tui.model.scope import Scope


@dataclass(frozen=True, slots=True)
class ListView:
    """Sections and scope of the list."""

    arrangement: Arrangement = Arrangement.FOLDER
    scope: Scope = Scope.ALL
