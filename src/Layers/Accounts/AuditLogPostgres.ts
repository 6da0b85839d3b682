import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Schedule } from "effect"
import { type AuditedCall, AuditTrail, auditDays } from "../../Services/Accounts/AuditTrail.ts"
import { type AuditEntry, AuditLog } from "../../Services/Core/AuditLog.ts"
import { describeCause } from "../../Services/Core/SafeCause.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { makeDayPartitions, startOfDay } from "../Platform/Postgres/DayPartitions.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** Entries that wait while the database is away; beyond them the oldest are given up, and that is logged. */
const mostWaiting = 50_000
const perStatement = 1000

/** How far the log is behind the calls: what a process that is killed may lose. */
const behind = "200 millis"

const makeAuditServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  return { sql, unit }
})
type AuditServices = Effect.Effect.Success<typeof makeAuditServices>

const makeEntries = ({ sql, unit }: AuditServices) => {
  const partitions = makeDayPartitions(sql, "audit_entry")

  const insert = (entries: ReadonlyArray<AuditEntry>) =>
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
      -- An account that was closed meanwhile has no log any more.
      join account a on a.account_id = e.account_id`

  /** Answers those of accounts whose node of a cluster is away: they wait for it, and nobody else does. */
  const insertWherePossible = (entries: ReadonlyArray<AuditEntry>) =>
    Effect.catchAll(Effect.as(insert(entries), []), (failure) => {
      const batches = unit.perAccount(entries)
      return batches.length === 1
        ? Effect.fail(failure)
        : Effect.map(
            Effect.forEach(batches, (batch) =>
              Effect.match(insert(batch), { onSuccess: () => [], onFailure: () => batch })
            ),
            (refused) => refused.flat()
          )
    })

  return { partitions, insertWherePossible }
}
type Entries = ReturnType<typeof makeEntries>
/** Reads the log, and keeps its partitions: one per day. */
const auditTrail = (
  { sql }: AuditServices,
  { partitions }: Entries,
  flush: typeof AuditTrail.Service.flush
): typeof AuditTrail.Service => ({
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

const make = Effect.gen(function* () {
  const services = yield* makeAuditServices
  const entries = makeEntries(services)
  const { insertWherePossible, partitions } = entries
  let waiting: Array<AuditEntry> = []
  let given = 0
  const filled = yield* Effect.makeLatch(false)

  // One after another: whoever asks for it waits for what is under way, too.
  const oneAtATime = yield* Effect.makeSemaphore(1)

  const flush = Effect.suspend(() => {
    const entries = waiting
    if (entries.length === 0) return Effect.void
    waiting = []
    filled.unsafeClose()
    let written = 0
    const left: Array<AuditEntry> = []
    const write = Effect.gen(function* () {
      for (const millis of new Set(entries.map(({ at }) => startOfDay(at)))) yield* partitions.make(millis)
      while (written < entries.length) {
        const batch = entries.slice(written, written + perStatement)
        left.push(...(yield* insertWherePossible(batch)))
        written += batch.length
      }
    })
    const keepRest = Effect.sync(() => {
      const rest = [...left, ...entries.slice(written)]
      if (rest.length === 0) return
      waiting = [...rest, ...waiting]
      filled.unsafeOpen()
    })
    return write.pipe(
      // A partition that was known may be gone.
      Effect.catchAll(() => Effect.suspend(() => Effect.zipRight(Effect.sync(partitions.forget), write))),
      Effect.ensuring(keepRest),
      fromSql()
    )
  }).pipe(Effect.uninterruptible, oneAtATime.withPermits(1))

  const flushQuietly = Effect.zipRight(
    Effect.catchAllCause(flush, (cause) =>
      Effect.annotateLogs(Effect.logWarning("the audit log cannot be written"), { cause: describeCause(cause) })
    ),
    Effect.suspend(() => {
      const lost = given
      given = 0
      return lost === 0
        ? Effect.void
        : Effect.annotateLogs(Effect.logError("entries of the audit log were dropped"), { entries: lost })
    })
  )
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(flushQuietly, "5 seconds")))
  yield* Effect.forkScoped(Effect.repeat(Effect.zipRight(filled.await, flushQuietly), Schedule.spaced(behind)))

  const trail = auditTrail(services, entries, flush)

  const record = (entry: AuditEntry): void => {
    if (waiting.length >= mostWaiting) {
      waiting.shift()
      given += 1
    }
    waiting.push(entry)
    filled.unsafeOpen()
  }
  return Context.make(AuditTrail, trail).pipe(Context.add(AuditLog, { record }))
})

/** Takes finished writes and puts them down in batches, in transactions of its own. */
export const AuditLogPostgres = Layer.scopedContext(make)
