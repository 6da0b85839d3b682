import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { databaseConflictReason, transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { countryOfAccount } from "../../../Services/Blacklist/Blacklist.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { type Capture, type CapturedLead, CapturedLeads } from "../../../Services/Leads/CapturedLeads.ts"
import type { LeadId, LeadStatus, PipelineState } from "../../../Services/Leads/Ids.ts"
import { normalisedPlace } from "../../../Services/Leads/LeadPlaces.ts"
import { fromSql, violatedConstraint } from "../../Platform/Postgres/Sql.ts"
import { wakeDispatcher } from "../../Prospecting/Sql.ts"
import { countChanged, countCreated, countedColumns } from "../Sql/Counters.ts"
import { recordInHistory } from "../Sql/History.ts"
import { setStatusByReply } from "../Sql/State.ts"
import { recordLeadChange } from "../Sql.ts"

/** The channel that the history shows for these leads. */
const captureChannel = "capture_page"

const contactConstraints = new Set(["lead_email", "lead_phone"])

/** Another transaction registered or changed the same person. A new transaction must try again. */
const changedElsewhere = transient(
  databaseConflictReason,
  "The same person is being registered or changed elsewhere.",
  1
)

interface ExistingLeadRow {
  readonly lead_id: LeadId
  readonly status: LeadStatus
  readonly pipeline_state: PipelineState
  readonly is_unsubscribed: boolean
}

/** A form has one field for the place, in which people write the state too. */
interface PlacedLead extends CapturedLead {
  readonly state: string | null
}

const placed = (lead: CapturedLead, accountCountry: string): PlacedLead => {
  const context = { accountCountry, phone: lead.phone }
  const { city, state } = normalisedPlace({ city: lead.city, state: null, country: null }, context)
  return { ...lead, city, state }
}

interface ContactCheck {
  readonly is_erased: boolean
  readonly is_blacklisted: boolean
  readonly existing_lead_id: number | null
  readonly phone: string | null
  readonly languageKey: string
}

const judge = (sql: SqlClient, accountId: AccountId, { email, phone }: CapturedLead) =>
  sql<ContactCheck>`
    select
      exists (select from lead_tombstone t where t.account_id = a.account_id and t.contact_digest in (
        contact_digest(a.tombstone_key, 'email', ${email}), contact_digest(a.tombstone_key, 'phone', ${phone})))
        as is_erased,
      exists (select from blacklist_match(a.account_id, ${email}, ${phone})) as is_blacklisted,
      coalesce((select l.lead_id from lead l where l.account_id = a.account_id and l.email = ${email}),
        (select l.lead_id from lead l where l.account_id = a.account_id and l.phone = ${phone})) as existing_lead_id,
      a.phone, a.language_key as "languageKey"
    from account a where a.account_id = ${accountId}`.pipe(fromSql())

const lock = (sql: SqlClient, accountId: AccountId, leadId: number) =>
  sql<ExistingLeadRow>`
    select lead_id, status, pipeline_state, unsubscribed_at is not null as is_unsubscribed from lead
    where account_id = ${accountId} and lead_id = ${leadId} for update`.pipe(fromSql())

const noteCapture = (sql: SqlClient, accountId: AccountId, leadId: LeadId, capture: Capture) =>
  sql`
    insert into lead_capture ${sql.insert({ account_id: accountId, lead_id: leadId, ...capture })}`.pipe(fromSql())

/**
 * The statement that creates the lead also checks for erasure. `on conflict do nothing` returns no row if another
 * transaction creates the same lead.
 */
const create = (sql: SqlClient, accountId: AccountId, lead: PlacedLead) => {
  const { campaignId, city, company, email, jobTitle, language, name, phone, state, website } = lead
  return sql<{ readonly lead_id: LeadId; readonly pipeline_state: PipelineState }>`
    with erased as (
      select true as is_erased from account a join lead_tombstone t on t.account_id = a.account_id
      where a.account_id = ${accountId} and t.contact_digest in (
        contact_digest(a.tombstone_key, 'email', ${email}), contact_digest(a.tombstone_key, 'phone', ${phone}))
    ), created as (
      insert into lead (account_id, name, email, phone, company, job_title, city, state, website, language, campaign_id, status,
        was_interested, pipeline_state, next_touch_at)
      select p.account_id, ${name}, ${email}, ${phone}, ${company}, ${jobTitle}, ${city}, ${state}, ${website}, ${language},
        ${campaignId}, 'Interested', true, case when coalesce(${email}, ${phone}) is null then 'not_started' else 'in_pipeline' end,
        case when coalesce(${email}, ${phone}) is not null then instant() end
      from prospecting_config p where p.account_id = ${accountId} and not exists (select from erased)
      on conflict do nothing
      returning ${sql.literal(countedColumns("lead"))}
    ), ${sql.literal(countCreated)}, ${sql.literal(recordLeadChange("created"))}, recorded as (
      insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, to_state, data)
      select account_id, lead_id, 'registered', 'lead', pipeline_state,
        jsonb_build_object('status', status, 'origin', ${captureChannel}::text, 'website_id', ${lead.capture.website_id}::bigint)
      from created
    )
    select lead_id, pipeline_state from created`.pipe(fromSql())
}

/** Fills in missing fields. A contact that another lead has is not copied. */
const complete = (sql: SqlClient, accountId: AccountId, leadId: LeadId, lead: PlacedLead) => {
  const { campaignId, city, company, email, jobTitle, language, phone, state, website } = lead
  const free = (column: "email" | "phone", value: string | null) => sql`
    case when exists (select from lead o where o.account_id = ${accountId} and ${sql(`o.${column}`)} = ${value})
      then null else ${value}::text end`
  return sql<{ readonly pipeline_state: PipelineState }>`
    with before as (
      select ${sql.literal(countedColumns("l"))} from lead l
      where l.account_id = ${accountId} and l.lead_id = ${leadId} for update
    ), changed as (
      update lead l set email = coalesce(l.email, ${free("email", email)}), phone = coalesce(l.phone, ${free("phone", phone)}),
        company = coalesce(l.company, ${company}), job_title = coalesce(l.job_title, ${jobTitle}),
        city = coalesce(l.city, ${city}),
        -- A state that came with another city would be wrong.
        state = case when l.city is null then coalesce(l.state, ${state}) else l.state end, website = coalesce(l.website, ${website}),
        language = coalesce(l.language, ${language}), campaign_id = coalesce(l.campaign_id, ${campaignId}),
        -- The first way to reach a lead begins its prospecting.
        pipeline_state = case when l.pipeline_state = 'not_started' and l.email is null and l.phone is null
          and coalesce(${free("email", email)}, ${free("phone", phone)}) is not null then 'in_pipeline'
          else l.pipeline_state end,
        touch_count = case when l.pipeline_state in ('not_started', 'in_pipeline') then 0 else l.touch_count end
      from before where l.account_id = ${accountId} and l.lead_id = before.lead_id
      returning ${sql.literal(countedColumns("l"))}
    ), ${sql.literal(countChanged)}, ${sql.literal(recordLeadChange("changed"))}
    select pipeline_state from changed`.pipe(
    Effect.catchIf(
      (error) => contactConstraints.has(violatedConstraint(error) ?? ""),
      () => changedElsewhere
    ),
    fromSql()
  )
}

const contactNow = (sql: SqlClient, accountId: AccountId, leadId: LeadId) =>
  sql`
    update lead set next_touch_at = least(next_touch_at, instant())
    where account_id = ${accountId} and lead_id = ${leadId} and pipeline_state = 'in_pipeline'`.pipe(
    fromSql(),
    Effect.zipRight(wakeDispatcher(sql, accountId))
  )

const updateExisting = Effect.fnUntraced(function* (
  sql: SqlClient,
  accountId: AccountId,
  { lead_id, status }: ExistingLeadRow,
  lead: PlacedLead
) {
  const [completed] = yield* complete(sql, accountId, lead_id, lead)
  const becameInterested = status !== "Interested" && status !== "Closed"
  const key = { accountId, leadId: lead_id }
  if (becameInterested) yield* setStatusByReply(sql, key, "Interested", captureChannel)
  else {
    yield* recordInHistory(sql, {
      ...key,
      event: "interest_shown",
      actor: "lead",
      reason: null,
      data: { channel: captureChannel, website_id: lead.capture.website_id }
    })
  }
  yield* noteCapture(sql, accountId, lead_id, lead.capture)
  if (completed?.pipeline_state === "in_pipeline") yield* contactNow(sql, accountId, lead_id)
  return { _tag: "Known" as const, leadId: lead_id, becameInterested }
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  return CapturedLeads.of({
    register: Effect.fn("CapturedLeads.register")(function* (captured) {
      const { accountId } = yield* Caller
      const [contactCheck] = yield* judge(sql, accountId, captured)
      if (contactCheck === undefined || contactCheck.is_erased) return { _tag: "Erased" }
      const lead = placed(captured, countryOfAccount(contactCheck))
      if (contactCheck.existing_lead_id !== null) {
        const [existingLead] = yield* lock(sql, accountId, contactCheck.existing_lead_id)
        // The lead was erased, or its contact changed, since the check.
        if (existingLead === undefined) return yield* changedElsewhere
        if (existingLead.is_unsubscribed) return { _tag: "Held", reason: "unsubscribed", leadId: existingLead.lead_id }
        if (contactCheck.is_blacklisted) return { _tag: "Held", reason: "blacklisted", leadId: existingLead.lead_id }
        return yield* updateExisting(sql, accountId, existingLead, lead)
      }
      if (contactCheck.is_blacklisted) return { _tag: "Held", reason: "blacklisted", leadId: null }
      const [created] = yield* create(sql, accountId, lead)
      if (created === undefined) return yield* changedElsewhere
      yield* noteCapture(sql, accountId, created.lead_id, lead.capture)
      if (created.pipeline_state === "in_pipeline") yield* wakeDispatcher(sql, accountId)
      return { _tag: "Created", leadId: created.lead_id }
    })
  })
})

export const CapturedLeadsPostgres = Layer.effect(CapturedLeads, make)
