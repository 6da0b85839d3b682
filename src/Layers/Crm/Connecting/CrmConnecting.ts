import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, type Redacted } from "effect"
import { refused } from "../../../Errors.ts"
import { Connections, type Secrets } from "../../../Services/Connections/Connections.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { credentialNames, type NewCrm } from "../../../Services/Crm/Crm.ts"
import type { ConnectedCrm } from "../../../Services/Crm/CrmModel.ts"
import type { CrmName } from "../../../Services/Crm/Ids.ts"
import { LeadChanges } from "../../../Services/Leads/LeadChanges.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { adapters } from "../Adapters/Adapters.ts"
import { type CrmAdapter, CrmFailure } from "../Calling/CrmAdapter.ts"
import { makeCrmClients, type ReachedCrm, serviceOf, servicePrefix } from "../Calling/CrmSending.ts"
import { CrmTransport } from "../Calling/CrmTransport.ts"
import { CrmHookBase, hookAddress, hookSecret, makeHookRemovals, newHookSecret, register } from "./CrmHooks.ts"
import { checkedCredentials, checkFailed } from "./CrmRefusals.ts"

/** Retries stuck leads, because the cause may be gone. */
export const makeRelease = Effect.map(SqlClient, (sql) =>
  Effect.fnUntraced(function* (crm: string | undefined) {
    const { accountId } = yield* Caller
    yield* sql`
      update crm_lead set state = 'pending', can_wait = true, reason = null, attempts = 0, due_at = instant(),
        version = version + 1
      where account_id = ${accountId} and ${crm === undefined ? sql`true` : sql`crm = ${crm}`} and state = 'stuck'`.pipe(
      fromSql()
    )
  })
)

/** Returns the pipeline for new deals, if the caller names one. */
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

/** Registers the webhooks of a CRM that reports closed deals by itself. */
const makeWebhookRegistration = Effect.gen(function* () {
  const sql = yield* SqlClient
  const hookBase = yield* CrmHookBase
  return Effect.fnUntraced(function* (adapter: CrmAdapter, reached: ReachedCrm, secret: Redacted.Redacted) {
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
})

/** Makes the functions that connect and disconnect CRMs. */
export const makeCrmConnecting = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const connections = yield* Connections
  const changes = yield* LeadChanges
  const transport = yield* CrmTransport
  const clients = yield* makeCrmClients
  const removals = yield* makeHookRemovals
  const listenTo = yield* makeWebhookRegistration
  const release = yield* makeRelease
  const isSandbox = transport.mode === "sandbox"

  return {
    connect: Effect.fn("Crm.connect")(function* (crm: NewCrm) {
      const { accountId } = yield* Caller
      const { credentials, crmName } = crm
      const adapter = adapters[crmName]
      const wrong = checkedCredentials(adapter, crm, isSandbox)
      if (wrong !== undefined) return yield* wrong
      const reached = yield* clients(adapter, credentials, { isWaitedFor: true })
      const { client } = reached
      const asked = Effect.mapError((failure: CrmFailure) => checkFailed(crmName, failure))
      // A CRM that can only be written to cannot report which account it is.
      const { identity } =
        client === undefined
          ? { identity: adapter.conversions?.identity(credentials) ?? "" }
          : yield* asked(client.check)
      // A server that does not report an account is not the CRM.
      if (identity === "") return yield* checkFailed(crmName, new CrmFailure({ kind: "maybe_sent" }))
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
      const connected = yield* unit.write(
        Effect.gen(function* () {
          const before = yield* connections.get(service)
          const keepsLinks = Option.isSome(before) && before.value.identity === identity
          const known = Option.getOrElse(yield* connections.secrets(service), (): Secrets => ({}))
          // If it is the same account, it already has the gateway's webhook address.
          const hook = (keepsLinks ? known[hookSecret] : undefined) ?? newHookSecret()
          if (known[hookSecret] !== undefined && known[hookSecret] !== hook) yield* removals.plan(crmName, known)
          yield* connections.connect({
            service,
            identity,
            settings: pipelineId === undefined ? {} : { pipeline_id: pipelineId },
            secrets: { ...secrets, [hookSecret]: hook },
            isVerified: client !== undefined,
            isSandbox
          })
          // Records of another account at the CRM do not exist in this one.
          if (!keepsLinks) {
            yield* sql`delete from crm_lead where account_id = ${accountId} and crm = ${crmName}`.pipe(fromSql())
            yield* sql`delete from crm_source where account_id = ${accountId} and crm = ${crmName}`.pipe(fromSql())
          }
          yield* sql`
            insert into crm_integration as i (account_id, crm, crm_account) values (${accountId}, ${crmName}, ${identity})
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

    disconnect: Effect.fn("Crm.disconnect")(function* (crmName: CrmName) {
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
    })
  }
})
