import type { CampaignView } from "../../src/Services/Campaigns/CampaignModel.ts"
import { CampaignId } from "../../src/Services/Campaigns/Ids.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import type { AccountConfiguration } from "../../src/Services/Prospecting/EffectiveConfiguration.ts"
import type { ProspectingRules } from "../../src/Services/Prospecting/ProspectingRules.ts"
import type { Targeting } from "../../src/Services/Prospecting/Targeting.ts"

const noTargeting: Targeting = {
  cnae_filter: [],
  cnae_exclusion_filter: [],
  uf_filter: [],
  city_filter: [],
  country_filter: [],
  min_employee_count: null,
  max_employee_count: null,
  min_annual_revenue: null,
  max_annual_revenue: null,
  company_size_filter: [],
  company_type_filter: [],
  company_audience_filter: [],
  min_founding_date: null,
  max_founding_date: null
}

const noRules: ProspectingRules = {
  instructions: null,
  email_instructions: null,
  chatapp_instructions: null,
  voice_instructions: null,
  goal: null,
  strategy: null,
  human_review_criteria: null,
  lead_qualification_instructions: null
}

/** The configuration of a new account. */
export const newAccountConfiguration: AccountConfiguration = {
  is_prospecting_active: true,
  business_name: "Ondas",
  mail_display_name: "Helena",
  business_description: "Scheduling for clinics.",
  business_website: "https://ondas.example",
  ideal_customer_profile: "Clinics with a front desk",
  ...noTargeting,
  ...noRules,
  email_signature: null,
  mode: "Active",
  generate_presentations: true,
  notification_email: null,
  notify_on_interested: true,
  notify_on_confirmed: false,
  notify_on_interested_via_email: true,
  notify_on_confirmed_via_email: false,
  notify_on_first_chatapp_message: true,
  cc_on_interested_lead_emails: false,
  voice_calling_active: false,
  prospecting_voice: "Female",
  allow_template_chatapp_messages: true,
  send_window_start_hour: 8,
  send_window_end_hour: 18
}

/** A campaign that only has a name. */
export const bareCampaign: CampaignView = {
  campaign_id: CampaignId.make(7),
  name: "Clinics",
  business_name: "Ondas Software",
  business_description: null,
  business_website: null,
  icp: null,
  ...noTargeting,
  ...noRules,
  email_display_name: null,
  is_active: true,
  lead_generation_active: true,
  voice_calling_active: null,
  generate_custom_presentations: null,
  notify_on_interested: null,
  notify_on_confirmed: null,
  lead_count: 0,
  created_at: Timestamp.make("2026-01-05T12:00:00Z")
}
