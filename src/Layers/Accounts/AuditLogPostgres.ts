import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Schema } from "effect"
import { type AuditedCall, AuditTrail, auditDays } from "../../Services/Accounts/AuditTrail.ts"
import { AuditLog } from "../../Services/Core/AuditLog.ts"
import { makeBatchedLog } from "../Platform/Postgres/BatchedLog.ts"
import { makeDayPartitions } from "../Platform/Postgres/DayPartitions.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { Sealing } from "../Platform/Sealing.ts"
import { makeAppend, makeCheckpoints, makeVerify } from "./AuditChainPostgres.ts"

const mostWaiting = 50_000

interface ListedRow extends Omit<AuditedCall, "changes" | "changes_erased"> {
  readonly changes: string | null
  readonly hasChanges: boolean
  readonly entry: number
  readonly millis: number
}

const decodeChanges = Schema.decodeSync(
  Schema.parseJson(
    Schema.Array(Schema.Struct({ setting: Schema.String, before: Schema.Unknown, after: Schema.Unknown }))
  )
)

const listedCall = ({ changes, entry, hasChanges, millis, ...row }: ListedRow) => ({
  call: {
    ...row,
    changes: changes === null ? [] : decodeChanges(changes),
    changes_erased: hasChanges && changes === null
  },
  cursor: { millis, entry }
})

const makeList = (sql: SqlClient): AuditTrail["Type"]["list"] =>
  Effect.fn("AuditTrail.list")(function* (accountId, filter, { before, limit }) {
    const beforeAt = before === undefined ? null : new Date(before.millis).toISOString()
    const rows = yield* sql<ListedRow>`
      select e.at, e.position, e.access_token_id as token_id, e.request_id, e.tool, e.argument_names, e.outcome, e.reason,
        e.milliseconds, e.changes, e.changes_digest is not null as "hasChanges", encode(e.link, 'hex') as link,
        e.audit_entry_id as entry, (extract(epoch from e.at) * 1000)::bigint as millis
      from audit_entry e
      where e.account_id = ${accountId} and (${filter.tool ?? null}::text is null or e.tool = ${filter.tool ?? null})
        and (${filter.tokenId ?? null}::bigint is null or e.access_token_id = ${filter.tokenId ?? null})
        and (${filter.outcome ?? null}::text is null or e.outcome = ${filter.outcome ?? null})
        and (${filter.since ?? null}::timestamptz is null or e.at >= ${filter.since ?? null})
        and (${filter.until ?? null}::timestamptz is null or e.at < ${filter.until ?? null})
        and (not ${filter.onlyChanges}::boolean or e.changes_digest is not null)
        and (${beforeAt}::timestamptz is null
          or (e.at, e.audit_entry_id) < (${beforeAt}::timestamptz, ${before?.entry ?? 0}::bigint))
      order by e.at desc, e.audit_entry_id desc limit ${limit}`.pipe(fromSql())
    return rows.map(listedCall)
  })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const sealing = yield* Sealing
  const partitions = makeDayPartitions(sql, "audit_entry")
  const { flush, record } = yield* makeBatchedLog({
    name: "audit",
    mostWaiting,
    pause: "200 millis",
    partitions,
    write: makeAppend(sql, sealing)
  })
  const trail = AuditTrail.of({
    list: makeList(sql),
    verify: makeVerify(sql, sealing),
    flush,
    keep: partitions.keep(auditDays, makeCheckpoints(sql, sealing)).pipe(fromSql(), Effect.withSpan("AuditTrail.keep"))
  })
  return Context.make(AuditTrail, trail).pipe(Context.add(AuditLog, { record: (entry) => void record(entry) }))
})

/** Stores finished writes in batches, as a chain of entries for each account, in transactions of the log. */
export const AuditLogPostgres = Layer.scopedContext(make)
