import { Effect, Option } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import type { WaitingFacts } from "../../Services/Leads/LeadBlocks.ts"
import type { LeadProfile } from "../../Services/Leads/LeadModel.ts"
import { languageOfLead } from "../../Services/Text/LeadLanguage.ts"
import { leadZoneOf } from "../../Services/Zones/LeadZone.ts"
import { makeLookupBatcher } from "../Platform/Postgres/grouped/LookupBatcher.ts"
import { emailJson, emailTime, timestampJson } from "./LeadEmailRows.ts"
import { type ContactFactsRow, contactFacts, contactState, waitingFacts } from "./LeadFacts.ts"

const latestEmails = (direction: "outbound" | "inbound") => `
  (select * from email_message
    where account_id = l.account_id and lead_id = l.lead_id and direction = '${direction}'
    order by ${emailTime("email_message")} desc, email_message_id desc limit 50)`

/** The last form that lead `l` submitted on a capture page. */
const captureJson = `(select json_build_object('website_id', p.website_id, 'page', p.page, 'url', p.url,
    'variant', p.variant, 'utm_source', p.utm_source, 'utm_medium', p.utm_medium, 'utm_campaign', p.utm_campaign,
    'utm_term', p.utm_term, 'utm_content', p.utm_content, 'referrer', p.referrer, 'said', p.said,
    'marketing_consent', p.marketing_consent, 'captured_at', ${timestampJson("p.captured_at")},
    'capture_count', (select count(*) from lead_capture o where o.account_id = p.account_id and o.lead_id = p.lead_id))
    from lead_capture p where p.account_id = l.account_id and p.lead_id = l.lead_id
    order by p.lead_capture_id desc limit 1)`

/** The columns of a profile, of a lead `l` joined with `profileJoins`. */
export const profileColumns = `l.unsubscribed_at is not null as is_unsubscribed, ${contactFacts}, ${waitingFacts},
  l.lead_id, l.name, l.email, l.phone, l.company, l.job_title, l.website, l.city, l.state, l.country, l.cnae, l.industry,
  l.linkedin_url, l.status, l.goal, l.background, c.campaign_id, c.name as campaign, l.pipeline_state,
  l.paused_at is not null as is_paused, l.paused_at, l.pause_reason, l.review_requested_at, l.review_reason,
  l.unsubscribed_at, l.final_outcome, l.preferred_channel, l.next_touch_at, l.next_touch_instructions,
  l.last_outbound_at, l.last_inbound_at, l.last_reply_at, l.last_reply_class, l.last_message_direction,
  l.last_message_channel, l.last_message_kind, l.email_failed_at, l.created_at,
  l.referred_by_lead_id, (select r.name from lead r
    where r.account_id = l.account_id and r.lead_id = l.referred_by_lead_id) as referred_by,
  l.language as written_language, l.time_zone as stored_time_zone, a.language_key as account_language,
  a.time_zone as account_time_zone, ${captureJson} as source,
  coalesce((
    select json_agg(${emailJson("m", { withBody: true })} order by ${emailTime("m")}, m.email_message_id)
    from (${latestEmails("outbound")} union all ${latestEmails("inbound")}) m
  ), '[]') as emails,
  (select count(*) from chatapp_message m
    where m.account_id = l.account_id and m.lead_id = l.lead_id and m.direction = 'outbound') as chatapp_outbound_count,
  (select count(*) from chatapp_message m
    where m.account_id = l.account_id and m.lead_id = l.lead_id and m.direction = 'inbound') as chatapp_inbound_count,
  (select count(*) from voice_call v
    where v.account_id = l.account_id and v.lead_id = l.lead_id) as voice_call_count`

export const profileJoins = `
join account a on a.account_id = l.account_id
left join campaign c on c.account_id = l.account_id and c.campaign_id = l.campaign_id and c.archived_at is null`

/** The leads `$2` of the accounts `$1`. `place` is the position in these lists, from 1. */
const statement = `
select wanted.place, ${profileColumns}
from unnest($1::bigint[], $2::bigint[]) with ordinality wanted (account_id, lead_id, place)
join lead l on l.account_id = wanted.account_id and l.lead_id = wanted.lead_id ${profileJoins}`

export interface ProfileRow
  extends ContactFactsRow,
    Omit<WaitingFacts, "next_touch_at">,
    Omit<LeadProfile, "blocks" | "eligibility_reasons" | "waiting_for" | "language" | "time_zone"> {
  readonly place: number
  readonly is_unsubscribed: boolean
  readonly written_language: string | null
  readonly stored_time_zone: string | null
  readonly account_language: string
  readonly account_time_zone: string
}

export const profileOf = (row: ProfileRow): LeadProfile => {
  const {
    place: _,
    is_unsubscribed,
    has_email: _email,
    has_phone: _phone,
    is_email_blacklisted: _blockedEmail,
    is_phone_blacklisted: _blockedPhone,
    is_email_failed: _failedEmail,
    is_campaign_paused: _campaign,
    is_prospecting_active: _account,
    is_chat_possible: _chat,
    is_voice_on: _voice,
    has_business_name: _business,
    has_sender_name: _sender,
    now: _now,
    is_date_of_owner: _date,
    is_date_of_reply: _deferral,
    is_touch_open: _touch,
    skip_reason: _skip,
    unanswered_kind: _kind,
    has_written: _written,
    is_passive: _passive,
    held_until: _held,
    account_language,
    account_time_zone,
    stored_time_zone,
    written_language,
    ...lead
  } = row
  const account = { language: account_language, timeZone: account_time_zone }
  const state = { pipeline: row.pipeline_state, isPaused: row.is_paused, isUnsubscribed: is_unsubscribed }
  return {
    ...lead,
    language: languageOfLead({ ...lead, language: written_language }, account_language),
    time_zone: leadZoneOf({ ...lead, timeZone: stored_time_zone }, account).zone,
    ...contactState(state, row, row)
  }
}

interface Key {
  readonly accountId: AccountId
  readonly leadId: LeadId
}

/** Looks up leads. Look-ups in the same turn of the event loop are one statement. */
export const makeLeadProfiles = Effect.map(
  makeLookupBatcher({
    maximumKeys: 50,
    accountOf: ({ accountId }) => accountId,
    text: statement,
    values: (keys: ReadonlyArray<Key>) => [keys.map(({ accountId }) => accountId), keys.map(({ leadId }) => leadId)],
    found: (keys, rows: ReadonlyArray<ProfileRow>) => {
      const profiles = keys.map((): Option.Option<LeadProfile> => Option.none())
      for (const row of rows) profiles[row.place - 1] = Option.some(profileOf(row))
      return profiles
    }
  }),
  ({ get }) => get
)
