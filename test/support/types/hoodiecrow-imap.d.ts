declare module "hoodiecrow-imap" {
  import type { Server } from "node:net"

  interface ImapServer {
    /** The listening socket. */
    readonly server: Server
    readonly listen: (port: number, host: string, listening: () => void) => void
    readonly close: (closed: () => void) => void
    /** Each character of the `raw` text is a byte. */
    readonly appendMessage: (
      mailbox: string,
      flags: ReadonlyArray<string>,
      internalDate: string | false,
      raw: string
    ) => void
  }

  const hoodiecrow: (options: {
    readonly plugins: ReadonlyArray<string>
    readonly users: {
      readonly [name: string]: { readonly password: string; readonly xoauth2?: { readonly accessToken: string } }
    }
    readonly storage: object
  }) => ImapServer
  export default hoodiecrow
}
