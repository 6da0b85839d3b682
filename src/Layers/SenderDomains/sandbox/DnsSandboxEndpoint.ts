import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { badRequest, type RequestRefused, type Transient } from "../../../Errors.ts"
import { AccessTokens } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { faultOf } from "../../../Services/Core/DecodingFault.ts"
import { now } from "../../../Services/Core/Timestamp.ts"
import { Dns } from "../../../Services/Outbound/Dns.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { type Endpoint, type RequestScope, refusal, unauthorizedAnswer } from "../../Platform/Http/Endpoint.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { zoneName } from "../DnsAnswers.ts"

const mostRecords = 10_000

const Change = Schema.Struct({
  name: Schema.String.pipe(Schema.maxLength(300)),
  type: Schema.Literal("TXT", "MX", "A"),
  /** Null means that the name's servers do not answer. An empty list removes the records. */
  values: Schema.NullOr(Schema.Array(Schema.String.pipe(Schema.maxLength(4000))).pipe(Schema.maxItems(50)))
})

const privateHeaders = { "Cache-Control": "no-store" }

const noSuchRoute = refusal(404, "UnknownRoute", "There is no such route.", "Names are really looked up here.")

const invalid = (detail: string) => badRequest("InvalidRequestBody", "The body is no change of a zone.", detail)

/**
 * Answers `/sandbox/dns`: the zone in which names are looked up if DNS is simulated. Any account's token is accepted.
 */
export const sandboxDnsEndpoint: Effect.Effect<
  Endpoint<RequestScope>,
  never,
  SqlClient | UnitOfWork | AccessTokens | Dns
> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tokens = yield* AccessTokens
  const { mode } = yield* Dns

  const records = sql<{ readonly name: string; readonly type: string; readonly values: ReadonlyArray<string> | null }>`
    select name, type, record_values as "values" from sandbox_dns_record order by name, type limit ${mostRecords}`.pipe(
    fromSql()
  )

  const change = (party: number) =>
    Effect.gen(function* () {
      const body = yield* endpointBody({ limit: 64 * 1024, tenant: party })
      const { name, type, values } = yield* Schema.decodeUnknown(Schema.parseJson(Change), {
        onExcessProperty: "error"
      })(body.toString("utf8")).pipe(Effect.mapError((error) => invalid(faultOf(error))))
      const checked = zoneName(name)
      if (checked === undefined) return yield* Effect.fail(invalid("name is not a domain name."))
      yield* unit.write(
        values?.length === 0
          ? sql`delete from sandbox_dns_record where name = ${checked} and type = ${type}`.pipe(fromSql())
          : sql`
              insert into sandbox_dns_record (name, type, record_values, updated_at)
              select ${checked}, ${type}, ${values}::text[], ${yield* now}
              where (select count(*) from sandbox_dns_record) < ${mostRecords}
              on conflict (name, type) do update set record_values = excluded.record_values,
                updated_at = excluded.updated_at`.pipe(fromSql())
      )
    })

  const as = <R>(
    handler: (party: number) => Effect.Effect<void, Transient | RequestRefused, R>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R | RequestScope> =>
    mode === "live"
      ? Effect.succeed(noSuchRoute)
      : Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const { accountId } = yield* tokens.authenticate(
            /^Bearer +(\S{1,200})$/i.exec(request.headers.authorization ?? "")?.[1] ?? ""
          )
          yield* handler(accountId)
          return HttpServerResponse.unsafeJson({ records: yield* unit.read(records) }, { headers: privateHeaders })
        }).pipe(
          Effect.catchTags({
            Unauthorized: unauthorizedAnswer,
            Transient: ({ detail, error, retryAfterSeconds }) =>
              Effect.succeed(refusal(503, "Transient", error, detail, { "Retry-After": String(retryAfterSeconds) })),
            RequestRefused: ({ detail, error, status, type }) =>
              Effect.succeed(refusal(status, type, error, detail, { Connection: "close" }))
          })
        )

  return { path: "/sandbox/dns", methods: { GET: as(() => Effect.void), POST: as(change) } }
})
