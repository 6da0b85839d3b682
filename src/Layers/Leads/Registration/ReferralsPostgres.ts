import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { notFound, refused } from "../../../Errors.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { Leads } from "../../../Services/Leads/Leads.ts"
import { Referrals, type RegisteredReferral } from "../../../Services/Leads/Referrals.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { countChanged, countedColumns } from "../Sql/Counters.ts"

type Link = Pick<RegisteredReferral, "referred_by_lead_id" | "company" | "campaign_id">

const noContact = refused(
  "contact_required",
  "The new lead has neither an e-mail address nor a phone number.",
  "Send lead_email, lead_phone or both."
)

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === ""

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const leads = yield* Leads

  return Referrals.of({
    register: Effect.fn("Referrals.register")(function* (referral) {
      const { accountId } = yield* Caller
      const { actor, email, firstTouchInstructions, isSameCompany, name, phone, referringLeadId, status } = referral
      const referring = yield* sql`
        select from lead where account_id = ${accountId} and lead_id = ${referringLeadId} for key share`.pipe(fromSql())
      if (referring.length === 0) return yield* notFound("lead", "referring_lead_id", referringLeadId)
      if (isBlank(email) && isBlank(phone)) return yield* noContact

      // A referral changes nothing about a person who is a lead already.
      const {
        filled: _filled,
        not_filled: _notFilled,
        ...registered
      } = yield* leads.register({
        name,
        email,
        phone,
        company: undefined,
        status,
        campaign: undefined,
        leavesExisting: true
      })
      const { lead_id } = registered
      const isLead = sql`account_id = ${accountId} and lead_id = ${lead_id}`
      if (!registered.created) {
        const rows = yield* sql<Link>`
          select referred_by_lead_id, company, campaign_id from lead where ${isLead}`.pipe(fromSql())
        return { ...registered, ...single(rows) }
      }
      const copied = (column: string) =>
        sql`${sql(column)} = case when ${isSameCompany} then r.${sql(column)} else n.${sql(column)} end`
      const rows = yield* sql<Link>`
        with before as (
          select ${sql.literal(countedColumns("b"))} from lead b
          where b.account_id = ${accountId} and b.lead_id = ${lead_id} for update
        ), changed as (
        update lead n set referred_by_lead_id = r.lead_id, campaign_id = r.campaign_id, language = r.language,
          was_interested = ${status === "Interested" && actor !== "owner"},
          first_message_instructions = ${isBlank(firstTouchInstructions) ? null : (firstTouchInstructions ?? null)},
          ${sql.csv(["company", "website", "city", "state", "country", "cnae", "industry", "time_zone"].map(copied))}
        from before, lead r
        where n.account_id = ${accountId} and n.lead_id = before.lead_id
          and r.account_id = ${accountId} and r.lead_id = ${referringLeadId}
        returning ${sql.literal(countedColumns("n"))}, n.referred_by_lead_id, n.company
        ), ${sql.literal(countChanged)}
        select referred_by_lead_id, company, campaign_id from changed`.pipe(fromSql())
      yield* sql`
        update lead_lifecycle_event set actor = ${actor},
          data = data || jsonb_build_object('referred_by_lead_id', ${referringLeadId}::bigint)
        where ${isLead} and event_type = 'registered'`.pipe(fromSql())
      // This changes nothing. It returns what blocks the lead, now that it has a campaign.
      const { blocks } = yield* leads.transition(lead_id, "start")
      return { ...registered, ...single(rows), blocks }
    })
  })
})

export const ReferralsPostgres = Layer.effect(Referrals, make)
