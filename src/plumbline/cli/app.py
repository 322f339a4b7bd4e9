"""The program `plumbline`: commands are loaded when they are used, and every error leaves by one door."""

from __future__ import annotations

import os
import signal
import sys
from io import StringIO
from typing import Final, NoReturn

import click

from plumbline._version import __version__
from plumbline.cli.catalogue import command_names, is_command, load_command, sections
from plumbline.cli.screen import for_screen
from plumbline.cli.settings import defaults_of, setting_name
from plumbline.errors.base import PlumblineError, nearest, shortened
from plumbline.errors.faces import spelling
from plumbline.io.bytes.panics import this_is_the_program

HELP: Final = """Which of your systems is better, by which measure, and would that verdict survive?

\b
Examples:
  plumbline evaluate qrels.txt runs/*.run -m AP -m nDCG@10
  plumbline compare qrels.txt runs/*.run -m AP -m nDCG@10 --baseline bm25
  plumbline demo

Options can also be set in [tool.plumbline.COMMAND] of pyproject.toml and as PLUMBLINE_COMMAND_OPTION in the environment.
"""


class Commands(click.Group):
    """A group whose commands are imported when they are used, so that --help is instant."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the help page."""
        return list(command_names())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if not is_command(cmd_name):
            return None
        command = load_command(cmd_name)
        if "_PLUMBLINE_COMPLETE" in os.environ:
            from plumbline.cli.completion import with_completion

            with_completion(command.params)
        for option in command.params:
            if isinstance(option, click.Option):
                option.envvar = f"PLUMBLINE_{cmd_name}_{setting_name(option)}".upper()
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names; one that does not exist is answered with the nearest."""
        if args and not is_command(args[0]) and not args[0].startswith("-"):
            near = nearest(args[0], command_names(), n=1)
            hint = f"did you mean {near[0]}?" if near else "plumbline --help lists all commands"
            ctx.fail(f"there is no command {args[0]!r}: {hint}")
        return super().resolve_command(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        """The help page; on a narrow terminal long examples go on in the next line."""
        return for_screen(super().get_help(ctx), sys.stdout)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        for heading, listed in sections():
            with formatter.section(heading):
                formatter.write_dl(listed)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click calls it so
    """Print the version, and whether large files are read by the module in C."""
    if wanted:
        from plumbline.io.native import native

        click.echo(f"plumbline, version {__version__}, {'without' if native() is None else 'with'} the reader in C")
        ctx.exit()


@click.group(
    cls=Commands, help=HELP, context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "PLUMBLINE"}
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show the version and exit."
)
@click.option("--debug", is_flag=True, expose_value=False, help="Print the trace of an internal error.")
@click.pass_context
def plumbline(ctx: click.Context) -> None:
    """Load the settings of the command that was typed."""
    name = ctx.invoked_subcommand
    command = ctx.command.get_command(ctx, name) if name and isinstance(ctx.command, Commands) else None
    if name and command:
        ctx.default_map = {name: defaults_of(command)}


def main() -> NoReturn:
    """Run the program and end with the exit code that the outcome deserves; a closed pipe ends it quietly (141)."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    _fill_closed_streams()
    this_is_the_program()
    sys.exit(run(sys.argv[1:]))


def _fill_closed_streams() -> None:
    """Streams that the caller closed (`>&-`): nothing can be read, results cannot be written, and notices go nowhere.

    Their numbers are taken, or else the next file that is opened would get one, and be written into by mistake.
    """
    kinds = (("stdin", os.O_RDONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w"))
    for name, rights, mode in kinds:
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, rights), mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - a number, for good


@spelling("shell")
def run(arguments: list[str]) -> int:  # noqa: PLR0911 - one return for each exit code
    """0 done, 1 bad data, 2 bad usage, 3 a bug of ours, 130 Ctrl-C, 141 closed pipe."""
    _escape_what_the_locale_lacks()
    debug = "--debug" in arguments
    try:
        outcome = plumbline.main(
            [word for word in arguments if word != "--debug"], prog_name="plumbline", standalone_mode=False
        )
        sys.stdout.flush()
    except PlumblineError as error:
        _say(str(error))
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        _say("interrupted")
        return 130
    except click.ClickException as error:
        message = StringIO()
        error.show(message)
        _say(shortened(message.getvalue().removesuffix("\n")))
        return error.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    except OSError as error:
        _say(_refusal(error))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 2
    except Exception as error:  # noqa: BLE001 - the last door
        if _is_out_of_memory(error):
            _say("there is not enough memory for this: give fewer or smaller files, or run it on a larger machine")
            return 2
        return _bug(error, arguments, debug=debug)
    return outcome if isinstance(outcome, int) else 0


def _is_out_of_memory(error: Exception) -> bool:
    """Whether memory ended, maybe while a library was loaded, which is an error of its own."""
    return isinstance(error, MemoryError) or (isinstance(error, ImportError) and "failed to map segment" in str(error))


def _refusal(error: OSError) -> str:
    """What the system refused: to open a file, or else to take what is printed."""
    reason = error.strerror or str(error)
    if error.filename is None:
        return f"cannot write the output: {reason}"
    from plumbline.errors import BadUsage, files
    from plumbline.io.paths import decoded

    return str(BadUsage(files.unreadable(decoded(os.fsdecode(error.filename)), reason)))


def _escape_what_the_locale_lacks() -> None:
    """Text that the locale cannot write is escaped, not fatal."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _say(text: str) -> None:
    try:
        sys.stderr.write(f"{for_screen(text, sys.stderr)}\n")
    except OSError:
        return


def _bug(error: Exception, arguments: list[str], *, debug: bool) -> int:
    """A bug of ours: say so, keep the trace in a file."""
    import tempfile
    import traceback

    trace = "".join(traceback.format_exception(error))
    if debug:
        _say(trace)
        return 3
    try:
        with tempfile.NamedTemporaryFile("w", prefix="plumbline-", suffix=".trace", delete=False, encoding="utf-8") as file:
            file.write(f"plumbline {__version__}\n{arguments!r}\n{trace}")
        where = f"the trace is in {file.name}"
    except OSError:
        where = "run again with --debug to see the trace"
    _say(f"internal error ({type(error).__name__}): this is a bug in plumbline, please report it; {where}")
    return 3
