import { HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schema } from "effect"
import { notFound, refused } from "../../../Errors.ts"
import type { AccessTokens } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { CrmName } from "../../../Services/Crm/Ids.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { type Endpoint, type RequestScope, refusal } from "../../Platform/Http/Endpoint.ts"
import { makeSandboxCaller } from "../../Platform/Http/SandboxCaller.ts"
import { doneNote, makeSandboxPage, trouble } from "../../Platform/Http/SandboxPage.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { sandboxes } from "../Adapters/Adapters.ts"
import { CrmTransport } from "../Calling/CrmTransport.ts"
import type { SimulatedBody } from "./CrmSandbox.ts"
import { crmPage, pageTitle } from "./CrmSandboxPage.ts"
import { makeSimulatedStore } from "./CrmSandboxTransport.ts"

const largestBody = 16 * 1024
const mostRecords = 500

const Act = Schema.Struct({
  crm_name: CrmName,
  /** The key that the account connected with. By default, the one that was used last. */
  key: Schema.optional(Schema.String.pipe(Schema.maxLength(200))),
  act: Schema.Literal("win", "lose", "move", "revoke", "restore", "slow_down"),
  deal_id: Schema.optional(Schema.String.pipe(Schema.maxLength(40))),
  stage: Schema.optional(Schema.String.pipe(Schema.maxLength(60))),
  reason: Schema.optional(Schema.String.pipe(Schema.maxLength(500))),
  value: Schema.optional(Schema.Number.pipe(Schema.between(0, 1e12))),
  seconds: Schema.optionalWith(Schema.Number.pipe(Schema.between(1, 86_400)), { default: () => 60 })
})
type Act = typeof Act.Type

/** A form's values are all texts. */
const FormAct = Schema.Struct({
  ...Act.fields,
  value: Schema.optional(Schema.NumberFromString.pipe(Schema.between(0, 1e12))),
  seconds: Schema.optionalWith(Schema.NumberFromString.pipe(Schema.between(1, 86_400)), { default: () => 60 })
})
const decodeForm = Schema.decodeUnknownOption(FormAct)

const decodeAct = (text: string) => Effect.asSome(Schema.decodeUnknown(Schema.parseJson(Act))(text))

const notHere = refusal(
  404,
  "UnknownRoute",
  "There is no such route.",
  "CRMs are reached over the network here, so that nothing is simulated."
)
const unreadable = refusal(
  400,
  "InvalidRequestBody",
  "This route does not accept the body.",
  "Send JSON with crm_name and act (win, lose, move, revoke, restore or slow_down); win and lose take deal_id, reason and value, move takes deal_id and stage, slow_down takes seconds."
)
const dealMissing = refused("deal_id_missing", "win, lose and move need a deal.", "Send deal_id.", {
  parameter: "deal_id"
})

interface StoredRecord {
  readonly crm: CrmName
  readonly tenant: string
  readonly kind: string
  readonly id: string
  readonly body: SimulatedBody
  readonly updated_at: string
}

interface Tenant {
  readonly crm: CrmName
  readonly tenant: string
  readonly calls: number
  readonly is_revoked: boolean
}

/** The page where a developer sees and changes the simulated CRMs: `GET` and `POST /sandbox/crm`. */
export const crmSandboxEndpoints: Effect.Effect<
  ReadonlyArray<Endpoint<RequestScope>>,
  never,
  AccessTokens | CrmTransport | SqlClient
