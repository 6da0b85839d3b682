import { Schema } from "effect"
import { ProspectingRules } from "./ProspectingRules.ts"
import { Targeting } from "./Targeting.ts"

const optionalText = Schema.NullOr(Schema.String)
const inheritedSwitch = Schema.NullOr(Schema.Boolean).annotations({ description: "Null: the account's setting." })

/** The settings of a campaign, except its name. */
export const CampaignSettings = Schema.Struct({
  business_name: Schema.String,
  business_description: optionalText,
  business_website: optionalText,
  icp: optionalText.annotations({ description: "The ideal customer profile." }),
  ...Targeting.fields,
  ...ProspectingRules.fields,
  email_display_name: optionalText.annotations({ description: "The name that e-mails of the campaign come from." }),
  is_active: Schema.Boolean.annotations({ description: "False: the whole campaign is paused." }),
  lead_generation_active: Schema.Boolean.annotations({
    description: "False: no new leads are searched for; prospecting of existing ones continues."
  }),
  voice_calling_active: inheritedSwitch,
  generate_custom_presentations: inheritedSwitch,
  notify_on_interested: inheritedSwitch,
  notify_on_confirmed: inheritedSwitch
})

export type CampaignSettings = typeof CampaignSettings.Type
