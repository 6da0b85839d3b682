import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { type AuditedCall, AuditTrail, auditDays } from "../../Services/Accounts/AuditTrail.ts"
import { type AuditEntry, AuditLog } from "../../Services/Core/AuditLog.ts"
import { makeBatchedLog } from "../Platform/Postgres/BatchedLog.ts"
import { makeDayPartitions } from "../Platform/Postgres/DayPartitions.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

const mostWaiting = 50_000

const makeInsert = (sql: SqlClient) => (entries: ReadonlyArray<AuditEntry>) =>
  sql`
    insert into audit_entry (account_id, at, access_token_id, request_id, tool, argument_names, outcome, reason,
      milliseconds)
    select e.account_id, e.at, e.token, e.request, e.tool, string_to_array(e.names, ','), e.outcome, e.reason, e.ms
    from unnest(${entries.map(({ accountId }) => accountId)}::bigint[],
      ${entries.map(({ at }) => new Date(at).toISOString())}::timestamptz[],
      ${entries.map(({ tokenId }) => tokenId ?? null)}::bigint[],
      ${entries.map(({ requestId }) => requestId.slice(0, 200))}::text[], ${entries.map(({ tool }) => tool)}::text[],
      ${entries.map(({ argumentNames }) => argumentNames.join(","))}::text[],
      ${entries.map(({ outcome }) => outcome)}::text[], ${entries.map(({ reason }) => reason ?? null)}::text[],
      ${entries.map(({ milliseconds }) => milliseconds)}::integer[])
      as e (account_id, at, token, request, tool, names, outcome, reason, ms)
    -- An account that was closed in between has no log any more.
    join account a on a.account_id = e.account_id`

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const partitions = makeDayPartitions(sql, "audit_entry")
  const { flush, record } = yield* makeBatchedLog({
    name: "audit",
    mostWaiting,
    pause: "200 millis",
    partitions,
    write: makeInsert(sql)
  })

  const trail = AuditTrail.of({
    list: Effect.fn("AuditTrail.list")(function* ({ accountId, limit, outcome, since, tool }) {
      return yield* sql<AuditedCall>`
        select e.at, e.account_id, e.access_token_id as token_id, e.request_id, e.tool, e.argument_names, e.outcome,
          e.reason, e.milliseconds
        from audit_entry e
        where e.account_id = ${accountId} and (${tool ?? null}::text is null or e.tool = ${tool ?? null})
          and (${outcome ?? null}::text is null or e.outcome = ${outcome ?? null})
          and (${since ?? null}::timestamptz is null or e.at >= ${since ?? null})
        order by e.at desc, e.audit_entry_id desc limit ${limit}`.pipe(fromSql())
    }),
    flush,
    keep: partitions.keep(auditDays).pipe(fromSql(), Effect.withSpan("AuditTrail.keep"))
  })
  return Context.make(AuditTrail, trail).pipe(Context.add(AuditLog, { record: (entry) => void record(entry) }))
})

/** Stores finished writes in batches, in transactions of the log. */
export const AuditLogPostgres = Layer.scopedContext(make)
