# Fails with one line if Node is missing or too old to build the page: its packages would fail with a
# stack trace. The versions are those of "engines" in package.json.
advice='install Node 20.19, 22.12 or 24 (or later) from https://nodejs.org'
version=$(node --version 2>/dev/null) && command -v npm >/dev/null ||
  { echo "building the page needs Node with npm: $advice" >&2; exit 1; }
echo "$version" | awk -F '[v.]' '
  { exit !($2 == 20 && $3 >= 19 || $2 == 22 && $3 >= 12 || $2 >= 24) }' ||
  { echo "Node $version cannot build the page: $advice" >&2; exit 1; }
