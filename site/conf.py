# SPDX-License-Identifier: BSD-2-Clause
"""Sphinx's configuration of the site; ``./mcpi docs`` gives it the staged sources."""

from pathlib import Path

from pygments.lexers.special import TextLexer

project = "mCPI"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "index"
# Pages are Markdown as GitHub reads it: what only MyST has would change their text.
myst_disable_syntax = ["myst_line_comment", "myst_block_break", "myst_target", "myst_role"]
myst_heading_anchors = 6
suppress_warnings = ["toc.not_included", "myst.header"]
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
smartquotes = False

html_theme = "furo"
html_title = "mCPI"
html_static_path = [str(Path(__file__).with_name("static"))]
html_css_files = ["style.css"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5fa8", "color-brand-content": "#1f5fa8"},
    "dark_css_variables": {"color-brand-primary": "#7fb2ea", "color-brand-content": "#7fb2ea"},
}
pygments_style, pygments_dark_style = "tango", "github-dark"
highlight_language = "none"
# The same sources give the same bytes, and no page asks for a file that is not here.
html_copy_source = False
html_show_copyright = False
html_show_search_summary = False  # each result would be fetched, which file:// forbids
html_show_sourcelink = False
html_use_opensearch = ""


def setup(app) -> None:
    """Show x-kernel graphs, of which Pygments knows nothing, as plain text."""
    app.add_lexer("graph", TextLexer)