> = Effect.gen(function* () {
  const { mode } = yield* CrmTransport
  const sql = yield* SqlClient

  const asCaller = yield* makeSandboxCaller(mode, notHere)

  const state = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const tenants = yield* sql<Tenant>`
      select crm, tenant, calls::int as calls, is_revoked from sandbox_crm
      where account_id = ${accountId} order by crm, tenant`.pipe(fromSql())
    const records = yield* sql<StoredRecord>`
      select crm, tenant, kind, record_id::text as id, body, updated_at from sandbox_crm_record
      where account_id = ${accountId} order by updated_at desc, record_id desc limit ${mostRecords}`.pipe(fromSql())
    return tenants.map(({ calls, crm, is_revoked, tenant }) => ({
      crm_name: crm,
      key: tenant,
      is_revoked,
      calls,
      records: records
        .filter((record) => record.crm === crm && record.tenant === tenant)
        .map(({ crm: _, tenant: _tenant, ...record }) => record)
    }))
  })

  const showState = Effect.map(state, (crms) => HttpServerResponse.unsafeJson({ crms }))

  const close = Effect.fnUntraced(function* (tenant: string, { act, crm_name, deal_id, reason, stage, value }: Act) {
    const { accountId } = yield* Caller
    if (deal_id === undefined) return yield* dealMissing
    const simulator = sandboxes[crm_name]
    const store = makeSimulatedStore(sql, accountId, crm_name, tenant)
    const id = simulator.storedId?.(deal_id) ?? deal_id
    const deal = yield* store.get(simulator.dealKind, id)
    if (deal === undefined) return yield* notFound("deal", "deal_id", deal_id)
    if (act === "move") {
      if (!simulator.stages.some((each) => each.id === stage)) {
        return yield* refused(
          "stage_not_found",
          "The deal cannot be moved there.",
          "Send stage, one of accepted_values.",
          {
            parameter: "stage",
            accepted_values: simulator.stages.map((each) => each.id)
          }
        )
      }
      return yield* store.put(simulator.dealKind, id, simulator.moved(deal, stage ?? ""))
    }
    const outcome = act === "win" ? "won" : "lost"
    yield* store.put(simulator.dealKind, id, yield* simulator.close(deal, { outcome, reason, value }, store))
  })

  const perform = Effect.fnUntraced(function* (given: Act) {
    const { accountId } = yield* Caller
    const { act, crm_name, key, seconds } = given
    const [latest] = yield* sql<{ readonly tenant: string }>`
      select s.tenant from sandbox_crm s
      where s.account_id = ${accountId} and s.crm = ${crm_name} and s.tenant = coalesce(${key ?? null}, s.tenant)
      order by s.calls desc, s.tenant limit 1`.pipe(fromSql())
    if (latest === undefined) return yield* notFound("simulated CRM", "crm_name", crm_name)
    const { tenant } = latest
    const isOf = sql`account_id = ${accountId} and crm = ${crm_name} and tenant = ${tenant}`
    switch (act) {
      case "win":
      case "lose":
      case "move":
        yield* close(tenant, given)
        // Makes the CRM due at once. Otherwise the change would be noticed within five minutes.
        yield* sql`
          update crm_integration set polled_at = '-infinity' where account_id = ${accountId} and crm = ${crm_name}`.pipe(
          fromSql()
        )
        break
      case "revoke":
      case "restore":
        yield* sql`update sandbox_crm set is_revoked = ${act === "revoke"} where ${isOf}`.pipe(fromSql())
        break
      case "slow_down":
        yield* sql`update sandbox_crm set slow_until = instant() + make_interval(secs => ${seconds}) where ${isOf}`.pipe(
          fromSql()
        )
    }
    return { crm_name, key: tenant, act }
  })

  const acted = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const given = yield* endpointBody({ limit: largestBody, tenant: accountId }).pipe(
      Effect.flatMap((body) => decodeAct(body.toString("utf8"))),
      Effect.catchTags({ RequestRefused: () => Effect.succeedNone, ParseError: () => Effect.succeedNone })
    )
    return Option.isNone(given) ? unreadable : HttpServerResponse.unsafeJson(yield* perform(given.value))
  })

  const pages = yield* makeSandboxPage({
    mode,
    path: "/sandbox/crm",
    title: pageTitle,
    notHere,
    act: (fields) =>
      Option.match(decodeForm(fields), {
        onNone: () => Effect.succeed(trouble("What the form says is not understood.")),
        onSome: (given) => Effect.map(perform(given), ({ act, crm_name }) => doneNote(`Done: ${act} at ${crm_name}.`))
      }),
    show: (token, said) => Effect.map(state, (crms) => crmPage(token, said, crms))
  })

  return [
    {
      path: "/sandbox/crm",
      methods: {
        GET: pages.get(asCaller(showState)),
        POST: pages.post(asCaller(acted))
      }
    }
  ]
})
