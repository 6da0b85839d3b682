import type { PipelineState } from "../../Services/Leads/Ids.ts"
import type { ContactFacts, FinalOutcome, LeadState } from "../../Services/Leads/LeadPipeline.ts"

/**
 * The columns that `blocksOf` needs, of a lead `l`, its account `a` and its campaign `c`. The campaign may be missing,
 * and an archived one must be left out of the join.
 */
export const contactFacts = `
  l.email is not null as has_email, l.email_failed_at is not null as is_email_failed, l.phone is not null as has_phone,
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
}

export const factsOf = (row: ContactFactsRow): ContactFacts => ({
  hasEmail: row.has_email,
  hasPhone: row.has_phone,
  isEmailFailed: row.is_email_failed,
  isEmailBlacklisted: row.is_email_blacklisted,
  isPhoneBlacklisted: row.is_phone_blacklisted,
  isCampaignPaused: row.is_campaign_paused,
  isAccountProspecting: row.is_prospecting_active
})

/** The columns that `transition` decides by, of a lead `l`. */
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
