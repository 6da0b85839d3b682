import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"
import { hasDovecot, localDovecot } from "./LocalDovecot.ts"

export interface LocalMailbox {
  readonly port: number
  /** Puts a message into the inbox, as a mail server would. */
  readonly append: (raw: Buffer) => Effect.Effect<void>
}

/** An IMAP server that needs nothing of the machine: for where Dovecot is not installed. */
export const localHoodiecrow: Effect.Effect<LocalMailbox, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { default: hoodiecrow } = await import("hoodiecrow-imap")
      const server = hoodiecrow({
        plugins: ["ID", "IDLE", "NAMESPACE", "SPECIAL-USE", "UNSELECT"],
        users: { gateway: { password: "right" } },
        storage: {
          INBOX: { messages: [] },
          "": { separator: "/", folders: { Sent: { "special-use": "\\Sent" } } }
        }
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return server
    }),
    (server) => Effect.async<void>((resume) => server.close(() => resume(Effect.void)))
  ),
  (server) => {
    const { port } = server.server.address() as AddressInfo
    return {
      port,
      append: (raw) => Effect.sync(() => void server.appendMessage("INBOX", [], false, raw.toString("binary")))
    }
  }
)

/** A real IMAP server of the test's own, user `gateway` with the password `right`; it ends with the scope. */
export const localMailbox: Effect.Effect<LocalMailbox, never, Scope.Scope> = hasDovecot ? localDovecot : localHoodiecrow
