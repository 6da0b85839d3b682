import { execFile } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect } from "effect"
import { freePort } from "./LocalDovecot.ts"

const binary = "/usr/sbin/postfix"

/** Whether this machine has the mail server and lets it start, which takes root. Tests with it are skipped elsewhere. */
export const hasPostfix = fs.existsSync(binary) && process.getuid?.() === 0

export interface LocalPostfix {
  readonly port: number
}

interface PostfixMailboxes {
  /** Addresses, or domains as `@domain`, and the Maildir of each. */
  readonly maildirs: { readonly [address: string]: string }
  /** Domains that a server on another port takes. */
  readonly relays: { readonly [domain: string]: number }
}

const run = (...parameters: ReadonlyArray<string>) =>
  Effect.promise(
    () =>
      new Promise<void>((resolve, reject) =>
        execFile(binary, parameters, (error, stdout, stderr) =>
          error === null ? resolve() : reject(new Error(`postfix ${parameters.join(" ")}: ${stdout}${stderr}`))
        )
      )
  )

const table = (entries: ReadonlyArray<readonly [string, string]>): string =>
  entries.length === 0 ? "" : `inline:{${entries.map(([key, value]) => `{ ${key} = ${value} }`).join(", ")}}`

const domainOf = (address: string): string => address.slice(address.indexOf("@") + 1)

const mainSettings = (directory: string, { maildirs, relays }: PostfixMailboxes): string => `
compatibility_level = 3.6
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
queue_directory = ${directory}/spool
data_directory = ${directory}/data
mail_owner = postfix
setgid_group = postdrop
maillog_file = ${directory}/log
maillog_file_prefixes = ${directory}
myhostname = mx.example
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_tls_security_level = none
smtp_dns_support_level = disabled
smtp_host_lookup = native
virtual_mailbox_domains = ${[...new Set(Object.keys(maildirs).map(domainOf))].join(", ")}
virtual_mailbox_base = /
virtual_mailbox_maps = ${table(Object.entries(maildirs))}
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
virtual_minimum_uid = 1000
relay_domains = ${Object.keys(relays).join(", ")}
transport_maps = ${table(Object.entries(relays).map(([domain, port]) => [domain, `smtp:[127.0.0.1]:${port}`]))}
`

const services = (port: number): string => `
127.0.0.1:${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`

/** A real mail server with separate settings on a free port of this machine. It ends with the scope. */
export const localPostfix = (mailboxes: PostfixMailboxes) =>
  Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(
      Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "gateway-postfix-"))),
      (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
    )
    const settings = path.join(directory, "etc")
    const port = yield* freePort
    yield* Effect.sync(() => {
      fs.chmodSync(directory, 0o755)
      for (const name of ["etc", "spool", "data"]) fs.mkdirSync(path.join(directory, name), { mode: 0o755 })
      const [, , uid, gid] =
        fs
          .readFileSync("/etc/passwd", "utf8")
          .split("\n")
          .map((line) => line.split(":"))
          .find(([name]) => name === "postfix") ?? []
      fs.chownSync(path.join(directory, "data"), Number(uid), Number(gid))
      fs.writeFileSync(path.join(settings, "main.cf"), mainSettings(directory, mailboxes))
      fs.writeFileSync(path.join(settings, "master.cf"), services(port))
    })
    yield* Effect.acquireRelease(run("-c", settings, "start"), () => run("-c", settings, "abort"))
    return { port } satisfies LocalPostfix
  })
