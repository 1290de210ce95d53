#!/bin/sh
# Applies monitors as code from any CI. Needs curl, UPTIME_SITE_URL, and in UPTIME_API_KEY a key with the scope
# apply: `uptime keys create --name ci --scope apply`.
# The command line comes from the server itself, so it always has the server's version.
set -eu
export UPTIME_INSTALL_DIR="$PWD/.uptime"
curl -fsS "$UPTIME_SITE_URL/install.sh" | sh
"$UPTIME_INSTALL_DIR/uptime" monitors apply -f monitors.yaml --yes
