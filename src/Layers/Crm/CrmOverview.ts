import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import { type Connection, Connections } from "../../Services/Connections/Connections.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { now, plusSeconds, type Timestamp } from "../../Services/Core/Timestamp.ts"
import type { CrmIntegration, CrmSyncStatus, CrmWarning, StuckReason } from "../../Services/Crm/CrmModel.ts"
import { CrmName } from "../../Services/Crm/Ids.ts"
import { RateLimits } from "../../Services/Outbound/RateLimits.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { adapters } from "./Adapters/Adapters.ts"
import { acceptedCredentials, type CrmAdapter } from "./Calling/CrmAdapter.ts"
import { serviceOf, servicePrefix } from "./Calling/CrmSending.ts"
import { CrmTransport } from "./Calling/CrmTransport.ts"
import { stuckDetails } from "./Pushing/StuckDetails.ts"
import { makeSyncSettings } from "./Syncing/SyncSettings.ts"

/** The number of leads that are listed per reason, and as recently sent. */
const examples = 3
const recently = 5

/** Reports on an account's CRMs and the state of its leads in them. */
export const makeCrmOverview = Effect.gen(function* () {
  const sql = yield* SqlClient
  const connections = yield* Connections
  const limits = yield* RateLimits
  const transport = yield* CrmTransport
  const settings = yield* makeSyncSettings

  const integrationOf = (
    adapter: CrmAdapter,
    connection: Option.Option<Connection>,
    warnings: ReadonlyArray<CrmWarning>
  ): CrmIntegration => {
    const existing = Option.getOrUndefined(connection)
    const pipelineId = existing?.settings["pipeline_id"]
    return {
      crm_name: adapter.name,
      status: existing?.state ?? "disconnected",
      credentials: acceptedCredentials(adapter),
      mode: transport.mode,
      verified: existing?.state === "connected" && existing.isVerified,
      connected_at: existing?.connectedAt ?? null,
      last_checked_at: existing?.checkedAt ?? null,
      last_error: existing?.lastError ?? null,
      pipeline_id: typeof pipelineId === "string" ? pipelineId : null,
      warnings: existing?.state === "connected" ? warnings : []
    }
  }

  const stuckReasons = Effect.fnUntraced(function* (crm: string) {
    const { accountId } = yield* Caller
    const rows = yield* sql<{
      readonly reason: string
      readonly count: number
      readonly examples: StuckReason["examples"]
    }>`
      select reason, max(total)::int as count, json_agg(json_build_object('lead_id', lead_id, 'lead_name', name)
        order by lead_id) filter (where place <= ${examples}) as examples
      from (
        select p.reason, p.lead_id, l.name, count(*) over (partition by p.reason) as total,
          row_number() over (partition by p.reason order by p.lead_id) as place
        from crm_lead p join lead l on l.account_id = p.account_id and l.lead_id = p.lead_id
        where p.account_id = ${accountId} and p.crm = ${crm} and p.state = 'stuck'
      ) stuck group by reason order by 2 desc, 1`.pipe(fromSql())
    return rows.map((row): StuckReason => ({ ...row, detail: stuckDetails(row.reason) }))
  })

  return {
    list: Effect.gen(function* () {
      const { accountId } = yield* Caller
      const byService = new Map((yield* connections.list(servicePrefix)).map((each) => [each.service, each]))
      const rows = yield* sql<{ readonly crm: string; readonly warnings: ReadonlyArray<CrmWarning> }>`
        select crm, warnings from crm_integration where account_id = ${accountId}`.pipe(fromSql())
      const warnings = new Map(rows.map((row) => [row.crm, row.warnings]))
      const integrations = Object.values(adapters).map((adapter) => {
        const connection = Option.fromNullable(byService.get(serviceOf(adapter.name)))
        return integrationOf(adapter, connection, warnings.get(adapter.name) ?? [])
      })
      return { integrations, minimum_status: (yield* settings.minimum) ?? null, custom_fields: yield* settings.fields }
    }).pipe(Effect.withSpan("Crm.list")),

    status: Effect.gen(function* () {
      const { accountId } = yield* Caller
      const connected = (yield* connections.list(servicePrefix)).filter(({ state }) => state !== "disconnected")
      const present = yield* now
      return yield* Effect.forEach(
        connected,
        Effect.fnUntraced(function* ({ isSandbox: isSimulated, lastError, service, state }) {
          const crm = service.slice(servicePrefix.length)
          const counted = yield* sql<{ readonly state: string; readonly count: number }>`
            select state, count(*)::int as count from crm_lead
            where account_id = ${accountId} and crm = ${crm} group by state`.pipe(fromSql())
          const count = (wanted: string) => counted.find((row) => row.state === wanted)?.count ?? 0
          const [integration] = yield* sql<{ readonly last: Timestamp | null; readonly resumes: Timestamp | null }>`
            select last_sync_at as last, case when resumes_at > instant() then resumes_at end as resumes
            from crm_integration where account_id = ${accountId} and crm = ${crm}`.pipe(fromSql())
          const recent = yield* sql<{ readonly name: string }>`
            select l.name from crm_lead p join lead l on l.account_id = p.account_id and l.lead_id = p.lead_id
            where p.account_id = ${accountId} and p.crm = ${crm} and p.state = 'synced'
            order by p.synced_at desc, p.lead_id desc limit ${recently}`.pipe(fromSql())
          const [source] = yield* sql<{ readonly warning: string | null }>`
            select warning from crm_source where account_id = ${accountId} and crm = ${crm}`.pipe(fromSql())
          const blocked = yield* limits.blockedFor(service)
          const status: CrmSyncStatus = {
            crm_name: CrmName.literals.find((name) => name === crm) ?? "hubspot",
            status: state,
            mode: isSimulated ? "sandbox" : "live",
            synced_count: count("synced"),
            pending_count: count("pending"),
            stuck_count: count("stuck"),
            stuck_reasons: yield* stuckReasons(crm),
            last_sync_at: integration?.last ?? null,
            last_error: lastError,
            resumes_at: integration?.resumes ?? (blocked > 0 ? plusSeconds(present, Math.ceil(blocked)) : null),
            source_warning: source?.warning ?? null,
            recently_synced: recent.map(({ name }) => name)
          }
          return status
        })
      )
    }).pipe(Effect.withSpan("Crm.status"))
  }
})
