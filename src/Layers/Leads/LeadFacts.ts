import type { PipelineState } from "../../Services/Leads/Ids.ts"
import {
  blocksOf,
  type ContactFacts,
  eligibilityReasonsOf,
  type WaitingFacts,
  waitingFor
} from "../../Services/Leads/LeadBlocks.ts"
import type { FinalOutcome, LeadState } from "../../Services/Leads/LeadPipeline.ts"

/**
 * The columns that `blocksOf` needs, of a lead `l`, its account `a` and its campaign `c`. The campaign may be missing,
 * and an archived one must be left out of the join. Some look-ups have a limit: without it the planner may read the
 * tables of all accounts and hash them.
 */
export const contactFacts = `
  l.email is not null as has_email, l.phone is not null as has_phone,
  l.email_failed_at is not null or exists (select from email_suppression s
    where s.account_id = a.account_id and s.email = l.email) as is_email_failed,
  l.chatapp_failed_at is null
    and coalesce((select true from chatapp_line n where n.account_id = a.account_id and n.status = 'live' limit 1), false)
    and (coalesce((select p.allow_template_chatapp_messages from prospecting_config p
        where p.account_id = a.account_id limit 1), false)
      or coalesce((select true from chatapp_message m where m.account_id = a.account_id and m.lead_id = l.lead_id
        and m.direction = 'inbound' and m.created_at > instant() - interval '24 hours' limit 1), false))
    as is_chat_possible,
  coalesce(c.voice_calling_active, (select p.voice_calling_active from prospecting_config p
    where p.account_id = a.account_id), false) as is_voice_on,
  coalesce(nullif(btrim(c.business_name), ''), (select b.business_name from business_profile b
    where b.account_id = a.account_id)) is not null as has_business_name,
  coalesce(nullif(btrim(c.email_display_name), ''), a.mail_display_name) is not null as has_sender_name,
  exists (select from blacklist_match(l.account_id, l.email, null)) as is_email_blacklisted,
  exists (select from blacklist_match(l.account_id, null, l.phone)) as is_phone_blacklisted,
  coalesce(not c.is_active, false) as is_campaign_paused, a.is_prospecting_active`

export interface ContactFactsRow {
  readonly has_email: boolean
  readonly has_phone: boolean
  readonly is_email_failed: boolean
  readonly is_email_blacklisted: boolean
  readonly is_phone_blacklisted: boolean
  readonly is_campaign_paused: boolean
  readonly is_prospecting_active: boolean
  readonly is_chat_possible: boolean
  readonly is_voice_on: boolean
  readonly has_business_name: boolean
  readonly has_sender_name: boolean
}

const factsOf = (row: ContactFactsRow): ContactFacts => ({
  hasEmail: row.has_email,
  hasPhone: row.has_phone,
  isEmailFailed: row.is_email_failed,
  isEmailBlacklisted: row.is_email_blacklisted,
  isPhoneBlacklisted: row.is_phone_blacklisted,
  isCampaignPaused: row.is_campaign_paused,
  isAccountProspecting: row.is_prospecting_active,
  isChatPossible: row.is_chat_possible,
  isVoiceOn: row.is_voice_on,
  hasBusinessName: row.has_business_name,
  hasSenderName: row.has_sender_name
})

/** Returns the blocks of a lead, as answers show them. */
export const blocksIn = (state: Pick<LeadState, "pipeline" | "isUnsubscribed">, row: ContactFactsRow) => {
  const facts = factsOf(row)
  return { blocks: blocksOf(state, facts), eligibility_reasons: eligibilityReasonsOf(facts) }
}

/** The columns that `waitingFor` needs, of a lead `l`. */
export const waitingFacts = `
  instant() as now, coalesce(l.next_touch_wished_at = l.next_touch_at, false) as is_date_of_owner,
  coalesce(l.next_touch_deferred_to = l.next_touch_at, false) as is_date_of_reply,
  exists (select from touch t where t.account_id = l.account_id and t.lead_id = l.lead_id
    and t.status in ('writing', 'queued') and t.meeting_id is null) as is_touch_open,
  (select case when t.status = 'skipped' then t.reason end from touch t
    where t.account_id = l.account_id and t.lead_id = l.lead_id and t.meeting_id is null
    order by t.touch_id desc limit 1) as skip_reason,
  case when l.last_message_direction = 'inbound' then l.last_message_kind end as unanswered_kind,
  l.last_inbound_at is not null as has_written,
  exists (select from prospecting_config p where p.account_id = l.account_id and p.mode = 'Passive') as is_passive,
  (select max(m.deferred_until) from chatapp_message m where m.account_id = l.account_id and m.lead_id = l.lead_id
    and m.status = 'queued' and m.deferred_until > instant()) as held_until`

/** Returns the blocks of a lead, and what it waits for. */
export const contactState = (
  state: Pick<LeadState, "pipeline" | "isPaused" | "isUnsubscribed">,
  row: ContactFactsRow,
  waiting: WaitingFacts
) => {
  const blocked = blocksIn(state, row)
  return { ...blocked, waiting_for: waitingFor(state, blocked.blocks, waiting) }
}

/** The columns for the decisions of `transition`, of a lead `l`. */
export const stateColumns = `
  l.pipeline_state, l.paused_at is not null as is_paused, l.unsubscribed_at is not null as is_unsubscribed,
  l.final_outcome, exists (select from meeting m where m.account_id = l.account_id and m.lead_id = l.lead_id
    and m.status in ('scheduled', 'confirmed')) as has_scheduled_meeting`

export interface StateRow {
  readonly pipeline_state: PipelineState
  readonly is_paused: boolean
  readonly is_unsubscribed: boolean
  readonly final_outcome: FinalOutcome | null
  readonly has_scheduled_meeting: boolean
}

export const stateOf = (row: StateRow): LeadState => ({
  pipeline: row.pipeline_state,
  isPaused: row.is_paused,
  isUnsubscribed: row.is_unsubscribed,
  outcome: row.final_outcome ?? undefined,
  hasScheduledMeeting: row.has_scheduled_meeting
})
