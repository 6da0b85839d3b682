import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option, Redacted } from "effect"
import { notFound, type Refused, refused, type Transient, transient } from "../../Errors.ts"
import { type Connection, Connections, type Secrets } from "../../Services/Connections/Connections.ts"
import { RateLimits } from "../../Services/Connections/RateLimits.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { now, plusSeconds, type Timestamp } from "../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { type CredentialName, Crm, credentialNames, type NewCrm, resyncJob } from "../../Services/Crm/Crm.ts"
import type {
  ConnectedCrm,
  CrmCustomField,
  CrmIntegration,
  CrmLeadSource,
  CrmSyncStatus,
  CrmWarning,
  StuckReason
} from "../../Services/Crm/CrmModel.ts"
import { type MinimumStatus, statusesFrom } from "../../Services/Crm/CrmRules.ts"
import { type CrmFieldId, CrmName } from "../../Services/Crm/Ids.ts"
import { Jobs } from "../../Services/Jobs/Jobs.ts"
import { LeadChanges } from "../../Services/Leads/LeadChanges.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { adapters } from "./Adapters.ts"
import { type CrmAdapter, type CrmFailure, takenBy } from "./CrmAdapter.ts"
import { CrmHookBase, hookAddress, hookSecret, makeHookRemovals, newHookSecret, register } from "./CrmHooks.ts"
import { eligibleLeads } from "./CrmResync.ts"
import { credentialsOf, makeCrmClients, type ReachedCrm, serviceOf, servicePrefix } from "./CrmSending.ts"
import { CrmTransport } from "./CrmTransport.ts"
import { sandboxKeyPrefix } from "./SandboxCrm.ts"
import { stuckDetails } from "./StuckDetails.ts"

const mostFields = 50
/** Leads that are named with a reason, and as recently sent. */
const examples = 3
const recently = 5
/** Credentials that are no secrets: the sandbox takes any. */
const addresses: ReadonlySet<CredentialName> = new Set(["url", "database", "username"])

const names = [...adapters.keys()]

const notBuilt = (crmName: CrmName): Refused =>
  refused("crm_not_available", `${crmName} cannot be connected yet.`, "Connect one of the CRMs in accepted_values.", {
    parameter: "crm_name",
    accepted_values: names
  })

/** Why the CRM's answer to the first question keeps it from being connected. */
const checkFailed = (crmName: string, failure: CrmFailure): Refused | Transient => {
  switch (failure.reason) {
    case "unauthorized":
    case "forbidden":
      return refused(
        "crm_credentials_refused",
        `${crmName} does not take these credentials.`,
        "Copy them anew from the CRM's settings, of a user who may read and write contacts and deals. Nothing was stored.",
        { crm_name: crmName }
      )
    case "address_not_allowed":
      return refused(
        "url_not_allowed",
        "The CRM's address cannot be reached from here.",
        "Give its public https address.",
        { parameter: "url" }
      )
    case "rate_limited":
    case "unavailable":
    case "unknown":
      return transient(
        "crm_unavailable",
        `${crmName} did not answer as it should. Nothing was stored.`,
        failure.retryAfterSeconds ?? 10
      )
    case "not_found":
    case "conflict":
    case "refused_by_crm":
      return refused(
        "crm_check_failed",
        `${crmName} refused to be asked with these credentials.`,
        "Check that they are of the right CRM and account. Nothing was stored.",
        { crm_name: crmName }
      )
  }
}

