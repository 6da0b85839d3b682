import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Option, Redacted } from "effect"
import { AccountId } from "../../../Services/Accounts/Ids.ts"
import { Connections } from "../../../Services/Connections/Connections.ts"
import { isCrmName } from "../../../Services/Crm/Ids.ts"
import { jsonOf } from "../../Platform/AnswerPaths.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { type Endpoint, type RequestScope, refusal } from "../../Platform/Http/Endpoint.ts"
import { makeGroupedWrites } from "../../Platform/Postgres/grouped/GroupedWrites.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { adapters } from "../Adapters/Adapters.ts"
import { serviceOf } from "../Calling/CrmSending.ts"
import { hookPath, hookSecret } from "./CrmHooks.ts"
import { isSame } from "./CrmWebhooks.ts"

const largestBody = 1024 * 1024
const mostOfOneStatement = 500

/** The account, CRM and deal of a delivery. */
interface NoticedContact {
  readonly accountId: AccountId
  readonly crm: string
  readonly deal: string
}

const notHere = refusal(404, "UnknownRoute", "There is no such route.", "CRMs are given their address when connected.")
const notGenuine = refusal(401, "Unauthorized", "The delivery is not the CRM's.", "Send it as it was registered.")
const tooLarge = refusal(413, "InvalidRequestBody", "The body is too large.", `Send at most ${largestBody} bytes.`)
const tryAgain = refusal(503, "Transient", "The delivery cannot be taken for the moment.", "Send it again.", {
  "Retry-After": "10"
})
const taken = HttpServerResponse.empty({ status: 200 })

/**
 * Receives webhook deliveries of CRMs. Only the id of the deal is used. If the deal belongs to a lead and is not known
 * to be won, the CRM is polled at once instead of within five minutes. Lost deals are included, because they may be
 * reopened. A forged, repeated or late delivery causes at most one unnecessary poll.
 */
export const crmWebhookEndpoints: Effect.Effect<
  ReadonlyArray<Endpoint<RequestScope>>,
  never,
  Connections | SqlClient
> = Effect.gen(function* () {
  const connections = yield* Connections
  const sql = yield* SqlClient

  /** Makes the CRMs of several deliveries due for a poll, if the outcome of the lead's deal is not known. */
  const look = yield* makeGroupedWrites({
    name: "crm_notices",
    mostItems: mostOfOneStatement,
    write: (told: ReadonlyArray<NoticedContact>) => {
      const accounts = told.map(({ accountId }) => accountId)
      return sql`
        with due as materialized (
          select i.account_id, i.crm from crm_integration i
          where i.account_id = any (${accounts}::bigint[]) and i.polled_at > '-infinity' and exists (
            select from unnest(${accounts}::bigint[], ${told.map(({ crm }) => crm)}::text[],
              ${told.map(({ deal }) => deal)}::text[]) as t (account_id, crm, deal)
            join crm_link k on k.account_id = t.account_id and k.crm = t.crm and k.external_id = t.deal
            where t.account_id = i.account_id and t.crm = i.crm and k.account_id = i.account_id
              and k.crm_account = i.crm_account and k.kind = 'deal' and k.heard_outcome is distinct from 'won'
          )
          -- Gateways lock rows in the same order.
          order by i.account_id, i.crm for update of i
        )
        update crm_integration i set polled_at = '-infinity' from due
        where i.account_id = any (${accounts}::bigint[]) and i.account_id = due.account_id and i.crm = due.crm`.pipe(
        fromSql(),
        Effect.as(told.map(() => true))
      )
    }
  })

  const delivered = Effect.gen(function* () {
    const { account = "", crm = "", secret: given = "" } = yield* HttpRouter.params
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const webhooks = isCrmName(crm) ? adapters[crm].webhooks : undefined
    if (webhooks === undefined || !/^[1-9]\d{0,14}$/.test(account) || given.length > 100) return notHere
    const accountId = AccountId.make(Number(account))
    const secrets = yield* connections.secretsOf(accountId, serviceOf(crm))
    const kept = Option.getOrUndefined(secrets)?.[hookSecret]
    if (kept === undefined || !isSame(Redacted.value(kept), given)) return notHere
    const body = yield* endpointBody({ limit: largestBody, tenant: accountId })
    const now = yield* Clock.currentTimeMillis
    if (!webhooks.isGenuine({ headers, body, secret: Redacted.value(kept), now })) return notGenuine
    const deal = webhooks.dealOf(jsonOf(body))
    if (deal === undefined) return taken
    yield* look({ accountId, crm, deal })
    return taken
  }).pipe(
    Effect.catchTags({
      RequestRefused: () => Effect.succeed(tooLarge),
      Transient: () => Effect.succeed(tryAgain)
    }),
    Effect.withSpan("crm webhook", { captureStackTrace: false })
  )

  return [{ path: `${hookPath}/:account/:crm/:secret/:news`, methods: { POST: delivered } }]
})
