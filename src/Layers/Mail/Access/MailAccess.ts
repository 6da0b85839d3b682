import { Context, Data, Effect, type Option, type Redacted } from "effect"

/** No access token is available. `reason` is a code. */
export class MailAccessFailed extends Data.TaggedError("MailAccessFailed")<{ readonly reason: string }> {}

/** Signs in to the operator's mail servers by OAuth. By default, there is no OAuth and a password is used. */
export class MailAccess extends Context.Reference<MailAccess>()("MailAccess", {
  defaultValue: (): {
    readonly accessToken: Effect.Effect<Option.Option<Redacted.Redacted>, MailAccessFailed>
    /** A server refused the token, so the next call returns a new one. */
    readonly reject: (token: Redacted.Redacted) => Effect.Effect<void>
  } => ({ accessToken: Effect.succeedNone, reject: () => Effect.void })
}) {}
