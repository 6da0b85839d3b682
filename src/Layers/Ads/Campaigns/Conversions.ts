import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import { hashedPerson, hashesOf } from "../../../Services/Ads/AudienceMembers.ts"
import {
  type Conversion,
  type ConversionKind,
  conversionActions,
  conversionDays,
  conversionKinds,
  eventTimestamp,
  transactionIdOf,
  valueOf
} from "../../../Services/Ads/Conversions.ts"
import type { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { textAt } from "../../Platform/AnswerPaths.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import type { AdsSettingsShape } from "../AdsSettings.ts"
import { AdsFailure, isPassing } from "../Calling/AdsFailure.ts"
import { type AdsPlatform, idOf } from "../Calling/AdsPlatform.ts"
import { consentOf, destinationsOf, optOutReasonSql, userIdentifiers } from "./HashedPeople.ts"
import type { Place } from "./PlatformContent.ts"
import { uploadOutcome } from "./UploadOutcome.ts"

/** The platform's maximum per request. */
const eventsAtATime = 2000

interface ConversionServices {
  readonly sql: SqlClient
  readonly platform: AdsPlatform
  readonly settings: AdsSettingsShape
}

interface ConversionRow extends Omit<Conversion, "person"> {
  readonly leadId: number
  readonly email: string | null
  readonly phone: string | null
}

interface UnreportedConversion extends Conversion {
  readonly leadId: number
}

const makeConversionRows = ({ sql }: ConversionServices) => {
  /**
   * Conversions that the platform has not confirmed. They happened since the account's first campaign went live, and
   * their leads did not opt out. Cancelled meetings and deals that were lost again do not count.
   */
  const unreported = ({ accountId }: Place) =>
    sql<ConversionRow>`
      select e.event, e.kind, e.lead_id as "leadId", e.at as "happenedAt", e.value as "valueBrl", l.email, l.phone
      from (
        select 'meeting ' || m.meeting_id as event, 'meeting' as kind, m.lead_id, m.created_at as at,
          null::float8 as value
        from meeting m where m.account_id = ${accountId} and m.status in ('scheduled', 'confirmed', 'held')
        union all
        select 'won ' || o.lead_id, 'won', o.lead_id, max(o.created_at),
          max((o.data ->> 'deal_value_brl')::float8)
        from lead_lifecycle_event o
        where o.account_id = ${accountId} and o.event_type = 'outcome_won'
          and o.created_at > instant() - make_interval(days => ${conversionDays})
        group by o.lead_id
      ) e join lead l on l.account_id = ${accountId} and l.lead_id = e.lead_id
      where e.at > instant() - make_interval(days => ${conversionDays})
        and e.at >= (select min(c.live_since) from ads_campaign c where c.account_id = ${accountId})
        and (e.kind <> 'won' or l.final_outcome = 'won')
        and (l.email is not null or l.phone is not null) and ${optOutReasonSql(sql, accountId)} is null
        and not exists (select from ads_conversion r where r.account_id = ${accountId} and r.event = e.event
          and r.status <> 'sending')
      order by e.at, e.event limit ${eventsAtATime}`.pipe(
      fromSql(),
      Effect.map((rows) =>
        rows
          .map(({ email, phone, ...row }): UnreportedConversion => ({ ...row, person: hashedPerson(email, phone) }))
          .filter(({ person }) => hashesOf(person).length > 0)
      )
    )

  /** Stores conversions before they are reported, so that a report whose answer is lost can be repeated. */
  const intend = ({ accountId }: Place, conversions: ReadonlyArray<UnreportedConversion>) =>
    sql`
      insert into ads_conversion (account_id, event, lead_id, kind)
      select ${accountId}, c.event, c.lead_id, c.kind
      from unnest(${conversions.map(({ event }) => event)}::text[], ${conversions.map(({ leadId }) => leadId)}::bigint[],
        ${conversions.map(({ kind }) => kind)}::text[]) as c (event, lead_id, kind)
      on conflict (account_id, event) do nothing`.pipe(fromSql())

  const note = (
    { accountId }: Place,
    conversions: ReadonlyArray<Conversion>,
    { failureReason, requestId }: { readonly requestId?: string; readonly failureReason?: string }
  ) =>
    sql`
      update ads_conversion set status = ${requestId === undefined ? "sending" : "processing"},
        request_id = ${requestId ?? null}, failure_reason = ${failureReason ?? null}, reported_at = instant()
      where account_id = ${accountId} and event = any(${conversions.map(({ event }) => event)}::text[])
        and status = 'sending'`.pipe(fromSql())

  return { intend, note, unreported }
}
type ConversionRows = ReturnType<typeof makeConversionRows>

const makeActions = ({ platform, sql }: ConversionServices) => {
  /** The conversion action of a kind at the platform. Created if it is missing. */
  const ensureAction = Effect.fnUntraced(function* ({ accountId, customerId }: Place, kind: ConversionKind) {
    const [stored] = yield* sql<{ readonly id: string }>`
      select external_id as id from ads_conversion_action where account_id = ${accountId} and kind = ${kind}`.pipe(
      fromSql()
    )
    if (stored !== undefined) return stored.id
    const { category, name } = conversionActions[kind]
    const { rows } = yield* platform.search(
      customerId,
      "SELECT conversion_action.id, conversion_action.name FROM conversion_action WHERE conversion_action.type = 'UPLOAD_CLICKS' AND conversion_action.status = 'ENABLED'"
    )
    const knownAction = rows.find((row) => textAt(row, "conversionAction", "name") === name)
    const createdAction =
      knownAction === undefined
        ? yield* platform.mutate(customerId, [
            {
              conversionActionOperation: {
                create: { name, category, type: "UPLOAD_CLICKS", status: "ENABLED", countingType: "ONE_PER_CLICK" }
              }
            }
          ])
        : undefined
    const id =
      knownAction === undefined ? idOf(createdAction?.names[0] ?? "") : textAt(knownAction, "conversionAction", "id")
    if (!/^\d{1,20}$/.test(id)) return yield* new AdsFailure({ reason: "unknown" })
    yield* sql`
      insert into ads_conversion_action (account_id, kind, external_id) values (${accountId}, ${kind}, ${id})
      on conflict (account_id, kind) do update set external_id = excluded.external_id`.pipe(fromSql())
    return id
  })

  /** Makes the next report look up the action again, because the owner may have removed it. */
  const forgetAction = ({ accountId }: Place, kind: ConversionKind) =>
    sql`delete from ads_conversion_action where account_id = ${accountId} and kind = ${kind}`.pipe(fromSql())

  return { ensureAction, forgetAction }
}
type Actions = ReturnType<typeof makeActions>

const makeReports = (
  { platform, settings }: ConversionServices,
  { intend, note, unreported }: ConversionRows,
  { ensureAction, forgetAction }: Actions
) => {
  const eventOf = ({ accountId }: Place, conversion: Conversion) => ({
    transactionId: transactionIdOf(accountId, conversion),
    eventTimestamp: eventTimestamp(conversion),
    eventSource: "OTHER",
    userData: { userIdentifiers: userIdentifiers(conversion.person) },
    ...valueOf(conversion)
  })

  const send = Effect.fnUntraced(function* (
    place: Place,
    kind: ConversionKind,
    conversions: ReadonlyArray<UnreportedConversion>
  ) {
    const action = yield* ensureAction(place, kind)
    yield* intend(place, conversions)
    const requestId = yield* platform
      .dataManager("events:ingest", {
        ...destinationsOf(platform, place, action),
        events: conversions.map((conversion) => eventOf(place, conversion)),
        consent: consentOf(settings),
        encoding: "HEX",
        validateOnly: false
      })
      .pipe(
        Effect.tapErrorTag("AdsFailure", (failure) =>
          isPassing(failure)
            ? Effect.void
            : Effect.zipRight(
                forgetAction(place, kind),
                note(place, conversions, { failureReason: failure.errors?.[0]?.name ?? failure.reason })
              )
        )
      )
    if (requestId === "") return yield* new AdsFailure({ reason: "unknown" })
    yield* note(place, conversions, { requestId })
  })

  /**
   * Reports meetings and won deals. The platform counts a repeated report once, so a report whose answer was lost is
   * sent again.
   */
  const report = Effect.fnUntraced(function* (place: Place): Effect.fn.Return<void, AdsFailure | Transient, Caller> {
    if (settings.audience.adUserData === "CONSENT_DENIED") return
    const conversions = yield* unreported(place)
    for (const kind of conversionKinds) {
      const ofKind = conversions.filter((conversion) => conversion.kind === kind)
      if (ofKind.length > 0) yield* send(place, kind, ofKind)
    }
  })

  return { report }
}

/** Reports meetings and won deals to the platform, so that it learns which searches bring customers. */
export const makeConversions = (sql: SqlClient, platform: AdsPlatform, settings: AdsSettingsShape) => {
  const services: ConversionServices = { sql, platform, settings }
  const { report } = makeReports(services, makeConversionRows(services), makeActions(services))

  /** Reads the results of earlier reports. */
  const poll = Effect.fnUntraced(function* ({ accountId }: Place) {
    const requests = yield* sql<{ readonly id: string }>`
      select distinct request_id as id from ads_conversion
      where account_id = ${accountId} and status = 'processing'
        and reported_at > instant() - make_interval(days => ${conversionDays})
      order by id limit 20`.pipe(fromSql())
    for (const { id } of requests) {
      const { reason, status } = uploadOutcome(yield* platform.uploadStatus(id))
      if (status === undefined) continue
      yield* sql`
        update ads_conversion set status = ${status === "failed" ? "failed" : "done"},
          failure_reason = ${reason === "" ? null : reason.slice(0, 100)}
        where account_id = ${accountId} and request_id = ${id} and status = 'processing'`.pipe(fromSql())
    }
  })

  return { tend: (place: Place) => Effect.zipRight(poll(place), report(place)) }
}
