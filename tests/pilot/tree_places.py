"""The proofs of the keys of the tree."""

from __future__ import annotations

from ink_tui.model.tree_choice import FilterMode, TreeChoice
from tests.pilot.key_places import (
    Proof,
    becomes,
    changed,
    fold_open,
    more,
    on_branch,
    on_fold,
    on_hidden_branch,
    on_open_fold,
)
from tests.pilot.run import Run


async def at_user_only(run: Run) -> None:
    await run.at_tree()
    run.tree.choose(TreeChoice(FilterMode.USER_ONLY))


TREE = {
    "fold": (Proof(on_open_fold, fold_open, becomes(False)),),
    "unfold": (Proof(on_fold, fold_open, becomes(True)),),
    "tree-filter": (Proof(Run.at_tree, lambda run: run.tree.mode, changed),),
    "filter-default": (
        Proof(at_user_only, lambda run: run.tree.mode, becomes(FilterMode.DEFAULT)),
    ),
    **{
        action: (Proof(Run.at_tree, lambda run: run.tree.choice.mode, becomes(mode)),)
        for action, mode in (
            ("filter-no-tools", FilterMode.NO_TOOLS),
            ("filter-user", FilterMode.USER_ONLY),
            ("filter-labelled", FilterMode.LABELLED),
            ("filter-problems", FilterMode.PROBLEMS),
            ("filter-all", FilterMode.ALL),
        )
    },
    "tree-column": (Proof(Run.at_tree, lambda run: run.tree.choice.column, changed),),
    "hide-branch": (Proof(on_branch, lambda run: "1 hidden" in run.text, becomes(True)),),
    "tree-hidden": (Proof(on_hidden_branch, lambda run: len(run.tree.rows), more),),
}
