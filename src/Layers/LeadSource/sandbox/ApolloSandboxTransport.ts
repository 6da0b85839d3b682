import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import {
  OutboundFailure,
  type OutboundRequest,
  type OutboundResponse
} from "../../../Services/Outbound/OutboundHttp.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { apolloSandbox, type SimulatedReply } from "./ApolloSandbox.ts"

export const sandboxKeyPrefix = "sandbox-"

interface TenantRow {
  readonly isRevoked: boolean
  readonly slowFor: number
}

interface WindowRow {
  readonly calls: number
  readonly left: number
}

const responseOf = ({ body, headers = {}, status }: SimulatedReply): OutboundResponse => ({
  status,
  headers,
  body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body))
})

const bodyOf = ({ body }: OutboundRequest): unknown => (typeof body === "string" ? (JSON.parse(body) as unknown) : body)

/** Answers an account's calls from its simulated lead database, with the real rate limits. */
export const makeApolloSandboxTransport = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork

  const respond = Effect.fnUntraced(function* (request: OutboundRequest) {
    const { accountId } = yield* Caller
    const key = request.headers?.["x-api-key"] ?? ""
    if (!key.startsWith(sandboxKeyPrefix)) return apolloSandbox.unauthorized()
    const path = new URL(request.url).pathname
    return yield* unit.write(
      Effect.gen(function* () {
        const tenant = single(
          yield* sql<TenantRow>`
            insert into sandbox_lead_source as s (account_id, tenant, calls) values (${accountId}, ${key}, 1)
            on conflict (account_id, tenant) do update set calls = s.calls + 1
            returning is_revoked as "isRevoked",
              greatest(0, extract(epoch from coalesce(slow_until, instant()) - instant()))::float8 as "slowFor"`.pipe(
            fromSql()
          )
        )
        if (tenant.isRevoked) return apolloSandbox.unauthorized()
        if (tenant.slowFor > 0) return apolloSandbox.limited(Math.ceil(tenant.slowFor))
        const headers: { [name: string]: string } = {}
        for (const { limit, name, seconds } of apolloSandbox.windows) {
          const window = single(
            yield* sql<WindowRow>`
              insert into sandbox_lead_source_window as w (account_id, tenant, endpoint, seconds, began_at, calls)
              values (${accountId}, ${key}, ${path}, ${seconds}, instant(), 1)
              on conflict (account_id, tenant, endpoint, seconds) do update set
                calls = case when w.began_at <= instant() - make_interval(secs => ${seconds}) then 1 else w.calls + 1 end,
                began_at = case when w.began_at <= instant() - make_interval(secs => ${seconds}) then instant()
                  else w.began_at end
              returning calls,
                ${seconds} - extract(epoch from instant() - began_at)::float8 as left`.pipe(fromSql())
          )
          if (window.calls > limit) return apolloSandbox.limited(Math.max(1, Math.ceil(window.left)))
          headers[`x-rate-limit-${name}`] = `${limit}`
          headers[`x-${name}-requests-left`] = `${limit - window.calls}`
        }
        const reply = apolloSandbox.answer(key, { method: request.method, path, body: bodyOf(request) })
        return { ...reply, headers }
      })
    )
  })

  return (request: OutboundRequest): Effect.Effect<OutboundResponse, OutboundFailure, Caller> =>
    Effect.mapBoth(respond(request), {
      onSuccess: responseOf,
      onFailure: () => new OutboundFailure({ reason: "connection_failed", mayHaveArrived: false })
    })
})
