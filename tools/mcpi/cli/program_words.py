# SPDX-License-Identifier: BSD-2-Clause
"""The command line of a command that runs a program: the program's own arguments are refused."""

from typer.core import TyperCommand

from mcpi.base.errors import UserError


class ProgramCommand(TyperCommand):
    """A command whose positional words are the files of a program."""

    def parse_args(self, ctx, args: list[str]) -> list[str]:
        """Parse as typer does. UserError for words after ``--`` when a file
        stands before it."""
        if "--" in args:
            at = args.index("--")
            given, _, _ = self.make_parser(ctx).parse_args(args=list(args[:at]))
            places = [one.name for one in self.get_params(ctx) if one.param_type_name == "argument"]
            if any(given.get(name) for name in places) and args[at + 1 :]:
                words = " ".join(args[at:])
                raise UserError(
                    f"{words}: a program has no arguments yet (argc is 1). Leave them out, or set "
                    "them with --define NAME=VALUE."
                )
        return super().parse_args(ctx, args)
