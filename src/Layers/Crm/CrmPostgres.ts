import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { notFound, refused } from "../../Errors.ts"
import { Connections } from "../../Services/Connections/Connections.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { Crm, resyncJob } from "../../Services/Crm/Crm.ts"
import type { CrmCustomField } from "../../Services/Crm/CrmModel.ts"
import { statusesFrom } from "../../Services/Crm/CrmRules.ts"
import type { CrmFieldId } from "../../Services/Crm/Ids.ts"
import { Jobs } from "../../Services/Jobs/Jobs.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { servicePrefix } from "./Calling/CrmSending.ts"
import { makeCrmConnecting, makeRelease } from "./Connecting/CrmConnecting.ts"
import { makeCrmOverview } from "./CrmOverview.ts"
import { eligibleLeads } from "./Pushing/CrmResync.ts"
import { makeContactSource } from "./Syncing/ContactSource.ts"
import { makeSyncSettings } from "./Syncing/SyncSettings.ts"

const mostFields = 50

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const connections = yield* Connections
  const jobs = yield* Jobs
  const connecting = yield* makeCrmConnecting
  const overview = yield* makeCrmOverview
  const contacts = yield* makeContactSource
  const release = yield* makeRelease
  const { fields, minimum } = yield* makeSyncSettings

  return Crm.of({
    ...connecting,
    ...overview,
    ...contacts,

    setMinimumStatus: Effect.fn("Crm.setMinimumStatus")(function* (status) {
      const { accountId } = yield* Caller
      yield* status === undefined
        ? sql`delete from crm_setting where account_id = ${accountId}`.pipe(fromSql())
        : sql`
            insert into crm_setting (account_id, minimum_status) values (${accountId}, ${status})
            on conflict (account_id) do update set minimum_status = excluded.minimum_status`.pipe(fromSql())
    }),

    resync: Effect.gen(function* () {
      const { accountId } = yield* Caller
      const connected = (yield* connections.list(servicePrefix)).filter(({ state }) => state !== "disconnected")
      if (connected.length === 0) return { job_id: null, eligible_count: 0, is_already_running: false }
      const { count } = single(
        yield* sql<{ readonly count: number }>`
          select count(*)::int as count from (${eligibleLeads(sql, accountId, statusesFrom(yield* minimum))}) eligible`.pipe(
          fromSql()
        )
      )
      const { jobs: queued } = yield* jobs.list({ status: "queued", page: 0, pageSize: 50 })
      const { jobs: running } = yield* jobs.list({ status: "running", page: 0, pageSize: 50 })
      const other = [...queued, ...running].find(({ kind }) => kind === resyncJob)
      if (other !== undefined) return { job_id: other.job_id, eligible_count: count, is_already_running: true }
      const job_id = yield* jobs.enqueue({ kind: resyncJob, subjectId: undefined })
      return { job_id, eligible_count: count, is_already_running: false }
    }).pipe(Effect.withSpan("Crm.resync")),

    fields,

    addField: Effect.fn("Crm.addField")(function* (name, value) {
      const { accountId } = yield* Caller
      const known = yield* fields
      const same = known.find((field) => field.field_name === name && field.field_value === value)
      if (same !== undefined) return same
      if (known.length >= mostFields) {
        return yield* refused(
          "too_many_custom_fields",
          `The account has ${mostFields} custom fields.`,
          "Remove one first.",
          {
            maximum: mostFields
          }
        )
      }
      const rows = yield* sql<CrmCustomField>`
        insert into crm_custom_field (account_id, field_name, field_value) values (${accountId}, ${name}, ${value})
        returning field_id, field_name, field_value`.pipe(fromSql())
      yield* release(undefined)
      return single(rows)
    }),

    removeField: Effect.fn("Crm.removeField")(function* (id: CrmFieldId) {
      const { accountId } = yield* Caller
      const rows = yield* sql`
        delete from crm_custom_field where account_id = ${accountId} and field_id = ${id} returning field_id`.pipe(
        fromSql()
      )
      if (rows.length === 0) return yield* notFound("custom field", "field_id", id)
      yield* release(undefined)
    })
  })
})

export const CrmPostgres = Layer.effect(Crm, make)