/** The credentials that this CRM takes, or which one is missing or not its own. */
const checkedCredentials = (adapter: CrmAdapter, { credentials, crmName }: NewCrm, isSandbox: boolean) => {
  const taken = takenBy(adapter)
  const { needsOneOf = [] } = adapter
  const stray = [...credentials.keys()].find((name) => !taken.includes(name))
  if (stray !== undefined) {
    return refused("credential_not_taken", `${crmName} has no ${stray}.`, `Send ${taken.join(", ")}.`, {
      parameter: stray,
      accepted_values: taken
    })
  }
  const missing = adapter.needs.find((name) => !credentials.has(name))
  if (missing !== undefined) {
    return refused("credential_missing", `${crmName} needs ${adapter.needs.join(", ")}.`, `Send ${missing}.`, {
      parameter: missing,
      accepted_values: taken
    })
  }
  if (needsOneOf.length > 0 && !needsOneOf.some((name) => credentials.has(name))) {
    return refused("credential_missing", `${crmName} needs ${needsOneOf.join(" or ")}.`, "Send one of them, or both.", {
      parameter: needsOneOf[0] ?? "",
      accepted_values: taken
    })
  }
  const real = [...credentials].find(
    ([name, value]) => !addresses.has(name) && !Redacted.value(value).startsWith(sandboxKeyPrefix)
  )
  return isSandbox && real !== undefined
    ? refused(
        "sandbox_key_expected",
        "CRMs are simulated here, so that no real key is taken.",
        `Send a ${real[0]} that begins with ${sandboxKeyPrefix}; each one is an account at the simulated CRM. Nothing was stored.`,
        { parameter: real[0] }
      )
    : undefined
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const connections = yield* Connections
  const limits = yield* RateLimits
  const changes = yield* LeadChanges
  const transport = yield* CrmTransport
  const jobs = yield* Jobs
  const clients = yield* makeCrmClients
  const removals = yield* makeHookRemovals
  const hookBase = yield* CrmHookBase
  const isSandbox = transport.mode === "sandbox"

  const minimum = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly minimum: MinimumStatus }>`
      select minimum_status as minimum from crm_setting where account_id = ${accountId}`.pipe(fromSql())
    return rows[0]?.minimum
  })

  const fields = Effect.gen(function* () {
    const { accountId } = yield* Caller
    return yield* sql<CrmCustomField>`
      select field_id, field_name, field_value from crm_custom_field
      where account_id = ${accountId} order by field_id`.pipe(fromSql())
  })

  /** What was stuck gets another try: what held it may be gone. */
  const release = Effect.fnUntraced(function* (crm: string | undefined) {
    const { accountId } = yield* Caller
    yield* sql`
      update crm_lead set state = 'pending', can_wait = true, reason = null, attempts = 0, due_at = instant(),
        version = version + 1
      where account_id = ${accountId} and ${crm === undefined ? sql`true` : sql`crm = ${crm}`} and state = 'stuck'`.pipe(
      fromSql()
    )
  })

  /** The CRM tells of closed deals by itself from now on, where it does and the gateway can be reached. */
  const listenTo = Effect.fnUntraced(function* (adapter: CrmAdapter, reached: ReachedCrm, secret: Redacted.Redacted) {
    const { accountId } = yield* Caller
    if (Option.isNone(hookBase) || adapter.webhooks === undefined) return
    const isOf = sql`account_id = ${accountId} and crm = ${adapter.name}`
    const rows = yield* sql`
      select crm from crm_integration where ${isOf} and webhook_ids <> '[]'`.pipe(fromSql())
    if (rows.length > 0) return
    const ids = yield* register(adapter, reached, hookAddress(hookBase.value, accountId, adapter.name, secret), secret)
    if (ids.length > 0) {
      yield* sql`update crm_integration set webhook_ids = ${JSON.stringify(ids)}::jsonb where ${isOf}`.pipe(fromSql())
    }
  })

  const sourceOf = Effect.fnUntraced(function* (crmName: CrmName) {
    const { accountId } = yield* Caller
    const [row] = yield* sql<Omit<CrmLeadSource, "crm_name" | "status" | "mode">>`
      select pipeline_id, stage_id as deal_stage_id, created_count, passed_count,
        case when read_at > '-infinity' then read_at end as last_read_at
      from crm_source where account_id = ${accountId} and crm = ${crmName}`.pipe(fromSql())
    const source: CrmLeadSource = {
      crm_name: crmName,
      status: row === undefined ? "disabled" : "enabled",
      mode: transport.mode,
      pipeline_id: null,
      deal_stage_id: null,
      created_count: 0,
      passed_count: 0,
      last_read_at: null,
      ...row
    }
    return source
  })

  const pipelineOf = Effect.fnUntraced(function* (
    adapter: CrmAdapter,
    { crmName, funnelId, pipelineId }: NewCrm,
    pipelines: ReadonlyArray<{ readonly id: string; readonly name: string }>
  ) {
    for (const [name, value] of [
      ["pipeline_id", pipelineId],
      ["funnel_id", funnelId]
    ] as const) {
      if (value === undefined) continue
      if (adapter.pipelineParameter !== name) {
        return yield* refused("pipeline_not_taken", `${crmName} has no ${name}.`, `Leave ${name} out.`, {
          parameter: name
        })
      }
      if (!pipelines.some(({ id }) => id === `${value}`)) {
        return yield* refused(
          "pipeline_not_found",
          `${crmName} has no pipeline ${value}.`,
          "Send the id of one of those in accepted_values. Nothing was stored.",
          { parameter: name, accepted_values: pipelines.map(({ id }) => id) }
        )
      }
      return `${value}`
    }
    return undefined
  })

  const integrationOf = (
    crmName: CrmName,
    adapter: CrmAdapter,
    connection: Option.Option<Connection>,
    warnings: ReadonlyArray<CrmWarning>
  ): CrmIntegration => {
    const found = Option.getOrUndefined(connection)
    const pipelineId = found?.settings["pipeline_id"]
    return {
      crm_name: crmName,
      status: found?.state ?? "disconnected",
      credentials: takenBy(adapter),
      mode: transport.mode,
      verified: found?.state === "connected" && found.isVerified,
      connected_at: found?.connectedAt ?? null,
      last_checked_at: found?.checkedAt ?? null,
      last_error: found?.lastError ?? null,
      pipeline_id: typeof pipelineId === "string" ? pipelineId : null,
      warnings: found?.state === "connected" ? warnings : []
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

  return Crm.of({
    connect: Effect.fn("Crm.connect")(function* (crm) {
      const { accountId } = yield* Caller
      const { credentials, crmName } = crm
      const adapter = adapters.get(crmName)
      if (adapter === undefined) return yield* notBuilt(crmName)
      const wrong = checkedCredentials(adapter, crm, isSandbox)
      if (wrong !== undefined) return yield* wrong
      const reached = yield* clients(adapter, credentials, { isWaitedFor: true })
      const { client } = reached
      const asked = Effect.mapError((failure: CrmFailure) => checkFailed(crmName, failure))
      // What can only be written to cannot be asked.
      const { identity } =
        client === undefined
          ? { identity: adapter.conversions?.identity(credentials) ?? "" }
          : yield* asked(client.check)
      const wantsPipeline = crm.pipelineId !== undefined || crm.funnelId !== undefined
      const pipelines =
        wantsPipeline && adapter.pipelineParameter !== undefined && client !== undefined
          ? yield* asked(client.pipelines)
          : []
      const pipelineId = yield* pipelineOf(adapter, crm, pipelines)
      const secrets: Secrets = Object.fromEntries(
        credentialNames.flatMap((name) => {
          const value = credentials.get(name)
          return value === undefined ? [] : [[name, value]]
        })
      )
      const service = serviceOf(crmName)
      const crmAccount = identity === "" ? "unnamed" : identity
      const connected = yield* unit.write(
        Effect.gen(function* () {
          const before = yield* connections.get(service)
          const keepsLinks = Option.isSome(before) && before.value.identity === crmAccount
          const known = Option.getOrElse(yield* connections.secrets(service), (): Secrets => ({}))
          // The same account knows where to reach the gateway already.
          const hook = (keepsLinks ? known[hookSecret] : undefined) ?? newHookSecret()
          if (known[hookSecret] !== undefined && known[hookSecret] !== hook) yield* removals.plan(crmName, known)
          yield* connections.connect({
            service,
            identity: crmAccount,
            settings: pipelineId === undefined ? {} : { pipeline_id: pipelineId },
            secrets: { ...secrets, [hookSecret]: hook },
            isVerified: client !== undefined,
            isSandbox
          })
          // What was sent to another account at the CRM is not there.
          if (!keepsLinks) {
            yield* sql`delete from crm_lead where account_id = ${accountId} and crm = ${crmName}`.pipe(fromSql())
            yield* sql`delete from crm_source where account_id = ${accountId} and crm = ${crmName}`.pipe(fromSql())
          }
          yield* sql`
            insert into crm_integration as i (account_id, crm, crm_account) values (${accountId}, ${crmName}, ${crmAccount})
            on conflict (account_id, crm) do update set crm_account = excluded.crm_account, resumes_at = null,
              warnings = '[]', leased_by = null, leased_until = null,
              last_sync_at = case when ${keepsLinks} then i.last_sync_at end,
              polled_until = case when ${keepsLinks} then i.polled_until else instant() end`.pipe(fromSql())
          yield* changes.follow(true)
          yield* release(crmName)
          const answer: ConnectedCrm = {
            crm_name: crmName,
            status: "connected" as const,
            mode: transport.mode,
            verified: client !== undefined,
            keeps_links: keepsLinks
          }
          return { answer, hook }
        })
      )
      yield* listenTo(adapter, reached, connected.hook)
      return connected.answer
    }),

    enableSource: Effect.fn("Crm.enableSource")(function* (crmName, { pipelineId, stageId }) {
      const { accountId } = yield* Caller
      const adapter = adapters.get(crmName)
      const service = serviceOf(crmName)
      const secrets = yield* connections.secrets(service)
      const given = credentialsOf(Option.getOrElse(secrets, () => ({})))
      const reached = adapter === undefined ? undefined : yield* clients(adapter, given, { isWaitedFor: true })
      const client = reached?.client
      if (client?.contacts === undefined || Option.isNone(secrets)) {
        return yield* refused(
          "crm_token_needed",
          `Contacts are read with a CRM token of ${crmName}, and none is connected; a marketing key can only be written to.`,
          "Connect it with connect_crm and crm_token first.",
          { crm_name: crmName }
        )
      }
      if (stageId !== undefined && pipelineId === undefined) {
        return yield* refused("parameter_missing", "A stage belongs to a pipeline.", "Send pipeline_id too.", {
          parameter: "pipeline_id"
        })
      }
      const pipelines = yield* Effect.mapError(client.pipelines, (failure) => checkFailed(crmName, failure))
      const pipeline = pipelines.find(({ id }) => id === pipelineId)
      if (pipelineId !== undefined && pipeline === undefined) {
        return yield* refused(
          "pipeline_not_found",
          `${crmName} has no such pipeline.`,
          "Send the id of one of those in accepted_values.",
          { parameter: "pipeline_id", accepted_values: pipelines.map(({ id }) => id) }
        )
      }
      if (stageId !== undefined && pipeline?.stages.some(({ id }) => id === stageId) === false) {
        return yield* refused(
          "deal_stage_not_found",
          "The pipeline has no such stage.",
          "Send the id of one of those in accepted_values.",
          { parameter: "deal_stage_id", accepted_values: pipeline.stages.map(({ id }) => id) }
        )
      }
      return yield* unit.write(
        Effect.gen(function* () {
          // The same contacts again go on where they are; others are read from the first one on.
          yield* sql`
            insert into crm_source as s (account_id, crm, pipeline_id, stage_id)
            values (${accountId}, ${crmName}, ${pipelineId ?? null}, ${stageId ?? null})
            on conflict (account_id, crm) do update set pipeline_id = excluded.pipeline_id,
              stage_id = excluded.stage_id, cursor = null, read_at = '-infinity'
              where (s.pipeline_id, s.stage_id) is distinct from (excluded.pipeline_id, excluded.stage_id)`.pipe(
            fromSql()
          )
          yield* sql`
            update crm_integration set polled_at = '-infinity'
            where account_id = ${accountId} and crm = ${crmName}`.pipe(fromSql())
          return yield* sourceOf(crmName)
        })
      )
    }),

    disableSource: Effect.fn("Crm.disableSource")(function* (crmName) {
      const { accountId } = yield* Caller
      const before = yield* sourceOf(crmName)
      yield* sql`delete from crm_source where account_id = ${accountId} and crm = ${crmName}`.pipe(fromSql())
      return { ...before, status: "disabled" as const }
    }),

    disconnect: Effect.fn("Crm.disconnect")(function* (crmName) {
      const { accountId } = yield* Caller
      yield* sql`delete from crm_source where account_id = ${accountId} and crm = ${crmName}`.pipe(fromSql())
      yield* removals.plan(
        crmName,
        Option.getOrElse(yield* connections.secrets(serviceOf(crmName)), (): Secrets => ({}))
      )
      const changed = yield* connections.disconnect(serviceOf(crmName))
      const left = yield* connections.list(servicePrefix)
      if (left.every(({ state }) => state === "disconnected")) yield* changes.follow(false)
      return { crm_name: crmName, status: "disconnected" as const, changed }
    }),

    list: Effect.gen(function* () {
      const { accountId } = yield* Caller
      const found = new Map((yield* connections.list(servicePrefix)).map((each) => [each.service, each]))
      const rows = yield* sql<{ readonly crm: string; readonly warnings: ReadonlyArray<CrmWarning> }>`
        select crm, warnings from crm_integration where account_id = ${accountId}`.pipe(fromSql())
      const warnings = new Map(rows.map((row) => [row.crm, row.warnings]))
      const integrations = [...adapters].flatMap(([name, adapter]) => {
        const connection = Option.fromNullable(found.get(serviceOf(name)))
        return [
          integrationOf(
            CrmName.literals.find((each) => each === name) ?? adapter.name,
            adapter,
            connection,
            warnings.get(name) ?? []
          )
        ]
      })
      return { integrations, minimum_status: (yield* minimum) ?? null, custom_fields: yield* fields }
    }).pipe(Effect.withSpan("Crm.list")),

    status: Effect.gen(function* () {
      const { accountId } = yield* Caller
      const connected = (yield* connections.list(servicePrefix)).filter(({ state }) => state !== "disconnected")
      const present = yield* now
      return yield* Effect.forEach(
        connected,
        Effect.fnUntraced(function* ({ isSandbox: isSimulated, service, state }) {
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
            resumes_at: integration?.resumes ?? (blocked > 0 ? plusSeconds(present, Math.ceil(blocked)) : null),
            recently_synced: recent.map(({ name }) => name)
          }
          return status
        })
      )
    }).pipe(Effect.withSpan("Crm.status")),

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
