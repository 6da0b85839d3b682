import type { AddressInfo, Socket } from "node:net"
import { Effect } from "effect"
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server"

export interface ReceivedMail {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly raw: string
  readonly user: string | undefined
  readonly isEncrypted: boolean
}

/** What the server does at each step; it takes everything unless told. */
export interface SmtpBehaviour {
  /** SMTP replies such as `550 5.1.1 No such user`. */
  readonly onSender?: (address: string) => string | undefined
  readonly onRecipient?: (address: string) => string | undefined
  /** At the DATA command, before the message comes. */
  readonly onData?: (connection: { readonly drop: () => void }) => void
  /** When the message is whole: a reply to refuse it with, `drop` to end without a word, or a promise to wait for. */
  readonly onMessage?: (mail: ReceivedMail) => string | undefined | Promise<string | undefined>
}

export interface LocalSmtpServer {
  readonly port: number
  /** What the server took responsibility for, in order, even where it did not say so. */
  readonly messages: ReadonlyArray<ReceivedMail>
  readonly connections: () => number
  /** What happens from now on. */
  readonly behave: (behaviour: SmtpBehaviour) => void
  readonly dropIdle: () => void
}

const replyError = (reply: string): Error => {
  const [, code = "500", text = ""] = /^(\d{3}) (.*)$/.exec(reply) ?? []
  return Object.assign(new Error(text), { responseCode: Number(code) })
}

/** A mail server of the test's own on a free port of this machine, closed with the scope. */
export const localSmtpServer = (options: SMTPServerOptions = {}) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const messages: Array<ReceivedMail> = []
        let behaviour: SmtpBehaviour = {}
        let connected = 0
        const sockets = new Map<string, Socket>()
        const server = new SMTPServer({
          authOptional: true,
          disabledCommands: ["STARTTLS"],
          onConnect: (_session, callback) => {
            connected++
            callback()
          },
          onAuth: (auth, _session, callback) =>
            auth.password === "right"
              ? callback(null, { user: auth.username ?? "" })
              : callback(Object.assign(new Error("Bad credentials"), { responseCode: 535 })),
          onMailFrom: ({ address }, _session, callback) => {
            const reply = behaviour.onSender?.(address)
            callback(reply === undefined ? null : replyError(reply))
          },
          onRcptTo: ({ address }, _session, callback) => {
            const reply = behaviour.onRecipient?.(address)
            callback(reply === undefined ? null : replyError(reply))
          },
          onData: (stream, session, callback) => {
            const drop = () => sockets.get(session.remotePort === undefined ? "" : `${session.remotePort}`)?.destroy()
            behaviour.onData?.({ drop })
            const chunks: Array<Buffer> = []
            stream.on("data", (chunk: Buffer) => chunks.push(chunk))
            stream.on("end", () => {
              const mail = receivedMail(session, Buffer.concat(chunks).toString("utf8"))
              void Promise.resolve(behaviour.onMessage?.(mail)).then((reply) => {
                if (reply === undefined || reply === "drop") messages.push(mail)
                if (reply === "drop") drop()
                else if (reply === undefined) callback(null, "2.0.0 Ok: queued as 4F1A")
                else callback(replyError(reply))
              })
            })
          },
          ...options
        })
        server.on("error", () => {})
        server.server.on("connection", (socket: Socket) => sockets.set(`${socket.remotePort}`, socket))
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
        const { port } = server.server.address() as AddressInfo
        const handle: LocalSmtpServer = {
          port,
          messages,
          connections: () => connected,
          behave: (wanted) => {
            behaviour = wanted
          },
          dropIdle: () => {
            for (const socket of sockets.values()) socket.destroy()
          }
        }
        return { server, handle, sockets }
      }),
      ({ server, sockets }) =>
        Effect.promise(async () => {
          for (const socket of sockets.values()) socket.destroy()
          await new Promise<void>((resolve) => server.close(() => resolve()))
        })
    ),
    ({ handle }) => handle
  )

const receivedMail = ({ envelope, secure, user }: SMTPServerSession, raw: string): ReceivedMail => ({
  from: envelope.mailFrom === false ? "" : (envelope.mailFrom?.address ?? ""),
  to: envelope.rcptTo.map(({ address }) => address),
  raw,
  user: typeof user === "string" ? user : undefined,
  isEncrypted: secure
})
