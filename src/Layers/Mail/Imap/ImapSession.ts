import { Data, Effect, Option, Redacted, type Scope } from "effect"
import type { ImapFlow } from "imapflow"
import { finishWithin } from "../../Platform/Finalizer.ts"
import { lookupBy } from "../../Platform/Outbound/NameResolver.ts"
import { OutboundPolicy } from "../../Platform/Outbound/OutboundPolicy.ts"
import { MailAccess } from "../Access/MailAccess.ts"
import type { ImapSettings } from "../MailSettings.ts"

/** The server or the connection to it failed. The library's messages may quote mail, so only codes are used. */
export class ImapFailed extends Data.TaggedError("ImapFailed")<{ readonly reason: string }> {}

const codeOf = (error: unknown): string => {
  for (const name of ["code", "responseStatus"]) {
    const code: unknown = typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined
    if (typeof code === "string" && /^[A-Za-z0-9_]{1,60}$/.test(code)) return code
  }
  return typeof error === "object" && error !== null && Reflect.get(error, "authenticationFailed") === true
    ? "authentication_failed"
    : "failed"
}

/** Runs one command of the library. */
export const command = <A>(run: () => Promise<A>): Effect.Effect<A, ImapFailed> =>
  Effect.tryPromise({ try: run, catch: (error) => new ImapFailed({ reason: codeOf(error) }) })

/** A password in the settings takes precedence over OAuth. */
const authOf = ({ password, user }: ImapSettings, token: Option.Option<Redacted.Redacted>) => {
  if (user === undefined) return undefined
  if (password !== undefined) return { user, pass: Redacted.value(password) }
  return Option.isSome(token) ? { user, accessToken: Redacted.value(token.value) } : undefined
}

/** A signed-in session that ends with the scope. */
export const imapSession = (settings: ImapSettings): Effect.Effect<ImapFlow, ImapFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const { host, isSecure, port, requireTls } = settings
    const access = yield* MailAccess
    const token = yield* Effect.mapError(access.accessToken, ({ reason }) => new ImapFailed({ reason }))
    const auth = authOf(settings, token)
    const { resolve } = yield* OutboundPolicy
    const lookup = lookupBy(resolve, { isOperators: true })
    // Loaded when the first mailbox is opened, because few gateways have one.
    const library = yield* Effect.promise(() => import("imapflow"))
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const client = new library.ImapFlow({
          host,
          port,
          secure: isSecure,
          ...(requireTls && !isSecure ? { doSTARTTLS: true } : {}),
          ...(auth === undefined ? {} : { auth }),
          // Also used without TLS, because the library passes these options to the plain connection.
          tls: { lookup, minVersion: "TLSv1.2", rejectUnauthorized: isSecure || requireTls },
          logger: false,
          disableAutoIdle: true,
          connectionTimeout: 20_000,
          greetingTimeout: 20_000,
          socketTimeout: 6 * 60_000,
          maxLiteralSize: 64 * 1024 * 1024,
          maxResponseSize: 65 * 1024 * 1024
        })
        // Without a listener, a broken connection would end the process. Commands fail separately.
        client.on("error", () => {})
        return client
      }),
      (client) =>
        Effect.promise(() => client.logout().catch(() => {})).pipe(
          finishWithin("2 seconds"),
          Effect.zipRight(Effect.sync(() => client.close()))
        )
    )
    yield* Effect.tapError(
      command(() => client.connect()),
      () => (Option.isSome(token) ? access.reject(token.value) : Effect.void)
    )
    return client
  })
