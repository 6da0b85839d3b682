import { Effect, Schema } from "effect"
import { AccountSettings } from "../../Services/Accounts/AccountSettings.ts"
import { LeadGeneration, LeadGenerationView } from "../../Services/Companies/LeadGeneration.ts"
import { clearedIfBlank } from "../../Services/Core/Changes.ts"
import { recheckWaitingLeads } from "../../Services/Outreach/WaitingLeads.ts"
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
import { notAppliedField } from "../../Services/Writing/Instructions/NotApplied.ts"
import { standingInstructions, withNotApplied } from "../Core/NotAppliedAnswer.ts"
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

const currentConfiguration = Effect.flatMap(ProspectingConfig, ({ get }) => get)

const getProspectingConfig = Tool.make("get_prospecting_config", {
  kind: "read",
  openWorld: false,
  description:
    "Shows the account's prospecting configuration: whether it is active and if not why, which companies it searches for and how many there are, the agent's instructions, who is notified of what, and on which channels and at which hours leads are contacted. Campaigns have their own settings: see get_campaign.",
  parameters: {},
  returns: Schema.Struct({
    ...ProspectingConfigView.fields,
    ...notAppliedField,
    lead_generation: LeadGenerationView.annotations({ description: "The state of the search for new companies." })
  }),
  errors: { Transient: ["directory_replaced"] },
  example: {},
  run: Effect.fnUntraced(function* () {
    const leadGeneration = yield* LeadGeneration
    const { config, generation } = yield* leadGeneration.state
    return yield* withNotApplied({ ...config, lead_generation: generation }, standingInstructions(config))
  })
})

const setProspectingActive = Tool.make("set_prospecting_active", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Turns autonomous prospecting of the whole account on or off. While it is off, no lead is contacted in any campaign.",
  parameters: { active: Param.boolean("Whether the platform prospects.") },
  returns: ProspectingActivity,
  transaction: "unneeded",
  settings: () => currentConfiguration,
  example: { active: true },
  run: Tool.via(ProspectingConfig, (config, { active }) => config.setActive(active))
})

const setTargeting = Tool.make("set_targeting", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Changes which companies the account searches for. Only the fields passed change; the answer shows all of them. Campaigns have their own filters.",
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
  transaction: "unneeded",
  settings: () => currentConfiguration,
  example: { cnae_filter: "62, 6311-9", uf_filter: "SP,RJ", min_employee_count: 10 },
  run: Effect.fnUntraced(function* (args) {
    const config = yield* ProspectingConfig
    return yield* config.setTargeting(yield* targetingChanges(args))
  })
})

const setProspectingRules = Tool.make("set_prospecting_rules", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Changes the prospecting agent's instructions for leads outside campaigns, and the signature of e-mails. Only the fields passed change; the answer shows all of them.",
  parameters: {
    ...instructionsParameter,
    ...goalParameter,
    ...strategyParameter,
    ...reviewParameter,
    ...qualificationParameter,
    ...channelInstructionParameters,
    email_signature: Param.optional(
      Param.text(
        "Ends every prospecting e-mail, exactly as written. An empty text clears it; mails then end with the sender's name.",
        { maxLength: 5000 }
      )
    )
  },
  returns: Schema.Struct({ ...AccountRules.fields, ...notAppliedField }),
  transaction: "several",
  settings: () => currentConfiguration,
  example: { goal: "A video call of 20 minutes with the owner", email_signature: "Ana Souza\nSales" },
  run: Effect.fnUntraced(function* (args) {
    const config = yield* ProspectingConfig
    const changes = { ...ruleChanges(args), email_signature: clearedIfBlank(args.email_signature) }
    const rules = yield* config.setRules(changes)
    return yield* withNotApplied(rules, standingInstructions(rules))
  })
})

const flag = (description: string) => Param.optional(Param.boolean(description))

const setProspectingPreferences = Tool.make("set_prospecting_preferences", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  description:
    "Changes how the account prospects and what its owner is notified of. Only the fields passed change; the answer shows all of them.",
  parameters: {
    mode: Param.optional(
      Param.oneOf(
        ProspectingMode.literals,
        "Active: the platform contacts leads. Passive: it only answers those who write first."
      )
    ),
    generate_presentations: flag("Whether to make presentations for individual leads."),
    notification_email: Param.optional(
      Param.text(
        "Where e-mails to the owner go, once the link that is sent there was followed: get_notification_emails shows whether it was. An empty text means the account's own address.",
        { maxLength: 500 }
      )
    ),
    notify_on_interested: flag("Whether the owner is notified in the console and chat when a lead becomes interested."),
    notify_on_confirmed: flag("The same when a lead is confirmed."),
    notify_on_interested_via_email: flag("Whether the owner gets an e-mail when a lead becomes interested."),
    notify_on_confirmed_via_email: flag("The same when a lead is confirmed."),
    notify_on_first_chatapp_message: flag(
      "Whether the owner is notified once of the first message on the messaging app."
    ),
    cc_on_interested_lead_emails: flag("Whether the owner gets a copy of the e-mails to interested leads.")
  },
  returns: ProspectingPreferences,
  errors: { Refused: [...emailProblems, "platform_address", "too_many_mails"] },
  settings: () => currentConfiguration,
  example: { mode: "Active", notify_on_interested: true },
  run: Effect.fnUntraced(function* (args) {
    const config = yield* ProspectingConfig
    const settings = yield* AccountSettings
    const changes = yield* preferenceChanges(args)
    const preferences = yield* config.setPreferences(changes)
    const { notification_email: address } = changes
    if (typeof address === "string") yield* settings.askToConfirm("notification_email", address)
    if (args.mode === "Active") yield* recheckWaitingLeads
    return preferences
  })
})

const setAllowTemplateChatAppMessages = Tool.make("set_allow_template_chatapp_messages", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Allows or forbids the agent to open a conversation on the messaging app with a template. If forbidden, it only answers leads who wrote within the last 24 hours.",
  parameters: { allowed: Param.boolean("Whether templates may open a conversation.") },
  returns: Schema.Struct(ProspectingSettings.pick("allow_template_chatapp_messages").fields),
  transaction: "unneeded",
  settings: () => currentConfiguration,
  example: { allowed: true },
  run: Effect.fnUntraced(function* ({ allowed }) {
    const config = yield* ProspectingConfig
    const allow_template_chatapp_messages = yield* config.setAllowTemplateChatAppMessages(allowed)
    if (allowed) yield* recheckWaitingLeads
    return { allow_template_chatapp_messages }
  })
})

export const ProspectingConfigurationGroup = Tool.group(
  "Prospecting configuration",
  "Whom the account prospects, how, and what its owner is notified of.",
  [
    getProspectingConfig,
    setProspectingActive,
    setTargeting,
    setProspectingRules,
    setProspectingPreferences,
    setAllowTemplateChatAppMessages
  ]
)
