import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option, Redacted } from "effect"
import { refused, transient } from "../../Errors.ts"
import { CampaignLookup } from "../../Services/Campaigns/Campaigns.ts"
import { Connections } from "../../Services/Connections/Connections.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { LeadSource, type LeadSourceView } from "../../Services/LeadSource/LeadSource.ts"
import { visibleContacts } from "../../Services/LeadSource/SavedContact.ts"
import type { ProviderFailure } from "../Platform/Outbound/ProviderFailure.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { leadSourceService, makeApollo } from "./Apollo.ts"
import { LeadSourceTransport } from "./LeadSourceTransport.ts"
import { campaignOfList } from "./ListCampaign.ts"
import { readLeadSource } from "./ReadContacts.ts"
import { sandboxKeyPrefix } from "./sandbox/ApolloSandboxTransport.ts"

/** The most lists that an error names. */
const maximumNamed = 50

const checkFailed = (failure: ProviderFailure) => {
  switch (failure.kind) {
    case "unauthorized":
      return refused(
        "leadsource_key_refused",
        "The lead database does not accept this key.",
        "Copy it again from the settings there. Nothing was stored.",
        { parameter: "api_key" }
      )
    case "forbidden":
      return refused(
        "leadsource_key_too_narrow",
        "The key was not made for reading contacts.",
        "Make one there that may search contacts and list labels. Nothing was stored.",
        { parameter: "api_key" }
      )
    default:
      return transient(
        "leadsource_unavailable",
        "The lead database gave an unexpected answer. Nothing was stored.",
        failure.retryAfterSeconds ?? 10
      )
  }
}

interface SourceRow {
  readonly list_id: string | null
  readonly list_name: string | null
  readonly contact_count: number | null
  readonly read_count: number
  readonly handed_over_count: number
  readonly invalid_email_count: number
  readonly no_contact_count: number
  readonly opted_out_count: number
  readonly last_read_at: Timestamp | null
  readonly next_read_at: Timestamp | null
}

const nothingRead: SourceRow = {
  list_id: null,
  list_name: null,
  contact_count: null,
  read_count: 0,
  handed_over_count: 0,
  invalid_email_count: 0,
  no_contact_count: 0,
  opted_out_count: 0,
  last_read_at: null,
  next_read_at: null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const connections = yield* Connections
  const queue = yield* TaskQueue
  const transport = yield* LeadSourceTransport
  const apollo = yield* makeApollo
  const campaigns = yield* CampaignLookup
  const isSandbox = transport.mode === "sandbox"

  const view = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const connection = Option.getOrUndefined(yield* connections.get(leadSourceService))
    const [row = nothingRead] = yield* sql<SourceRow>`
      select list_id, list_name, contact_count, read_count, handed_over_count, invalid_email_count, no_contact_count,
        opted_out_count, last_read_at, next_read_at
      from lead_source where account_id = ${accountId}`.pipe(fromSql())
    const campaign = yield* Effect.provideService(campaignOfList(row.list_name), CampaignLookup, campaigns)
    const status = connection?.state ?? "disconnected"
    const answer: LeadSourceView = {
      ...row,
      status,
      mode: transport.mode,
      campaign_id: campaign ?? null,
      is_above_ceiling: (row.contact_count ?? 0) > visibleContacts,
      next_read_at: status === "connected" ? row.next_read_at : null,
      last_error: connection?.lastError ?? null
    }
    return answer
  })

  return LeadSource.of({
    connect: Effect.fn("LeadSource.connect")(function* (apiKey, listId) {
      const { accountId } = yield* Caller
      const key = Redacted.value(apiKey)
      if (isSandbox && !key.startsWith(sandboxKeyPrefix)) {
        return yield* refused(
          "sandbox_key_expected",
          "The lead database is simulated here, so real keys are not accepted.",
          `Send an api_key that begins with ${sandboxKeyPrefix}; each one is an account there. Nothing was stored.`,
          { parameter: "api_key" }
        )
      }
      // The key is sent in a header.
      if (!/^[\x21-\x7e]+$/.test(key)) {
        return yield* refused("leadsource_key_refused", "This is not a key.", "Copy it again. Nothing was stored.", {
          parameter: "api_key"
        })
      }
      const client = apollo(apiKey, true)
      yield* Effect.mapError(client.check, checkFailed)
      const lists = listId === undefined ? [] : yield* Effect.mapError(client.lists, checkFailed)
      const list = lists.find(({ id }) => id === listId)
      if (listId !== undefined && list === undefined) {
        const listNames = lists.slice(0, maximumNamed)
        return yield* refused(
          "list_not_found",
          "The lead database has no such list of contacts.",
          "Send the id of one of those in accepted_values, or leave list_id out for all saved contacts. Nothing was stored.",
          {
            parameter: "list_id",
            accepted_values: listNames.map(({ id }) => id),
            list_names: listNames.map(({ name }) => name)
          }
        )
      }
      return yield* unit.write(
        Effect.gen(function* () {
          yield* connections.connect({
            service: leadSourceService,
            identity: createHash("sha256").update(key).digest("hex").slice(0, 16),
            settings: {},
            secrets: { api_key: apiKey },
            isVerified: true,
            isSandbox
          })
          // A newly chosen list is read from its first page. Contacts that were read through another list are skipped.
          yield* sql`
            insert into lead_source as s (account_id, list_id, list_name)
            values (${accountId}, ${listId ?? null}, ${list?.name ?? null})
            on conflict (account_id) do update set
              page = case when s.list_id is not distinct from excluded.list_id then s.page else 1 end,
              contact_count = case when s.list_id is not distinct from excluded.list_id then s.contact_count end,
              last_read_at = case when s.list_id is not distinct from excluded.list_id then s.last_read_at end,
              list_id = excluded.list_id, list_name = excluded.list_name, next_read_at = instant()`.pipe(fromSql())
          yield* queue.enqueue(readLeadSource, { accountId }, { jobKey: `read_lead_source:${accountId}` })
          return yield* view
        })
      )
    }),

    state: view.pipe(Effect.withSpan("LeadSource.state")),

    disconnect: Effect.gen(function* () {
      yield* connections.disconnect(leadSourceService)
      return yield* view
    }).pipe(Effect.withSpan("LeadSource.disconnect"))
  })
})

export const LeadSourcePostgres = Layer.effect(LeadSource, make)
