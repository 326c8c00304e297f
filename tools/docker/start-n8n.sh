#!/bin/sh
# Starts n8n in its container (compose.yaml), with the built package, a credential for the stand-in and the examples.
set -eu

home=${N8N_USER_FOLDER:-$HOME}/.n8n
source=${PACKAGE_FOLDER:-/package}
target=$home/nodes/node_modules/n8n-nodes-security-awareness

# Workflows may read and write files in this folder.
mkdir -p "$target" "$HOME/.n8n-files"
cp -R "$source/package.json" "$source/dist" "$target/"
if [ ! -e "$home/examples-imported" ]; then
	n8n import:credentials --input="$source/tools/docker/credential.json"
	n8n import:workflow --separate --input="$source/examples"
	touch "$home/examples-imported"
fi
exec n8n start
