"""How a person looks at list and tree, remembered from one start to the next."""

from __future__ import annotations

from dataclasses import dataclass

from ink_tui.model.groups import Arrangement
from ink_tui.model.scope import Scope
from ink_tui.model.tree_choice import USUAL, TreeChoice


@dataclass(frozen=True, slots=True)
class ListView:
    """Sections and scope of the list, filter and last column of the tree."""

    arrangement: Arrangement = Arrangement.FOLDER
    scope: Scope = Scope.ALL
    tree: TreeChoice = USUAL
