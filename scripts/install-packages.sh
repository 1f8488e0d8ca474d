#!/bin/sh
# Installs what the project needs on Debian 12, if something is missing. Called by the Makefile.
# RAGGED_NO_INSTALL=1 skips it (for builds against an MLIR of one's own).
set -eu
packages="gcc g++ make cmake ninja-build git libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools
  libdnnl-dev libdnnl2 python3 python3-numpy python3-psutil python3-scipy"
[ -z "${RAGGED_NO_INSTALL:-}" ] || exit 0
missing=""
for package in $packages; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
command -v apt-get >/dev/null || { echo "needed, and no apt-get to install them:$missing" >&2; exit 1; }
become=""
[ "$(id -u)" = 0 ] || become=sudo
echo "installing:$missing"
$become apt-get update -qq
DEBIAN_FRONTEND=noninteractive $become apt-get install -y -qq --no-install-recommends $missing >/dev/null
