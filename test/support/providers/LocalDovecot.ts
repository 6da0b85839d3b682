import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs"
import { type AddressInfo, connect, createServer } from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, Schedule } from "effect"
import { ImapFlow } from "imapflow"

const binary = "/usr/sbin/dovecot"

/** Whether this machine has the IMAP server; tests with it are skipped where it has not. */
export const hasDovecot = fs.existsSync(binary)

export interface LocalDovecot {
  readonly port: number
  /** The Maildir into which a mail server delivers. */
  readonly maildir: string
  /** Puts a message into a mailbox, as a mail server would. */
  readonly append: (raw: Buffer, mailbox?: string) => Effect.Effect<void>
  /** Flags of all messages of the inbox, oldest first. */
  readonly flags: Effect.Effect<ReadonlyArray<ReadonlyArray<string>>>
  readonly stop: Effect.Effect<void>
  readonly start: Effect.Effect<void>
}

export const freePort = Effect.promise(
  () =>
    new Promise<number>((resolve) => {
      const server = createServer()
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        server.close(() => resolve(port))
      })
    })
)

/** How tokens are checked: at an address that says whose a token is. */
const tokenSettings = (introspectionUrl: string): string => `
introspection_mode = post
introspection_url = ${introspectionUrl}
username_attribute = username
active_attribute = active
active_value = true
`

const tokenLogin = (directory: string): string => `
auth_mechanisms = plain login xoauth2
passdb {
  driver = oauth2
  mechanisms = xoauth2
  args = ${directory}/tokens.conf
}
`

const configuration = (directory: string, port: number, hasTokens: boolean): string => {
  const isRoot = process.getuid?.() === 0
  const user = os.userInfo().username
  return `
base_dir = ${directory}/run
log_path = ${directory}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${directory}/mail
mail_uid = ${isRoot ? "nobody" : user}
mail_gid = ${isRoot ? "nogroup" : String(process.getgid?.() ?? 0)}
first_valid_uid = 1
${isRoot ? "" : `default_internal_user = ${user}\ndefault_internal_group = ${String(process.getgid?.() ?? 0)}\ndefault_login_user = ${user}\n`}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
${hasTokens ? tokenLogin(directory) : ""}
passdb {
  driver = static
  mechanisms = plain login
  args = password=right
}
userdb {
  driver = static
  args = uid=${isRoot ? "nobody" : user} gid=${isRoot ? "nogroup" : String(process.getgid?.() ?? 0)} home=${directory}/mail
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
}
`
}

const isListening = (port: number) =>
  Effect.promise(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, "127.0.0.1")
        socket.once("connect", () => resolve(true))
        socket.once("error", () => resolve(false))
        socket.once("close", () => socket.destroy())
        socket.once("connect", () => socket.end())
      })
  )

/** A real IMAP server with separate settings on a free port of this machine. It ends with the scope. */
export const makeLocalDovecot = Effect.fnUntraced(function* (options: {
  /** Asked whose a token is (RFC 7662). Without it, there is no sign-in by token. */
  readonly introspectionUrl?: string
}) {
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const made = fs.mkdtempSync(path.join(os.tmpdir(), "gateway-dovecot-"))
      fs.mkdirSync(path.join(made, "mail"))
      fs.chmodSync(made, 0o755)
      fs.chmodSync(path.join(made, "mail"), 0o777)
      return made
    }),
    (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
  )
  const port = yield* freePort
  const file = path.join(directory, "dovecot.conf")
  const { introspectionUrl } = options
  if (introspectionUrl !== undefined) {
    fs.writeFileSync(path.join(directory, "tokens.conf"), tokenSettings(introspectionUrl))
  }
  fs.writeFileSync(file, configuration(directory, port, introspectionUrl !== undefined))

  let server: ChildProcess | undefined
  const start = Effect.gen(function* () {
    server = spawn(binary, ["-F", "-c", file], { stdio: "ignore" })
    yield* Effect.repeat(isListening(port), { until: (is) => is, schedule: Schedule.spaced("50 millis") }).pipe(
      Effect.timeout("20 seconds"),
      Effect.orDie
    )
  })
  const stop = Effect.promise(
    () =>
      new Promise<void>((resolve) => {
        const running = server
        server = undefined
        if (running === undefined || running.exitCode !== null) return resolve()
        running.once("exit", () => resolve())
        running.kill("SIGTERM")
      })
  )
  yield* Effect.acquireRelease(start, () => stop)

  const withClient = <A>(use: (client: ImapFlow) => Promise<A>): Effect.Effect<A> =>
    Effect.promise(async () => {
      const client = new ImapFlow({
        host: "127.0.0.1",
        port,
        secure: false,
        auth: { user: "gateway", pass: "right" },
        logger: false
      })
      client.on("error", () => {})
      await client.connect()
      try {
        return await use(client)
      } finally {
        await client.logout()
      }
    })

  const handle: LocalDovecot = {
    port,
    maildir: path.join(directory, "mail"),
    start,
    stop,
    append: (raw, mailbox = "INBOX") => Effect.asVoid(withClient((client) => client.append(mailbox, raw))),
    flags: withClient(async (client) => {
      await client.mailboxOpen("INBOX", { readOnly: true })
      const found: Array<ReadonlyArray<string>> = []
      for await (const message of client.fetch("1:*", { flags: true })) found.push([...(message.flags ?? [])])
      return found
    })
  }
  return handle
})

export const localDovecot = makeLocalDovecot({})
