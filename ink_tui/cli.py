"""The command line: `ink-tui` browses, its subcommands answer without a screen.

Nothing slow is imported before it is needed: help, version and the headless commands start
without the screen's library.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from ink_tui import __version__
from ink_tui.commands.output import INTERNAL, NEGATIVE, OK, USAGE, complain
from ink_tui.errors import ConfigError, InkTuiError, InternalError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.config import Config
    from ink_tui.store.cache import RowCache
    from ink_tui.store.library import Library

_COMMANDS = {
    "list": "the sessions of a store, newest activity first",
    "search": "anything said or run in any session, newest session first",
    "show": "the transcript of a session as plain text, or its facts",
    "compare": "two branches of a session, or two sessions, record by record",
    "export": "a session as Markdown, HTML, JSON Lines or asciicast, known secrets taken out",
    "check": "the true state of session files or folders",
    "locate": "the file that an id means",
    "resume": "continue a session with its agent in this terminal",
    "fork": "copy a session, up to an entry, into a new one",
    "repair": "settle the end of a session; a dry run unless --yes is given",
    "undo": "take back the last change to a session; a dry run unless --yes is given",
    "clean": "put empty, old or orphaned sessions into the trash; a dry run unless --yes is given",
    "agent": "the built-in agent",
    "keys": "the table of keys",
    "paths": "the folders that ink-tui uses",
}

_NEW_OBJECTS = 10_000
"""New objects after which garbage is looked for. By Python's own 700 a command that loads what it
needs looks a hundred times, which is a sixth of its time, and finds nothing."""

_MOST_DAYS = 36_500
"""A hundred years: no session is older."""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors leave through `SystemExit` with our status."""

    def error(self, message: str) -> NoReturn:
        complain(f"{message}. ink-tui --help shows the usage.")
        raise SystemExit(USAGE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status (`design.md` section 5).

    Args:
        arguments: What stands after the program's name; the process's own when left out.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    gc.set_threshold(_NEW_OBJECTS)
    try:
        return _run(given)
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else USAGE
    except ConfigError as error:
        complain(str(error))
        return USAGE
    except InternalError as error:
        complain("something went wrong inside ink-tui, and it had to stop.")
        complain("Please report these places; no text of your sessions is among them:")
        print(error, file=sys.stderr)
        return INTERNAL
    except InkTuiError as error:
        complain(str(error))
        return NEGATIVE
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output has left; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Exception as error:  # noqa: BLE001 - the border of the program
        return _internal(error)
    finally:
        gc.freeze()  # all goes with the process: Python need not search it for garbage at its end


def _internal(error: Exception) -> int:
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    complain(f"something went wrong inside ink-tui: {type(error).__name__}{where}.")
    if os.environ.get("INK_TUI_TRACEBACK"):
        traceback.print_exc()
    else:
        complain("INK_TUI_TRACEBACK=1 shows where.")
    return INTERNAL


def _run(given: list[str]) -> int:
    if given and given[0] in _COMMANDS:
        if given[0] == "agent":
            from ink_tui.runtime.main import main as run_agent

            return run_agent(given[1:])
        return _run_command(_command_parser().parse_args(given))
    return _browse(_browse_parser().parse_args(given))


def _browse_parser() -> argparse.ArgumentParser:
    commands = "\n".join(f"  {name:<8} {what}" for name, what in _COMMANDS.items())
    parser = _Parser(
        prog="ink-tui",
        description="Browse, inspect, repair, resume and fork coding-agent sessions.",
        epilog=f"Without a screen:\n{commands}\n\nink-tui COMMAND --help tells more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("session", nargs="?", metavar="ID|PATH", help="open this session")
    parser.add_argument("--version", action="version", version=f"ink-tui {__version__}")
    parser.add_argument("--demo", action="store_true", help="look around in a private sample store")
    parser.add_argument("--plain", action="store_true", help="a line dialogue, for screen readers")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")
    parser.add_argument("--theme", help="name of a theme: ink, ink-light, or one of Textual's")
    _add_no_cache(parser)
    _add_store(parser)
    return parser


def _add_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sessions-dir",
        action="append",
        default=[],
        metavar="DIR",
        help="session root instead of ~/.ink/sessions; may be given again",
    )
    parser.add_argument("--config", metavar="FILE", help="config file instead of the usual one")


def _add_no_cache(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--no-cache", action="store_true", help="keep nothing of sessions for the next start"
    )


def _command_parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="ink-tui")
    commands = parser.add_subparsers(dest="command", required=True)
    made = {name: commands.add_parser(name, help=what) for name, what in _COMMANDS.items()}
    for name, command in made.items():
        command.description = _COMMANDS[name][0].upper() + _COMMANDS[name][1:] + "."
        if name != "keys":
            command.add_argument("--json", action="store_true", help="print JSON Lines")
        _add_store(command)
    made["keys"].add_argument("--markdown", action="store_true", help="as a Markdown table")
    made["list"].add_argument("--quick", action="store_true", help="read only the ends of files")
    made["list"].add_argument("--all", action="store_true", help="archived, empty, sub-agents too")
    _add_no_cache(made["list"])
    made["check"].add_argument("paths", nargs="+", metavar="PATH", help="a file or a folder")
    made["show"].add_argument("--plain", action="store_true", help="as text (the default)")
    made["show"].add_argument("--facts", action="store_true", help="files, commands, tokens, times")
    _add_export(made["export"])
    _add_search(made["search"])
    made["compare"].add_argument("session", metavar="ID|PATH")
    made["compare"].add_argument(
        "other", nargs="?", metavar="ID|PATH", help="another session; else the nearest branch"
    )
    made["compare"].add_argument("--branch", metavar="ENTRY", help="a record of the other branch")
    for name in ("show", "locate", "export"):
        made[name].add_argument("session", metavar="ID|PATH")
    _add_resume(made["resume"])
    for name in ("repair", "undo", "fork"):
        made[name].add_argument("session", metavar="ID|PATH")
    for name in ("repair", "undo"):
        made[name].add_argument("--yes", action="store_true", help="do it; else it is only shown")
        made[name].add_argument(
            "--anyway", action="store_true", help="with --yes, even where it may be in use"
        )
    _add_clean(made["clean"])
    made["fork"].add_argument("--at", metavar="ENTRY", help="entry id to fork at; else the end")
    made["fork"].add_argument(
        "--salvage", action="store_true", help="of a damaged session, all that can be read"
    )
    made["fork"].add_argument(
        "--tip", metavar="ENTRY", help="last record of a salvage; else chosen"
    )
    made["fork"].add_argument("--into", metavar="DIR", help="working folder of the new session")
    made["fork"].add_argument("--yes", action="store_true", help="do it; else it is only shown")
    return parser


