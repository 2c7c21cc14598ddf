"""Settings of the documentation site; `make docs` builds it into out/docs."""

import sys
import tomllib
from pathlib import Path
from typing import Any

from pygments.lexers.special import TextLexer

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS / "_extension"))
package = tomllib.loads((DOCS.parent / "pyproject.toml").read_text())["project"]


def setup(app: Any) -> None:
    """Show CSV as plain text: Pygments has no lexer for it."""
    app.add_lexer("csv", TextLexer)


project = package["name"]
release = version = package["version"]
author = copyright = "The splitroute authors"
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "source_links",
    "flowcharts",
    "docstrings",
    "generated",
    "drawings",
]
exclude_patterns = ["_*"]
default_role = "literal"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88
add_module_names = False

# Markdown as GitHub shows it, with the same anchors.
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block", "colon_fence"]
myst_fence_as_directive = ["mermaid"]

# Notebooks have no outputs in the repository; they are executed whenever the site is built.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 60
nb_execution_show_tb = True

html_theme = "furo"
html_title = f"splitroute {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"
copybutton_prompt_text = "$ "
copybutton_exclude = ".linenos, .gp, .go"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1d5f8a", "color-brand-content": "#1d5f8a"},
    "dark_css_variables": {"color-brand-primary": "#7cbbe3", "color-brand-content": "#7cbbe3"},
}
