import { Effect, Schema } from "effect"
import { LeadGeneration, LeadGenerationView } from "../../Services/Companies/LeadGeneration.ts"
import { clearedIfBlank } from "../../Services/Core/Changes.ts"
import {
  ProspectingActivity,
  ProspectingConfig,
  ProspectingConfigView,
  preferenceChanges
} from "../../Services/Prospecting/ProspectingConfig.ts"
import { ruleChanges } from "../../Services/Prospecting/ProspectingRules.ts"
import {
  AccountRules,
  ProspectingMode,
  ProspectingPreferences,
  ProspectingSettings
} from "../../Services/Prospecting/ProspectingSettings.ts"
import { Targeting, targetingChanges } from "../../Services/Prospecting/Targeting.ts"
import { emailProblems } from "../../Services/Text/ContactDetails.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"
import {
  channelInstructionParameters,
  companyParameters,
  employeeParameters,
  foundingParameters,
  goalParameter,
  instructionsParameter,
  qualificationParameter,
  regionParameters,
  revenueParameters,
  reviewParameter,
  sectorParameters,
  strategyParameter
} from "./ProspectingParameters.ts"

const getProspectingConfig = Tool.make("get_prospecting_config", {
  kind: "read",
  openWorld: false,
  description:
    "Shows how the account prospects: whether it does and if not why, which companies it looks for and how many there are, what the agent is told, who is notified of what, and on which channels and hours leads are contacted. Campaigns have settings of their own: see get_campaign.",
  parameters: {},
  returns: Schema.Struct({
    ...ProspectingConfigView.fields,
    lead_generation: LeadGenerationView.annotations({ description: "How the search for new companies stands." })
  }),
  errors: { Transient: ["directory_replaced"] },
  example: {},
  run: Effect.fnUntraced(function* () {
    const leadGeneration = yield* LeadGeneration
    const { config, generation } = yield* leadGeneration.state
    return { ...config, lead_generation: generation }
  })
})

const setProspectingActive = Tool.make("set_prospecting_active", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Turns autonomous prospecting of the whole account on or off. While it is off no lead is contacted, in no campaign.",
  parameters: { active: Param.boolean("Whether the platform prospects.") },
  returns: ProspectingActivity,
  transaction: false,
  example: { active: true },
  run: Tool.via(ProspectingConfig, (config, { active }) => config.setActive(active))
})

const setTargeting = Tool.make("set_targeting", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Changes which companies the account looks for. Only the fields passed change; the answer shows all of them. Campaigns have filters of their own.",
  parameters: {
    ...sectorParameters,
    ...regionParameters,
    ...employeeParameters,
    ...revenueParameters,
    ...companyParameters({ type: "Private only", audience: "any" }),
    ...foundingParameters
  },
  returns: Targeting,
  errors: {
    Refused: [
      "control_characters",
      "minimum_above_maximum",
      "not_a_date",
      "unknown_cnae_code",
      "unknown_country",
      "unknown_state"
    ]
  },
  transaction: false,
  example: { cnae_filter: "62, 6311-9", uf_filter: "SP,RJ", min_employee_count: 10 },
  run: Effect.fnUntraced(function* (asked) {
    const config = yield* ProspectingConfig
    return yield* config.setTargeting(yield* targetingChanges(asked))
  })
})

const setProspectingRules = Tool.make("set_prospecting_rules", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Changes what the prospecting agent is told for leads outside campaigns, and the signature of e-mails. Only the fields passed change; the answer shows all of them.",
  parameters: {
    ...instructionsParameter,
    ...goalParameter,
    ...strategyParameter,
    ...reviewParameter,
    ...qualificationParameter,
    ...channelInstructionParameters,
    email_signature: Param.optional(
      Param.text(
        "Ends every prospecting e-mail, exactly as written. An empty text clears it: then the sender's name alone stands there.",
        { maxLength: 5000 }
      )
    )
  },
  returns: AccountRules,
  transaction: false,
  example: { goal: "A video call of 20 minutes with the owner", email_signature: "Ana Souza\nSales" },
  run: Tool.via(ProspectingConfig, (config, asked) =>
    config.setRules({ ...ruleChanges(asked), email_signature: clearedIfBlank(asked.email_signature) })
  )
})

const flag = (description: string) => Param.optional(Param.boolean(description))

const setProspectingPreferences = Tool.make("set_prospecting_preferences", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Changes how the account prospects and of what its owner is notified. Only the fields passed change; the answer shows all of them.",
  parameters: {
    mode: Param.optional(
      Param.oneOf(
        ProspectingMode.literals,
        "Active: the platform approaches leads. Passive: it only answers those who write first."
      )
    ),
    generate_presentations: flag("Whether presentations are made for single leads."),
    notification_email: Param.optional(
      Param.text("Where e-mails to the owner go. An empty text means the account's own address.", { maxLength: 500 })
    ),
    notify_on_interested: flag("Whether the owner hears in the console and chat of a lead that became interested."),
    notify_on_confirmed: flag("The same for a lead that was confirmed."),
    notify_on_interested_via_email: flag("Whether the owner gets an e-mail about a lead that became interested."),
    notify_on_confirmed_via_email: flag("The same for a lead that was confirmed."),
    notify_on_first_chatapp_message: flag("Whether the owner hears, once, of the first message on the messaging app."),
    cc_on_interested_lead_emails: flag("Whether the owner gets a copy of the e-mails to interested leads.")
  },
  returns: ProspectingPreferences,
  errors: { Refused: emailProblems },
  transaction: false,
  example: { mode: "Active", notify_on_interested: true },
  run: Effect.fnUntraced(function* (asked) {
    const config = yield* ProspectingConfig
    return yield* config.setPreferences(yield* preferenceChanges(asked))
  })
})

const setAllowTemplateChatAppMessages = Tool.make("set_allow_template_chatapp_messages", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Allows or forbids the agent to open a conversation on the messaging app with a template. Forbidden, it only answers leads who wrote within the last 24 hours; these answers stay as they are.",
  parameters: { allowed: Param.boolean("Whether templates may open a conversation.") },
  returns: Schema.Struct(ProspectingSettings.pick("allow_template_chatapp_messages").fields),
  transaction: false,
  example: { allowed: true },
  run: Effect.fnUntraced(function* ({ allowed }) {
    const config = yield* ProspectingConfig
    return { allow_template_chatapp_messages: yield* config.setAllowTemplateChatAppMessages(allowed) }
  })
})

export const ProspectingConfigurationGroup = Tool.group(
  "Prospecting configuration",
  "Whom the account prospects, how, and of what its owner is notified.",
  [
    getProspectingConfig,
    setProspectingActive,
    setTargeting,
    setProspectingRules,
    setProspectingPreferences,
    setAllowTemplateChatAppMessages
  ]
)