def _add_search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--limit", type=_number, metavar="N", help="stop after so many hits; else all are shown"
    )
    parser.add_argument("query", nargs="*", metavar="QUERY", help="words and filters, after --")


def _number(text: str) -> int:
    """Return a number of hits; raises what the parser turns into a usage error."""
    if not text.isascii() or not text.isdecimal() or not 0 < len(text) < 10 or int(text) == 0:
        raise argparse.ArgumentTypeError(f"“{text}” is no number of hits")
    return int(text)


def _add_export(parser: argparse.ArgumentParser) -> None:
    forms = ("md", "html", "jsonl", "cast")
    parser.add_argument("--format", choices=forms, default="md", help="else md")
    parser.add_argument("--size", metavar="WxH", help="of a cast's screen; else 100x30")
    parser.add_argument("--no-redact", action="store_true", help="leave secrets and paths in it")
    parser.add_argument("-o", "--output", metavar="FILE", help="a new file; else stdout")
    parser.add_argument("--force", action="store_true", help="replace the file if it is there")


def _add_clean(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--empty", action="store_true", help="sessions without a message")
    parser.add_argument(
        "--older-than",
        action="append",
        default=[],
        type=_days,
        metavar="DAYS",
        help="sessions whose newest record is older than so many days",
    )
    parser.add_argument(
        "--orphans", action="store_true", help="sub-agent sessions whose parent is gone"
    )
    parser.add_argument("--yes", action="store_true", help="do it; else it is only shown")


def _days(text: str) -> int:
    """Return a number of days; raises what the parser turns into a usage error."""
    if not text.isascii() or not text.isdecimal() or not 0 < int(text) <= _MOST_DAYS:
        raise argparse.ArgumentTypeError(f"“{text}” is no number of days from 1 to {_MOST_DAYS:,}")
    return int(text)


def _add_resume(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", nargs="?", metavar="ID|PATH")
    parser.add_argument(
        "--last", action="store_true", help="the newest session of the current folder"
    )
    parser.add_argument("--dry-run", action="store_true", help="show the launch, start nothing")
    parser.add_argument("--agent", metavar="NAME", help="which agent to use")


def _run_command(options: argparse.Namespace) -> int:
    command = options.command
    if command == "check":
        from ink_tui.commands.check import check

        return check(options.paths, as_json=options.json)
    config = _config(options)
    if command == "keys":
        from ink_tui.commands.keys import show_keys

        return show_keys(config, markdown=options.markdown)
    if command == "paths":
        from ink_tui.commands.paths import show_paths
        from ink_tui.commands.stores import chosen_roots

        return show_paths(chosen_roots(options.sessions_dir, config), as_json=options.json)
    if command == "search":
        from ink_tui.commands.search import search_sessions

        query, given = " ".join(options.query), options.sessions_dir
        return search_sessions(given, config, query, as_json=options.json, limit=options.limit)
    if command == "list":
        from ink_tui.commands.list_sessions import list_sessions
        from ink_tui.commands.stores import chosen_roots

        return list_sessions(
            chosen_roots(options.sessions_dir, config),
            None if options.no_cache else _cache(),
            as_json=options.json,
            quick=options.quick,
            show_all=options.all,
        )
    library = _library(options, config)
    if command == "locate":
        from ink_tui.commands.locate import locate_session

        return locate_session(library, options.session, as_json=options.json)
    if command == "show":
        from ink_tui.commands.show import show_session

        return show_session(library, options)
    if command == "compare":
        from ink_tui.commands.compare import compare_sessions

        return compare_sessions(library, options)
    if command == "export":
        from ink_tui.commands.export import export_session

        return export_session(library, options)
    if command == "resume":
        from ink_tui.commands.resume import resume_session

        return resume_session(library, config, options)
    if command == "clean":
        if not (options.empty or options.older_than or options.orphans):
            complain("say what: --empty, --older-than DAYS or --orphans. They can be combined.")
            return USAGE
        from ink_tui.commands.clean import clean_sessions

        return clean_sessions(library, config, options)
    if command == "fork":
        from ink_tui.commands.fork import fork_session

        return fork_session(library, options)
    from ink_tui.commands.repair import repair_session, undo_repair

    return (repair_session if command == "repair" else undo_repair)(library, options)


def _config(options: argparse.Namespace) -> Config:
    from ink_tui.config import load_config

    return load_config(Path(options.config) if options.config else None, os.environ)


def _library(options: argparse.Namespace, config: Config) -> Library:
    from ink_tui.commands.stores import chosen_roots
    from ink_tui.store.library import Library

    return Library(chosen_roots(options.sessions_dir, config))


def _cache() -> RowCache:
    from ink_tui.paths import cache_dir
    from ink_tui.store.cache import RowCache

    return RowCache(cache_dir(os.environ))


def _browse(options: argparse.Namespace) -> int:
    if options.plain:
        from ink_tui.commands.plain import plain

        return plain(_config(options), options.sessions_dir, demo=options.demo)
    # All that is loaded here stays: to look for garbage among it is a tenth of the start, and more
    # whenever the whole of it is gone through again.
    gc.disable()
    from ink_tui.tui.start import browse

    gc.freeze()
    gc.enable()
    return browse(
        config=_config(options),
        sessions_dirs=options.sessions_dir,
        wanted=options.session,
        demo=options.demo,
        ascii_only=options.ascii,
        theme=options.theme,
        use_cache=not options.no_cache,
    )
