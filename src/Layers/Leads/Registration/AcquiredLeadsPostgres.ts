import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { databaseConflictReason, transient } from "../../../Errors.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { AcquiredLeads, type AcquisitionOutcome } from "../../../Services/Leads/AcquiredLeads.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { normalisedPlace } from "../../../Services/Leads/LeadPlaces.ts"
import { fromSql, violatedConstraint } from "../../Platform/Postgres/Sql.ts"
import { wakeDispatcher } from "../../Prospecting/Sql.ts"
import { countCreated, countedColumns } from "../Sql/Counters.ts"
import { recordLeadChange } from "../Sql.ts"

const contactConstraints = new Set(["lead_email", "lead_phone"])

/**
 * Another transaction registered one of these people between the check and the insert. A new transaction must try
 * again.
 */
const registeredElsewhere = transient(databaseConflictReason, "A company's contact is being registered elsewhere.", 1)

interface OutcomeRow {
  readonly ordinal: number
  readonly leadId: LeadId | null
  readonly reason: "known" | "erased" | "blacklisted" | null
}

const make = Effect.map(SqlClient, (sql) =>
  AcquiredLeads.of({
    register: Effect.fn("AcquiredLeads.register")(function* (acquired, campaignId) {
      if (acquired.length === 0) return []
      const { accountId } = yield* Caller
      const leads = acquired.map((lead) => ({
        ...lead,
        ...normalisedPlace(lead, { accountCountry: lead.country, phone: lead.phone })
      }))
      const column = (pick: (lead: (typeof leads)[number]) => string | null) => leads.map(pick)
      const rows = yield* sql<OutcomeRow>`
        with given as (
          select * from unnest(
            ${column(({ name }) => name)}::text[], ${column(({ email }) => email)}::text[],
            ${column(({ phone }) => phone)}::text[], ${column(({ company }) => company)}::text[],
            ${column(({ website }) => website)}::text[], ${column(({ city }) => city)}::text[],
            ${column(({ state }) => state)}::text[], ${column(({ country }) => country)}::text[],
            ${column(({ cnae }) => cnae)}::text[], ${column(({ industry }) => industry)}::text[],
            ${column(({ background }) => background)}::text[]
          ) with ordinality
            as g (name, email, phone, company, website, city, state, country, cnae, industry, background, ordinal)
        ), judged as (
          select g.*, case
            when exists (select from lead l where l.account_id = a.account_id and l.email = g.email)
              or exists (select from lead l where l.account_id = a.account_id and l.phone = g.phone) then 'known'
            when exists (select from lead_tombstone t where t.account_id = a.account_id and t.contact_digest in (
              contact_digest(a.tombstone_key, 'email', g.email), contact_digest(a.tombstone_key, 'phone', g.phone)))
              then 'erased'
            when exists (select from blacklist_match(a.account_id, g.email, g.phone)) then 'blacklisted'
            -- Two of the same list: the first has it.
            when exists (select from given o where o.ordinal < g.ordinal and (o.email = g.email or o.phone = g.phone))
              then 'known'
          end as reason
          from given g join account a on a.account_id = ${accountId}
        ), created as (
          insert into lead (account_id, name, email, phone, company, website, city, state, country, cnae, industry,
            background, status, pipeline_state, next_touch_at, campaign_id, origin)
          select ${accountId}, name, email, phone, company, website, city, state, country, cnae, industry, background,
            'Cold', 'in_pipeline', instant(), ${campaignId}, 'acquired'
          from judged where reason is null order by ordinal
          returning ${sql.literal(countedColumns("lead"))}, email, phone
        ), ${sql.literal(countCreated)}, ${sql.literal(recordLeadChange("created"))}, recorded as (
          insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, to_state, data)
          select ${accountId}, lead_id, 'registered', 'platform', 'in_pipeline', '{"origin": "acquired"}' from created
        )
        select j.ordinal::int as ordinal, c.lead_id as "leadId", j.reason from judged j
        left join created c on j.reason is null
          and c.email is not distinct from j.email and c.phone is not distinct from j.phone
        order by j.ordinal`.pipe(
        Effect.catchIf(
          (error) => contactConstraints.has(violatedConstraint(error) ?? ""),
          () => registeredElsewhere
        ),
        fromSql()
      )
      if (rows.some(({ leadId }) => leadId !== null)) yield* wakeDispatcher(sql, accountId)
      return rows.map(
        ({ leadId, reason }): AcquisitionOutcome =>
          leadId === null ? { _tag: "Passed", reason: reason ?? "known" } : { _tag: "Created", leadId }
      )
    })
  })
)

export const AcquiredLeadsPostgres = Layer.effect(AcquiredLeads, make)
