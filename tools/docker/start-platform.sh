#!/bin/sh
# Builds the package in a container (compose.yaml) and starts the stand-in. It works on a copy, so the checkout stays unchanged.
set -eu

cd /package
tar -C /source --exclude=./node_modules --exclude=./.git --exclude=./.cache -cf - . | tar -xf -
npm ci
npm run build
exec npm run service -- --host 0.0.0.0 --profile deployed
