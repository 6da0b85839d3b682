import { randomUUID } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Option, Redacted, Schedule, Schema } from "effect"
import { type Refused, refused, type Transient, transient } from "../../Errors.ts"
import { Connections, type Secrets } from "../../Services/Connections/Connections.ts"
import type { ConnectionState } from "../../Services/Connections/Ids.ts"
import type { OAuthProvider } from "../../Services/Connections/OAuth.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { alwaysOutsideTransaction } from "../Platform/Postgres/OutsideTransaction.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { Sealing } from "../Platform/Sealing.ts"
import { connectionOwner, secretsText } from "./ConnectionsPostgres.ts"
import { type ExchangeFailure, exchangeRefresh, type Tokens } from "./OAuthExchange.ts"

/** A token that expires sooner than this is renewed before it is used. */
const spareMillis = 60_000
/** The lease of a renewal in seconds. It is longer than a request for new tokens may take. */
const renewalSeconds = 40
const pollMillis = 100
const polls = 450

const Stored = Schema.parseJson(
  Schema.Struct({
    access_token: Schema.String,
    refresh_token: Schema.optional(Schema.String),
    expires_at: Schema.NumberFromString,
    scope: Schema.String
  })
)
const decodeStored = Schema.decodeUnknownOption(Stored)

/** Tokens as a connection's secrets. */
export const secretsOf = ({ accessToken, expiresAt, refreshToken, scopes }: Tokens): Secrets => ({
  access_token: accessToken,
  ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
  expires_at: Redacted.make(`${expiresAt}`),
  scope: Redacted.make(scopes.join(" "))
})

const tokensOf = (text: Redacted.Redacted): Option.Option<Tokens> =>
  Option.map(decodeStored(Redacted.value(text)), ({ access_token, expires_at, refresh_token, scope }) => ({
    accessToken: Redacted.make(access_token),
    refreshToken: refresh_token === undefined ? undefined : Redacted.make(refresh_token),
    expiresAt: expires_at,
    scopes: scope.split(" ").filter((part) => part !== "")
  }))

interface Row {
  readonly state: ConnectionState
  readonly secrets: Uint8Array | null
  readonly isSandbox: boolean
}

/** The stored tokens and their encrypted bytes. An update only replaces exactly these bytes. */
export interface StoredTokens {
  readonly tokens: Tokens
  readonly bytes: Uint8Array
}

const prefixOf = ({ reasonPrefix, service }: OAuthProvider): string => reasonPrefix ?? service

export const notConnected = (provider: OAuthProvider): Refused =>
  refused(
    `${prefixOf(provider)}_not_connected`,
    `The account has not connected ${provider.title.en}.`,
    `Let the account's owner open the link of ${provider.connectTool}.`,
    { connection_status: "disconnected" }
  )

export const needsReconnect = (provider: OAuthProvider): Refused =>
  refused(
    `${prefixOf(provider)}_needs_reconnect`,
    `The access to ${provider.title.en} no longer holds.`,
    `Let the account's owner open the link of ${provider.connectTool} and consent anew.`,
    { connection_status: "needs_reconnect" }
  )

const unanswered = (provider: OAuthProvider, code: string): Transient =>
  transient(
    `${prefixOf(provider)}_unavailable`,
    `No access to ${provider.title.en} could be had for the moment (${code}).`,
    10
  )

