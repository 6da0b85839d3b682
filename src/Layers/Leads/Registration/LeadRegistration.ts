import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { refused, transient } from "../../../Errors.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { spanned } from "../../../Services/Core/Calls/Spanned.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import type { LeadId, LeadStatus, PipelineState } from "../../../Services/Leads/Ids.ts"
import { type Completion, filledFields } from "../../../Services/Leads/LeadCompletion.ts"
import type { RegisteredLead } from "../../../Services/Leads/LeadModel.ts"
import type { Leads } from "../../../Services/Leads/Leads.ts"
import { checkNewLead, needsCountry } from "../../../Services/Leads/NewLead.ts"
import { makeAccountCountry } from "../../Accounts/Sql.ts"
import { campaignNotFound, campaignValues, selectCampaign } from "../../Campaigns/Sql.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { insertDue } from "../../Prospecting/Sql.ts"
import { blocksIn, type ContactFactsRow, contactFacts } from "../LeadFacts.ts"
import { countCreated, countedColumns } from "../Sql/Counters.ts"
import { completeLeads } from "../Sql/LeadCompletions.ts"
import { recordLeadChange } from "../Sql.ts"

const columns =
  "account_id, lead_id, email, phone, status, pipeline_state, campaign_id, unsubscribed_at, email_failed_at, chatapp_failed_at"

/**
 * One statement that looks for the lead by its contacts, creates it if it does not exist and its person was not erased,
 * and returns its state. It returns no lead if another transaction is just creating it.
 */
const registration = (hasCampaign: boolean): string => `
with chosen as (
  ${
    hasCampaign
      ? // The lock lasts until the lead exists, so that the campaign is not archived in between.
        `${selectCampaign("campaign_id", { account: "$1", name: "$7", id: "$8::bigint" })} for share`
      : "select null::bigint as campaign_id"
  }
), known as (
  select ${columns} from (
    select 1 as precedence, lead.* from lead where account_id = $1 and email = $3
    union all
    select 2, lead.* from lead where account_id = $1 and phone = $4
  ) same_contact order by precedence limit 1
), erased as (
  select true as is_erased from account a join lead_tombstone t on t.account_id = a.account_id
  where a.account_id = $1 and t.contact_digest in (
    contact_digest(a.tombstone_key, 'email', $3), contact_digest(a.tombstone_key, 'phone', $4))
), created as (
  insert into lead (account_id, name, email, phone, company, status, campaign_id, pipeline_state, next_touch_at)
  select $1, $2, $3, $4, $5, $6, campaign_id,
    case when coalesce($3, $4) is null then 'not_started' else 'in_pipeline' end,
    case when coalesce($3, $4) is not null then instant() end
  from chosen where not exists (select from known) and not exists (select from erased)
  on conflict do nothing
  returning ${countedColumns("lead")}, email, phone, unsubscribed_at, email_failed_at, chatapp_failed_at
), ${countCreated}, ${recordLeadChange("created")}, recorded as (
  insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, to_state, data)
  select account_id, lead_id, 'registered', 'owner', pipeline_state, jsonb_build_object('status', status) from created
), scheduled as (
  ${insertDue} select account_id, instant() from created where pipeline_state = 'in_pipeline'
)
select l.lead_id, l.created, l.status, l.pipeline_state, l.unsubscribed_at is not null as is_unsubscribed,
  exists (select from chosen) as is_campaign_found, exists (select from erased) as is_erased, ${contactFacts}
from account a
left join (
  select true as created, ${columns} from created union all select false, ${columns} from known
) l on l.account_id = a.account_id
left join campaign c on c.account_id = a.account_id and c.campaign_id = l.campaign_id and c.archived_at is null
where a.account_id = $1`

export const withCampaign = registration(true)
export const withoutCampaign = registration(false)

export interface Registration extends ContactFactsRow {
  readonly lead_id: LeadId | null
  readonly created: boolean
  readonly status: LeadStatus
  readonly pipeline_state: PipelineState
  readonly is_unsubscribed: boolean
  readonly is_campaign_found: boolean
  readonly is_erased: boolean
}

const erasedBefore = refused(
  "lead_erased",
  "A lead with this e-mail address or phone number was erased permanently.",
  "Don't contact this person. An erased person can't be registered again."
)

const nothingFilled: Completion = { values: {}, notFilled: [] }

const registered = (row: Registration, leadId: LeadId, completion: Completion): RegisteredLead => ({
  lead_id: leadId,
  created: row.created,
  status: row.status,
  pipeline_state: row.pipeline_state,
  ...blocksIn({ pipeline: row.pipeline_state, isUnsubscribed: row.is_unsubscribed }, row),
  filled: filledFields(completion),
  not_filled: completion.notFilled
})

/** A registration has only some of the fields. */
const noDetails = {
  linkedin_url: null,
  city: null,
  state: null,
  country: null,
  job_title: null,
  website: null,
  background: null
}

/** Each failed attempt means that the conflicting lead disappeared again, which is rare. */
const maximumAttempts = 5

/** Makes the implementation of `Leads.register`. */
export const makeRegister = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const countries = yield* makeAccountCountry

  const register: typeof Leads.Service.register = Effect.fnUntraced(function* (request) {
    const { accountId } = yield* Caller
    const country = needsCountry(request) ? yield* countries.get(accountId) : "BR"
    const { campaign, company, email, name, phone, status } = yield* checkNewLead(request, country)
    const values = [accountId, name, email ?? null, phone ?? null, company ?? null, status]
    const statement =
      campaign === undefined
        ? sql.unsafe<Registration>(withoutCampaign, values)
        : sql.unsafe<Registration>(withCampaign, [...values, ...campaignValues(campaign)])

    const details = { ...noDetails, name, email: email ?? null, phone: phone ?? null, company: company ?? null }
    const complete = (leadId: LeadId, isErased: boolean) =>
      unit.write(Effect.map(completeLeads(sql, accountId, [{ leadId, details, isErased }]), single))

    for (let attempt = 0; attempt < maximumAttempts; attempt++) {
      const row = single(yield* statement.pipe(fromSql()))
      if (campaign !== undefined && !row.is_campaign_found) return yield* campaignNotFound(campaign)
      if (row.lead_id !== null) {
        if (row.created || request.leavesExisting === true) return registered(row, row.lead_id, nothingFilled)
        const completion = yield* complete(row.lead_id, row.is_erased)
        // A new contact may lift a block.
        const isFilled = filledFields(completion).length > 0
        return registered(isFilled ? single(yield* statement.pipe(fromSql())) : row, row.lead_id, completion)
      }
      if (row.is_erased) return yield* erasedBefore
    }
    return yield* transient("lead_registered_elsewhere", "The same lead is being registered and removed elsewhere.")
  }, spanned("Leads.register"))
  return register
})
