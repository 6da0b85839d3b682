import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Layer, Option, Redacted } from "effect"
import { OutsideHealth } from "../../../Services/Core/Outside/OutsideHealth.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { Sealing } from "../../Platform/Sealing.ts"
import { type MailOAuthSettings, MailSettings } from "../MailSettings.ts"
import { MailAccess, MailAccessFailed } from "./MailAccess.ts"
import { endpointsOf, type MailOAuthEndpoints, type MailTokens, makeTokenExchange } from "./MailConsent.ts"

/** A token that expires sooner than this is renewed before use. */
const spareMillis = 60_000

const ownerOf = ({ provider }: MailOAuthSettings): string => `operator mail ${provider}`

/** Stores the operator's refresh token, encrypted. */
export const makeMailTokenStore = Effect.gen(function* () {
  const sql = yield* SqlClient
  const sealing = yield* Sealing
  return {
    write: (settings: MailOAuthSettings, refreshToken: Redacted.Redacted) =>
      sql`
        insert into mail_access (provider, secret, updated_at)
        values (${settings.provider}, ${sealing.seal(refreshToken, ownerOf(settings))}, instant())
        on conflict (provider) do update set secret = excluded.secret, updated_at = excluded.updated_at`.pipe(
        fromSql(),
        Effect.asVoid
      ),
    read: (settings: MailOAuthSettings) =>
      sql<{ readonly secret: Uint8Array }>`
        select secret from mail_access where provider = ${settings.provider}`.pipe(
        fromSql(),
        Effect.map(([row]) =>
          Option.flatMap(Option.fromNullable(row), ({ secret }) => sealing.open(secret, ownerOf(settings)))
        )
      )
  }
})

interface HeldToken {
  readonly token: Redacted.Redacted
  readonly expiresAt: number
}

/**
 * Access by a consent that `gateway mail authorize` stored. Renewals run one at a time, and the new refresh token is
 * stored before the access token is used.
 */
export const makeMailAccess = (settings: MailOAuthSettings, endpoints: MailOAuthEndpoints) =>
  Effect.gen(function* () {
    const http = yield* OutboundHttp
    const store = yield* makeMailTokenStore
    const connection = yield* (yield* OutsideHealth).watch("mail.oauth")
    const exchange = makeTokenExchange(http, endpoints, settings)
    const oneAtATime = yield* Effect.makeSemaphore(1)
    let presentToken: HeldToken | undefined

    const keep = (tokens: MailTokens) =>
      Effect.gen(function* () {
        if (Option.isSome(tokens.refreshToken)) yield* store.write(settings, tokens.refreshToken.value)
        const now = yield* Clock.currentTimeMillis
        presentToken = { token: tokens.accessToken, expiresAt: now + tokens.expiresInSeconds * 1000 }
        return Option.some(tokens.accessToken)
      })

    const renew = Effect.gen(function* () {
      const stored = yield* store.read(settings)
      if (Option.isNone(stored)) return yield* new MailAccessFailed({ reason: "not_authorized" })
      const tokens = yield* exchange({ grant_type: "refresh_token", refresh_token: Redacted.value(stored.value) })
      return yield* keep(tokens)
    }).pipe(
      Effect.catchTag("Transient", ({ reason }) => new MailAccessFailed({ reason })),
      Effect.tapBoth({
        onFailure: ({ reason }) => connection.failed(reason),
        onSuccess: () => connection.worked
      })
    )

    return {
      accessToken: oneAtATime.withPermits(1)(
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          presentToken !== undefined && presentToken.expiresAt - spareMillis > now
            ? Effect.succeedSome(presentToken.token)
            : renew
        )
      ),
      reject: (token: Redacted.Redacted) =>
        Effect.sync(() => {
          if (presentToken !== undefined && Redacted.value(presentToken.token) === Redacted.value(token))
            presentToken = undefined
        })
    }
  })

/** OAuth, if the settings name a provider for it. */
export const MailAccessPostgres = Layer.effect(
  MailAccess,
  Effect.flatMap(MailSettings, ({ oauth }) =>
    Option.match(oauth, {
      onNone: () => Effect.succeed({ accessToken: Effect.succeedNone, reject: () => Effect.void }),
      onSome: (settings) => makeMailAccess(settings, endpointsOf(settings))
    })
  )
)