/** The rows of connections with tokens. */
const makeTokenStore = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const sealing = yield* Sealing
  const connections = yield* Connections

  const read = Effect.fnUntraced(function* ({ mode, service }: OAuthProvider) {
    const { accountId } = yield* Caller
    const [row] = yield* sql<Row>`
      select state, secrets, is_sandbox as "isSandbox" from connection
      where account_id = ${accountId} and service = ${service}`.pipe(fromSql())
    if (row === undefined || row.secrets === null) return { state: "disconnected" as const, stored: undefined }
    const bytes = row.secrets
    const stored = sealing.open(bytes, connectionOwner(accountId, service)).pipe(
      Option.flatMap(tokensOf),
      Option.map((tokens): StoredTokens => ({ tokens, bytes })),
      Option.getOrUndefined
    )
    return { state: row.state, stored: row.isSandbox === (mode === "sandbox") ? stored : undefined }
  })

  /** Matches only if the row still has these bytes, so that an older consent cannot change a newer one. */
  const isStill = Effect.fnUntraced(function* ({ service }: OAuthProvider, { bytes }: StoredTokens) {
    const { accountId } = yield* Caller
    return sql`account_id = ${accountId} and service = ${service} and state = 'connected' and secrets = ${bytes}`
  })

  const replace = Effect.fnUntraced(function* (provider: OAuthProvider, before: StoredTokens, tokens: Tokens) {
    const { accountId } = yield* Caller
    const where = yield* isStill(provider, before)
    const sealed = sealing.seal(secretsText(secretsOf(tokens)), connectionOwner(accountId, provider.service))
    yield* sql`
      update connection set secrets = ${sealed}, renewed_by = null, renewed_until = null, checked_at = instant(),
        last_error = null
      where ${where}`.pipe(fromSql())
  })

  const lose = (provider: OAuthProvider, reason: string, before?: StoredTokens) =>
    unit.write(
      Effect.gen(function* () {
        if (before !== undefined) {
          const rows = yield* sql`
            select service from connection where ${yield* isStill(provider, before)} for update`.pipe(fromSql())
          if (rows.length === 0) return
        }
        yield* connections.loseAccess(provider.service, reason, { name: provider.title, tool: provider.connectTool })
      })
    )

  const lease = Effect.fnUntraced(function* (provider: OAuthProvider, stored: StoredTokens, holder: string) {
    const rows = yield* sql`
      update connection set renewed_by = ${holder}::uuid,
        renewed_until = instant() + make_interval(secs => ${renewalSeconds})
      where ${yield* isStill(provider, stored)} and coalesce(renewed_until, '-infinity') <= instant()
      returning service`.pipe(fromSql())
    return rows.length > 0
  })

  const giveBack = Effect.fnUntraced(function* (
    provider: OAuthProvider,
    stored: StoredTokens,
    holder: string,
    code: string
  ) {
    const where = yield* isStill(provider, stored)
    yield* sql`
      update connection set renewed_by = null, renewed_until = null, checked_at = instant(), last_error = ${code}
      where ${where} and renewed_by = ${holder}::uuid`.pipe(fromSql())
  })

  return { read, replace, lose, lease, giveBack }
})

export const makeOAuthTokens = Effect.gen(function* () {
  const { giveBack, lease, lose, read, replace } = yield* makeTokenStore

  /**
   * Renews tokens. The holder of the lease requests and stores them without interruption. If the request gets no
   * response, the old tokens stay. If the service has invalidated them, the next attempt learns that the consent has
   * ended.
   */
  const renew = (provider: OAuthProvider, stored: StoredTokens, holder: string) =>
    exchangeRefresh(provider, stored.tokens).pipe(
      Effect.flatMap((tokens) =>
        // The tokens are stored without interruption, because the service does not send them again.
        replace(provider, stored, tokens).pipe(
          Effect.retry(Schedule.intersect(Schedule.exponential("50 millis"), Schedule.recurs(6)))
        )
      ),
      Effect.catchTag("ExchangeFailure", (failure: ExchangeFailure) =>
        failure.reason === "grant_ended"
          ? lose(provider, failure.code, stored)
          : Effect.zipRight(
              giveBack(provider, stored, holder, failure.code),
              Effect.fail(unanswered(provider, failure.code))
            )
      ),
      Effect.uninterruptible
    )

  /** Returns valid tokens. If several callers find expired ones, one of them renews the tokens. */
  const current = Effect.fnUntraced(function* (provider: OAuthProvider) {
    const holder = randomUUID()
    for (let turn = 0; turn < polls; turn++) {
      const { stored, state } = yield* read(provider)
      if (state === "disconnected") return yield* notConnected(provider)
      if (state === "needs_reconnect") return yield* needsReconnect(provider)
      if (stored === undefined) {
        // The tokens were encrypted with a lost key, or were issued by a simulated server that is no longer used.
        yield* lose(provider, "secrets_unreadable")
        return yield* needsReconnect(provider)
      }
      if (stored.tokens.expiresAt - spareMillis > (yield* Clock.currentTimeMillis)) return stored
      yield* (yield* lease(provider, stored, holder)) ? renew(provider, stored, holder) : Effect.sleep(pollMillis)
    }
    return yield* unanswered(provider, "renewal_pending")
  })

  return {
    accessToken: (provider: OAuthProvider) =>
      Effect.map(alwaysOutsideTransaction(current(provider)), ({ tokens }) => tokens.accessToken),

    /** Returns the stored tokens, whether they are valid or not. Undefined if nothing is connected. */
    stored: (provider: OAuthProvider) =>
      Effect.map(read(provider), ({ stored, state }) => (state === "connected" ? stored : undefined)),

    reject: (provider: OAuthProvider, accessToken: Redacted.Redacted) =>
      alwaysOutsideTransaction(
        Effect.gen(function* () {
          const { stored } = yield* read(provider)
          if (stored === undefined || Redacted.value(stored.tokens.accessToken) !== Redacted.value(accessToken)) return
          yield* replace(provider, stored, { ...stored.tokens, expiresAt: 0 })
        })
      ),

    loseAccess: (provider: OAuthProvider, reason: string) => Effect.as(lose(provider, reason), needsReconnect(provider))
  }
})
