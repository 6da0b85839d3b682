import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect } from "effect"
import type { Refused, Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import type { CrmName } from "../../../Services/Crm/Ids.ts"
import {
  OutboundFailure,
  type OutboundRequest,
  type OutboundResponse
} from "../../../Services/Outbound/OutboundHttp.ts"
import { addressNotPublic, destinationOf, isInternalName } from "../../Platform/Outbound/Destination.ts"
import { OutboundPolicy } from "../../Platform/Outbound/OutboundPolicy.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { sandboxes } from "../Adapters/Adapters.ts"
import type {
  CrmSandbox,
  SimulatedAnswer,
  SimulatedBody,
  SimulatedRecord,
  SimulatedRequest,
  SimulatedStore
} from "./CrmSandbox.ts"

export const sandboxKeyPrefix = "sandbox-"

interface Row {
  readonly id: string
  readonly body: SimulatedBody
  readonly createdAt: number
  readonly updatedAt: number
}

const columns = `record_id::text as id, body, extract(epoch from created_at)::float8 * 1000 as "createdAt",
  extract(epoch from updated_at)::float8 * 1000 as "updatedAt"`

/** The records of one account of the simulated CRM, in the database. */
export const makeSimulatedStore = (
  sql: SqlClient,
  accountId: AccountId,
  crm: string,
  tenant: string
): SimulatedStore => {
  const isOf = (kind: string) =>
    sql`account_id = ${accountId} and crm = ${crm} and tenant = ${tenant} and kind = ${kind}`
  const isId = (id: string): boolean => /^\d{1,15}$/.test(id)
  return {
    insert: (kind, body) =>
      sql<{ readonly id: string }>`
        insert into sandbox_crm_record (account_id, crm, tenant, kind, body)
        values (${accountId}, ${crm}, ${tenant}, ${kind}, ${JSON.stringify(body)}::jsonb)
        returning record_id::text as id`.pipe(
        fromSql(),
        Effect.map((rows) => single(rows).id)
      ),
    get: (kind, id) =>
      isId(id)
        ? sql<Row>`select ${sql.literal(columns)} from sandbox_crm_record
            where ${isOf(kind)} and record_id = ${id}::bigint`.pipe(
            fromSql(),
            Effect.map((rows): SimulatedRecord | undefined => rows[0])
          )
        : Effect.succeed(undefined),
    list: (kind, where) =>
      sql<Row>`
        select ${sql.literal(columns)} from sandbox_crm_record
        where ${isOf(kind)} and ${where === undefined ? sql`true` : sql`lower(body ->> ${where.member}) = lower(${where.value})`}
        order by record_id`.pipe(fromSql()),
    put: (kind, id, body) =>
      sql`
        update sandbox_crm_record set body = ${JSON.stringify(body)}::jsonb, updated_at = instant()
        where ${isOf(kind)} and record_id = ${id}::bigint`.pipe(fromSql(), Effect.asVoid),
    now: Clock.currentTimeMillis
  }
}

const bodyOf = (request: OutboundRequest): unknown => {
  if (request.body === undefined) return undefined
  const text = typeof request.body === "string" ? request.body : Buffer.from(request.body).toString("utf8")
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

const responseOf = ({ body, headers = {}, status }: SimulatedAnswer): OutboundResponse => ({
  status,
  headers,
  body: Buffer.from(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body))
})

export const simulatedRequest = (request: OutboundRequest): SimulatedRequest => {
  const url = new URL(request.url)
  return {
    method: request.method,
    host: url.hostname,
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(
      Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
    ),
    body: bodyOf(request)
  }
}

interface TenantRow {
  readonly is_revoked: boolean
  readonly slow_for: number
}

/** Sends requests to a simulated CRM. Calls of one account are handled one after another. */
export const makeCrmSandboxTransport = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const { allowLoopback } = yield* OutboundPolicy

  /** Refuses the addresses that the network would refuse too. */
  const reachable = (url: string): Effect.Effect<void, Refused> =>
    Effect.flatMap(destinationOf(url, {}, allowLoopback), ({ hostname }) =>
      !allowLoopback && isInternalName(hostname) ? Effect.fail(addressNotPublic) : Effect.void
    )

  const answered = Effect.fnUntraced(function* (simulator: CrmSandbox, request: SimulatedRequest) {
    const { accountId } = yield* Caller
    const tenant = simulator.keyOf(request)
    if (tenant === undefined || !tenant.startsWith(sandboxKeyPrefix))
      return simulator.trouble("unauthorized", 0, request)
    return yield* unit.write(
      Effect.gen(function* () {
        const { is_revoked, slow_for } = single(
          yield* sql<TenantRow>`
            insert into sandbox_crm as s (account_id, crm, tenant, calls)
            values (${accountId}, ${simulator.name}, ${tenant}, 1)
            on conflict (account_id, crm, tenant) do update set calls = s.calls + 1
            returning is_revoked,
              greatest(0, extract(epoch from coalesce(slow_until, instant()) - instant()))::float8 as slow_for`.pipe(
            fromSql()
          )
        )
        if (is_revoked) return simulator.trouble("unauthorized", 0, request)
        if (slow_for > 0) return simulator.trouble("rate_limited", Math.ceil(slow_for), request)
        const store = makeSimulatedStore(sql, accountId, simulator.name, tenant)
        const hook = simulator.webhooks?.path.exec(request.path)
        if (hook !== null && hook !== undefined && simulator.webhooks !== undefined) {
          const [, id] = hook
          if (request.method === "POST") {
            const body = typeof request.body === "object" && request.body !== null ? { ...request.body } : {}
            return { status: 201, body: simulator.webhooks.made(yield* store.insert("webhook", body)) }
          }
          if (request.method === "DELETE" && id !== undefined) {
            const known = yield* store.get("webhook", id)
            if (known === undefined || known.body["is_removed"] === true) return { status: 404, body: {} }
            yield* store.put("webhook", id, { ...known.body, is_removed: true })
            return { status: 200, body: {} }
          }
        }
        return yield* simulator.answer(request, store)
      })
    )
  })

  return {
    request: (
      crmName: CrmName,
      request: OutboundRequest
    ): Effect.Effect<OutboundResponse, Refused | OutboundFailure, Caller> => {
      const simulator = sandboxes[crmName]
      return Effect.flatMap(reachable(request.url), () =>
        Effect.mapBoth(answered(simulator, simulatedRequest(request)), {
          onSuccess: responseOf,
          onFailure: (_: Transient) => new OutboundFailure({ reason: "connection_failed", mayHaveArrived: false })
        })
      )
    }
  }
})
