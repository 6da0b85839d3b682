#!/bin/sh
# Writes the secrets of compose.yaml and an empty gateway.env, once. An existing secret is left as it is.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
[ -e gateway.env ] || : >gateway.env
chmod 700 secrets
random() { head -c 32 /dev/urandom | base64 | tr -d '\n=+/'; }
write() {
  [ -e "secrets/$1" ] || printf '%s\n' "$2" >"secrets/$1"
  # The container's user is not the one who runs this. Only the owner of the folder can enter it.
  chmod 644 "secrets/$1"
}
write postgres_password "$(random)"
write database_url "postgres://gateway:$(cat secrets/postgres_password)@postgres:5432/gateway"
write sealing_key "$(random)"
write operations_token "$(random)"
write grafana_password "$(random)"
echo "The secrets are in $(pwd)/secrets. Keep a copy of sealing_key: without it, stored credentials cannot be read."
