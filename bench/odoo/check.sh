#!/bin/sh
# Installs Odoo 14 of Debian 11 in a chroot, and runs `npm run check:crm -- odoo` against it.
#   bench/odoo/check.sh          installs what is missing, starts the servers, checks, stops the servers
#   bench/odoo/check.sh remove   deletes the chroot
# It needs root and debootstrap. The servers listen on this machine's loopback address only.
set -eu

root=${ODOO_ROOT:-/var/tmp/odoo14}
# Empty: the mirror that debootstrap knows.
mirror=${ODOO_MIRROR:-}
database=prospecting
password=prospecting-check
port=${ODOO_PORT:-8069}
postgres_port=${ODOO_POSTGRES_PORT:-54329}
here=$(cd "$(dirname "$0")/../.." && pwd)

inside() { chroot "$root" /usr/bin/env LC_ALL=C.UTF-8 HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }

# Odoo runs as its own user, who owns the database.
as_odoo() { inside runuser -u odoo -- "$@"; }

odoo_options="--config=/dev/null --db_host=/var/run/postgresql --db_port=$postgres_port --db_user=odoo
  --data-dir=/var/lib/odoo --xmlrpc-interface=127.0.0.1 --xmlrpc-port=$port --no-database-list --without-demo=all
  --max-cron-threads=0"

unmount() { umount "$root/proc" 2>/dev/null || true; }

if [ "${1:-}" = remove ]; then
  unmount
  rm -rf "$root"
  exit 0
fi

if [ ! -e "$root/etc/debian_version" ]; then
  debootstrap --variant=minbase --include=ca-certificates bullseye "$root" ${mirror:+"$mirror"}
fi
mkdir -p "$root/proc"
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"

if [ ! -e "$root/usr/bin/odoo" ]; then
  # Packages start no servers of their own here.
  printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
  inside apt-get update
  inside apt-get install --yes --no-install-recommends postgresql odoo-14
fi

postgres="--port $postgres_port"
if ! inside pg_lsclusters -h | grep -q " $postgres_port "; then
  inside pg_createcluster 13 check $postgres -- --auth=trust
fi
inside pg_ctlcluster 13 check start -- -o "-c listen_addresses='' -c fsync=off"

odoo=
stop() {
  if [ -n "$odoo" ] && kill "$odoo" 2>/dev/null; then wait "$odoo" || true; fi
  inside pg_ctlcluster 13 check stop --mode fast || true
  unmount
}
trap stop EXIT
trap 'exit 1' INT TERM

if ! inside runuser -u postgres -- psql -p "$postgres_port" -Atc 'select rolname from pg_roles' | grep -qx odoo; then
  inside runuser -u postgres -- createuser -p "$postgres_port" --createdb odoo
fi
if ! as_odoo psql -p "$postgres_port" -d postgres -Atc 'select datname from pg_database' | grep -qx "$database"; then
  as_odoo odoo $odoo_options --database="$database" --init=crm --stop-after-init --log-level=warn
  # The key of a user is a password too. The account of a fresh database is `admin`.
  as_odoo odoo shell $odoo_options --database="$database" --log-level=warn <<PYTHON
env.ref('base.user_admin').password = '$password'
env.cr.commit()
PYTHON
fi

# Without a function around it, so that its process id is that of the server.
chroot "$root" /usr/bin/env LC_ALL=C.UTF-8 runuser -u odoo -- odoo $odoo_options --database="$database" --log-level=warn &
odoo=$!
tries=0
until curl -sf -o /dev/null "http://127.0.0.1:$port/web/login"; do
  tries=$((tries + 1))
  [ "$tries" -lt 90 ] || { echo "Odoo did not start." >&2; exit 1; }
  sleep 1
done

cd "$here"
CHECK_URL="http://127.0.0.1:$port" CHECK_DATABASE=$database CHECK_USERNAME=admin CHECK_API_KEY=$password \
  npm run --silent check:crm -- odoo
