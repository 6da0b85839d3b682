import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { type Connection, Connections, type Secrets } from "../../Services/Connections/Connections.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import { makeLookupBatcher } from "../Platform/Postgres/grouped/LookupBatcher.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { Sealing } from "../Platform/Sealing.ts"

const connectionColumns = `service, state, identity, settings, is_verified as "isVerified", is_sandbox as "isSandbox",
  connected_at as "connectedAt", checked_at as "checkedAt", last_error as "lastError"`

/** The owner for which the secrets of a connection are encrypted. */
export const connectionOwner = (accountId: number, service: string) => `connection ${accountId} ${service}`

const StoredSecrets = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.String }))
const decodeSecrets = Schema.decodeUnknownOption(StoredSecrets)

/** Secrets as they are sealed. */
export const secretsText = (secrets: Secrets): Redacted.Redacted =>
  Redacted.make(
    JSON.stringify(Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, Redacted.value(value)])))
  )

const opened = (text: Option.Option<Redacted.Redacted>): Option.Option<Secrets> =>
  Option.flatMap(text, (sealed) => decodeSecrets(Redacted.value(sealed))).pipe(
    Option.map((stored) =>
      Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, Redacted.make(value)]))
    )
  )

interface SealedRow {
  readonly account_id: AccountId
  readonly service: string
  readonly secrets: Uint8Array
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const sealing = yield* Sealing
  const sealed = yield* makeLookupBatcher({
    maximumKeys: 100,
    accountOf: ({ accountId }) => accountId,
    text: `
      select c.account_id, c.service, c.secrets from connection c
      join (select distinct account_id, service from unnest($1::bigint[], $2::text[]) as a (account_id, service)) asked
        on asked.account_id = c.account_id and asked.service = c.service
      where c.account_id = any($1::bigint[]) and c.state = 'connected'`,
    values: (keys: ReadonlyArray<{ readonly accountId: AccountId; readonly service: string }>) => [
      keys.map(({ accountId }) => accountId),
      keys.map(({ service }) => service)
    ],
    found: (keys, rows: ReadonlyArray<SealedRow>) => {
      const secretsByOwner = new Map(rows.map((row) => [connectionOwner(row.account_id, row.service), row.secrets]))
      return keys.map(({ accountId, service }) =>
        Option.fromNullable(secretsByOwner.get(connectionOwner(accountId, service)))
      )
    }
  })
  const notifications = yield* Notifications

  const select = (accountId: number, service: string) =>
    sql<Connection>`select ${sql.literal(connectionColumns)} from connection
      where account_id = ${accountId} and service = ${service}`.pipe(fromSql())

  return Connections.of({
    get: Effect.fn("Connections.get")(function* (service) {
      const { accountId } = yield* Caller
      return Option.fromNullable((yield* select(accountId, service))[0])
    }),

    list: Effect.fn("Connections.list")(function* (prefix) {
      const { accountId } = yield* Caller
      return yield* sql<Connection>`
        select ${sql.literal(connectionColumns)} from connection
        where account_id = ${accountId} and starts_with(service, ${prefix}) order by service`.pipe(fromSql())
    }),

    secrets: Effect.fn("Connections.secrets")(function* (service) {
      const { accountId } = yield* Caller
      const owner = connectionOwner(accountId, service)
      const [row] = yield* sql<{ readonly secrets: Uint8Array }>`
        select secrets from connection
        where account_id = ${accountId} and service = ${service} and state = 'connected'`.pipe(fromSql())
      if (row === undefined) return Option.none()
      const text = sealing.open(row.secrets, owner)
      if (Option.isSome(text) && sealing.isOutdated(row.secrets)) {
        yield* sql`
          update connection set secrets = ${sealing.seal(text.value, owner)}
          where account_id = ${accountId} and service = ${service} and secrets = ${row.secrets}`.pipe(fromSql())
      }
      return opened(text)
    }),

    secretsOf: (accountId, service) =>
      Effect.map(sealed.get({ accountId, service }), (row) =>
        opened(Option.flatMap(row, (secrets) => sealing.open(secrets, connectionOwner(accountId, service))))
      ),

    connect: Effect.fn("Connections.connect")(function* ({
      identity,
      isSandbox,
      isVerified,
      secrets,
      service,
      settings
    }) {
      const { accountId } = yield* Caller
      const sealed = sealing.seal(secretsText(secrets), connectionOwner(accountId, service))
      // The used quota of another account at the service does not apply to this one. The quota that this account has
      // used still does.
      yield* sql`
        delete from connection_bucket b using connection c
        where b.account_id = ${accountId} and b.service = ${service} and c.account_id = b.account_id
          and c.service = b.service and c.identity is distinct from ${identity}`.pipe(fromSql())
      yield* sql`
        insert into connection (account_id, service, state, identity, settings, secrets, is_verified, is_sandbox)
        values (${accountId}, ${service}, 'connected', ${identity}, ${JSON.stringify(settings)}::jsonb, ${sealed},
          ${isVerified}, ${isSandbox})
        on conflict (account_id, service) do update set state = 'connected', identity = excluded.identity,
          settings = excluded.settings, secrets = excluded.secrets, is_verified = excluded.is_verified,
          is_sandbox = excluded.is_sandbox, connected_at = instant(), checked_at = instant(), last_error = null,
          renewed_by = null, renewed_until = null`.pipe(fromSql())
    }),

    noteCheck: Effect.fn("Connections.noteCheck")(function* (service, error) {
      const { accountId } = yield* Caller
      yield* sql`
        update connection set checked_at = instant(), last_error = ${error ?? null}
        where account_id = ${accountId} and service = ${service} and state = 'connected'`.pipe(fromSql())
    }),

    loseAccess: Effect.fn("Connections.loseAccess")(function* (service, error, told) {
      const { accountId } = yield* Caller
      const lost = yield* sql`
        update connection set state = 'needs_reconnect', checked_at = instant(), last_error = ${error}
        where account_id = ${accountId} and service = ${service} and state = 'connected' returning service`.pipe(
        fromSql()
      )
      if (lost.length > 0) yield* notifications.tell({ kind: "connection_lost", ...told }, { service, reason: error })
    }),

    disconnect: Effect.fn("Connections.disconnect")(function* (service) {
      const { accountId } = yield* Caller
      const rows = yield* sql`
        update connection set state = 'disconnected', secrets = null, last_error = null, renewed_by = null,
          renewed_until = null
        where account_id = ${accountId} and service = ${service} and state <> 'disconnected' returning service`.pipe(
        fromSql()
      )
      return rows.length > 0
    })
  })
})

export const ConnectionsPostgres = Layer.effect(Connections, make)
