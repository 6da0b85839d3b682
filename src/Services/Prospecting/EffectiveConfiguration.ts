import type { CampaignId } from "../Campaigns/Ids.ts"
import { fold } from "../Text/PlainText.ts"
import type { CampaignSettings } from "./CampaignSettings.ts"
import { identityOf, type OutreachIdentity } from "./OutreachIdentity.ts"
import type { ProspectingSettings } from "./ProspectingSettings.ts"
import type { CompanyType } from "./Targeting.ts"

export interface AccountConfiguration extends ProspectingSettings {
  readonly is_prospecting_active: boolean
  /** The account's description of its business. */
  readonly business_name: string | null
  readonly mail_display_name: string | null
  readonly business_description: string | null
  readonly business_website: string | null
  readonly ideal_customer_profile: string | null
}

export interface CampaignConfiguration extends CampaignSettings {
  readonly campaign_id: CampaignId
}

/** The business that messages sell for. */
export interface SellingBusiness {
  readonly business_name: string | null
  readonly business_description: string | null
  readonly business_website: string | null
  readonly icp: string | null
}

/** The settings that apply to a lead, with nothing left to inherit. */
export interface EffectiveConfiguration extends ProspectingSettings {
  readonly campaign_id: CampaignId | null
  /** False while the account or the campaign is paused. */
  readonly is_prospecting_active: boolean
  readonly lead_generation_active: boolean
  /**
   * The campaign's business. Without a campaign, and for missing fields of the same business, the account's profile.
   */
  readonly business: SellingBusiness
  readonly email_display_name: string | null
  /** The campaign's names, else the account's. */
  readonly identity: OutreachIdentity
}

const defaultCompanyTypes: ReadonlyArray<CompanyType> = ["Private"]

const orElse = <A>(filter: ReadonlyArray<A>, inherited: ReadonlyArray<A>): ReadonlyArray<A> =>
  filter.length > 0 ? filter : inherited

const nonBlank = (text: string | null): string | null => (text === null || text.trim() === "" ? null : text)

/** A campaign may sell for another business. The account's description then does not apply. */
const businessOf = (accountBusiness: SellingBusiness, campaign: CampaignSettings | null): SellingBusiness => {
  if (campaign === null) return accountBusiness
  const isSameBusiness =
    nonBlank(campaign.business_name) === null ||
    fold(campaign.business_name).trim() === fold(accountBusiness.business_name ?? "").trim()
  const inherited = isSameBusiness ? accountBusiness : { business_description: null, business_website: null, icp: null }
  return {
    business_name: campaign.business_name,
    business_description: nonBlank(campaign.business_description) ?? inherited.business_description,
    business_website: nonBlank(campaign.business_website) ?? inherited.business_website,
    icp: nonBlank(campaign.icp) ?? inherited.icp
  }
}

/**
 * Combines a campaign with the account's settings. A campaign has its own business, targeting and rules, including
 * empty ones. It inherits switches that it leaves open, and an empty company type or audience. Settings that only the
 * account has (signature, voice, mode, send window, addresses) always apply.
 */
export const effectiveConfiguration = (
  account: AccountConfiguration,
  campaign: CampaignConfiguration | null
): EffectiveConfiguration => {
  const accountTypes = orElse(account.company_type_filter, defaultCompanyTypes)
  const {
    business_description,
    business_name,
    business_website,
    ideal_customer_profile,
    mail_display_name,
    ...settings
  } = account
  const business = businessOf(
    { business_name, business_description, business_website, icp: ideal_customer_profile },
    campaign
  )
  const accountIdentity = { businessName: business_name, senderName: mail_display_name }
  if (campaign === null) {
    return {
      ...settings,
      identity: identityOf(accountIdentity, null),
      company_type_filter: accountTypes,
      campaign_id: null,
      lead_generation_active: true,
      business,
      email_display_name: null
    }
  }
  return {
    campaign_id: campaign.campaign_id,
    is_prospecting_active: account.is_prospecting_active && campaign.is_active,
    lead_generation_active: campaign.lead_generation_active,
    business,
    email_display_name: campaign.email_display_name,
    identity: identityOf(accountIdentity, {
      businessName: campaign.business_name,
      senderName: campaign.email_display_name
    }),

    cnae_filter: campaign.cnae_filter,
    cnae_exclusion_filter: campaign.cnae_exclusion_filter,
    uf_filter: campaign.uf_filter,
    city_filter: campaign.city_filter,
    country_filter: campaign.country_filter,
    min_employee_count: campaign.min_employee_count,
    max_employee_count: campaign.max_employee_count,
    min_annual_revenue: campaign.min_annual_revenue,
    max_annual_revenue: campaign.max_annual_revenue,
    company_size_filter: campaign.company_size_filter,
    company_type_filter: orElse(campaign.company_type_filter, accountTypes),
    company_audience_filter: orElse(campaign.company_audience_filter, account.company_audience_filter),
    min_founding_date: campaign.min_founding_date,
    max_founding_date: campaign.max_founding_date,

    instructions: campaign.instructions,
    email_instructions: campaign.email_instructions,
    chatapp_instructions: campaign.chatapp_instructions,
    voice_instructions: campaign.voice_instructions,
    goal: campaign.goal,
    strategy: campaign.strategy,
    human_review_criteria: campaign.human_review_criteria,
    lead_qualification_instructions: campaign.lead_qualification_instructions,

    voice_calling_active: campaign.voice_calling_active ?? account.voice_calling_active,
    generate_presentations: campaign.generate_custom_presentations ?? account.generate_presentations,
    notify_on_interested: campaign.notify_on_interested ?? account.notify_on_interested,
    notify_on_confirmed: campaign.notify_on_confirmed ?? account.notify_on_confirmed,

    mode: account.mode,
    email_signature: account.email_signature,
    allow_template_chatapp_messages: account.allow_template_chatapp_messages,
    prospecting_voice: account.prospecting_voice,
    notification_email: account.notification_email,
    // A campaign has no separate mail switch, so switching off its notifications also stops these mails.
    notify_on_interested_via_email: account.notify_on_interested_via_email && campaign.notify_on_interested !== false,
    notify_on_confirmed_via_email: account.notify_on_confirmed_via_email && campaign.notify_on_confirmed !== false,
    notify_on_first_chatapp_message: account.notify_on_first_chatapp_message,
    cc_on_interested_lead_emails: account.cc_on_interested_lead_emails,
    send_window_start_hour: account.send_window_start_hour,
    send_window_end_hour: account.send_window_end_hour
  }
}
