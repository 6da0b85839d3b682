import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { parsedUrl } from "../../Services/Core/Outside/ParsedUrl.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { BookingLinks } from "../../Services/Outreach/BookingLinks.ts"
import { leadReference } from "../../Services/Scheduler/LeadReference.ts"
import { makeGroupedReads } from "../Platform/Postgres/grouped/GroupedReads.ts"
import { outsideTransaction } from "../Platform/Postgres/OutsideTransaction.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { schedulerService } from "./CalendlyApi.ts"
import { SchedulerConnection } from "./SchedulerConnection.ts"

/** Single-use links expire after ninety days. */
const linkDays = 80
const patience = "10 seconds"

interface Chosen {
  readonly key: Uint8Array
  readonly typeUri: string
  readonly typeUrl: string
  readonly link: string | null
}

const withReference = (page: string, reference: string): string | undefined => {
  const url = parsedUrl(page)
  if (url === undefined) return undefined
  url.searchParams.set("utm_source", "prospecting")
  url.searchParams.set("utm_medium", "outreach")
  url.searchParams.set("utm_content", reference)
  return url.href
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { api: apiFor } = yield* SchedulerConnection
  const api = apiFor(false)

  /** Reads which accounts have a scheduler. Most have none, so their leads get no link. */
  const hasScheduler = yield* makeGroupedReads({
    name: "booking_links",
    mostKeys: 100,
    read: (leadKeys: ReadonlyArray<{ readonly accountId: AccountId }>) =>
      sql<{ readonly accountId: AccountId }>`
        select account_id as "accountId" from scheduler_account
        where account_id = any (${leadKeys.map(({ accountId }) => accountId)}::bigint[])
          and default_event_type_url is not null`.pipe(
        Effect.map((rows) => {
          const accounts = new Set(rows.map(({ accountId }) => accountId))
          return leadKeys.map(({ accountId }) => accounts.has(accountId))
        }),
        fromSql()
      )
  })

  const of = Effect.fn("BookingLinks.of")(
    function* (leadId: LeadId) {
      const { accountId } = yield* Caller
      if ((yield* hasScheduler({ accountId })) !== true) return undefined
      const [choice] = yield* sql<Chosen>`
        select a.mail_key as key, s.default_event_type_uri as "typeUri", s.default_event_type_url as "typeUrl",
          l.url as link
        from scheduler_account s
        join account a on a.account_id = s.account_id
        join connection c on c.account_id = s.account_id and c.service = ${schedulerService} and c.state = 'connected'
        left join scheduler_link l on l.account_id = s.account_id and l.lead_id = ${leadId}
          and l.event_type_uri = s.default_event_type_uri and l.made_at > instant() - make_interval(days => ${linkDays})
        where s.account_id = ${accountId} and a.account_id = ${accountId} and c.account_id = ${accountId}
          and s.default_event_type_url is not null`.pipe(fromSql())
      if (choice === undefined) return undefined
      const reference = leadReference(choice.key, accountId, leadId)
      if (choice.link !== null) return withReference(choice.link, reference)
      // If no single-use link is available now, the page of the event type is used.
      const newLink = yield* api.schedulingLink(choice.typeUri).pipe(
        Effect.map(({ booking_url }) => booking_url),
        Effect.timeoutTo({ duration: patience, onSuccess: (url) => url, onTimeout: () => undefined }),
        Effect.catchAll(() => Effect.succeed(undefined))
      )
      if (newLink === undefined || withReference(newLink, reference) === undefined) {
        return withReference(choice.typeUrl, reference)
      }
      yield* sql`
        insert into scheduler_link as l (account_id, lead_id, event_type_uri, url, is_single_use)
        values (${accountId}, ${leadId}, ${choice.typeUri}, ${newLink}, true)
        on conflict (account_id, lead_id) do update set event_type_uri = excluded.event_type_uri, url = excluded.url,
          made_at = instant()`.pipe(fromSql())
      return withReference(newLink, reference)
    },
    (effect) => Effect.catchAll(outsideTransaction(effect), () => Effect.succeed(undefined))
  )

  const page = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const [link] = yield* sql<{ readonly url: string }>`
      select s.default_event_type_url as url from scheduler_account s
      join connection c on c.account_id = s.account_id and c.service = ${schedulerService} and c.state = 'connected'
      where s.account_id = ${accountId} and s.default_event_type_url is not null`.pipe(fromSql())
    return link?.url
  }).pipe(Effect.catchAll(() => Effect.succeed(undefined)))

  return { of, page }
})

export const BookingLinksPostgres = Layer.effect(BookingLinks, make)
