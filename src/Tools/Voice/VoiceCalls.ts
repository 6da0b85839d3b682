import { Effect, Schema } from "effect"
import { Campaigns } from "../../Services/Campaigns/Campaigns.ts"
import { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { recheckWaitingLeads } from "../../Services/Outreach/WaitingLeads.ts"
import { ProspectingConfig } from "../../Services/Prospecting/ProspectingConfig.ts"
import { ProspectingVoice } from "../../Services/Prospecting/ProspectingSettings.ts"
import {
  QueuedVoiceCall,
  VoiceCallRequestId,
  VoiceCallSummary,
  VoiceCalls,
  VoiceCallView
} from "../../Services/Voice/VoiceCalls.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const longestGoal = 2000
const longestContext = 10_000

const placeGoalDrivenCall = Tool.make("place_goal_driven_call", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  description:
    "Calls a telephone number to reach a goal. The call is queued and dialed shortly, and cannot be recalled; poll get_voice_call for how it went. The result also comes as a notification. A number that is in a call already is called when that has ended. Numbers on the blacklist, of leads that unsubscribed, and premium, short and emergency numbers are refused.",
  parameters: {
    phone_number: Param.text("The number in international format, for example +5511912345678.", {
      minLength: 1,
      maxLength: 40
    }),
    goal: Param.text("What the call is to reach, in plain words; it is held in the language that this is written in.", {
      minLength: 3,
      maxLength: longestGoal
    }),
    context: Param.optional(
      Param.text("What the caller should know: who is called, what was agreed before.", { maxLength: longestContext })
    )
  },
  returns: QueuedVoiceCall,
  errors: {
    Refused: [
      "calls_to_account_off",
      "lead_unsubscribed",
      "phone_blacklisted",
      "phone_not_callable",
      "phone_not_international",
      "phone_short_or_emergency",
      "too_many_open_calls"
    ]
  },
  runsInBackground: true,
  example: {
    phone_number: "+5511912345678",
    goal: "Confirm the meeting of Thursday at 10 with Ana Souza",
    context: "She asked for the meeting by e-mail"
  },
  run: Tool.via(VoiceCalls, (calls, { context, goal, phone_number }) =>
    calls.placeGoalDriven({
      phone: phone_number,
      goal,
      context: context === undefined || context.trim() === "" ? null : context
    })
  )
})

const getVoiceCall = Tool.make("get_voice_call", {
  kind: "read",
  openWorld: false,
  description:
    "Shows one telephone call, asked for or made by prospecting: how far it is, whether a person picked up, whether the goal was achieved, a summary, and everything that was said.",
  parameters: {
    voice_call_request_id: Param.id(VoiceCallRequestId, "The call, as place_goal_driven_call answered it.")
  },
  returns: VoiceCallView,
  errors: { NotFound: ["voice_call_not_found"] },
  example: { voice_call_request_id: 1 },
  run: Tool.via(VoiceCalls, (calls, { voice_call_request_id }) => calls.get(voice_call_request_id))
})

const listVoiceCalls = Tool.make("list_voice_calls", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Lists the calls that were asked for with place_goal_driven_call, newest first, with their status and outcome. What was said is answered by get_voice_call.",
  parameters: Param.pages(),
  returns: Tool.page({ voice_calls: Schema.Array(VoiceCallSummary) }),
  example: { page: 0, page_size: 20 },
  run: Effect.fnUntraced(function* ({ page, page_size }) {
    const calls = yield* VoiceCalls
    const found = yield* calls.listGoalDriven({ page, pageSize: page_size })
    return { voice_calls: found.calls, page, page_size, total: found.total }
  })
})

const VoiceCallingActive = Schema.Struct({
  voice_calling_active: Schema.Boolean.annotations({
    description: "Whether the platform calls leads of its own accord, where their campaign does not say otherwise."
  })
})

const getVoiceCallingActive = Tool.make("get_voice_calling_active", {
  kind: "read",
  openWorld: false,
  description: "Tells whether the platform calls leads of its own accord. Campaigns can have their own setting.",
  parameters: {},
  returns: VoiceCallingActive,
  example: {},
  run: Effect.fnUntraced(function* () {
    const config = yield* ProspectingConfig
    const { voice_calling_active } = yield* config.get
    return { voice_calling_active }
  })
})

const setVoiceCallingActive = Tool.make("set_voice_calling_active", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Turns calls that the platform makes to leads of its own accord on or off, apart from e-mail and messages. Campaigns with a setting of their own keep it; calls asked for with place_goal_driven_call are made in any case.",
  parameters: { active: Param.boolean("Whether leads are called.") },
  returns: VoiceCallingActive,
  transaction: "unneeded",
  example: { active: true },
  run: Effect.fnUntraced(function* ({ active }) {
    const config = yield* ProspectingConfig
    const { voice_calling_active } = yield* config.setVoice({ voice_calling_active: active })
    if (active) yield* recheckWaitingLeads
    return { voice_calling_active }
  })
})

const CampaignVoiceCalling = Schema.Struct({
  campaign_id: CampaignId,
  campaign: Schema.String.annotations({ description: "The campaign's name." }),
  voice_calling_active: Schema.NullOr(Schema.Boolean).annotations({
    description: "Null: as the account has it, see get_voice_calling_active."
  })
})

const campaign = Param.text("The campaign's name or numeric id.", { minLength: 1, maxLength: 200 })

const getCampaignVoiceCallingActive = Tool.make("get_campaign_voice_calling_active", {
  kind: "read",
  openWorld: false,
  description:
    "Tells whether the platform calls the leads of a campaign of its own accord; null where the campaign follows the account.",
  parameters: { campaign },
  returns: CampaignVoiceCalling,
  errors: { NotFound: ["campaign_not_found"] },
  example: { campaign: "Clínicas odontológicas" },
  run: Effect.fnUntraced(function* ({ campaign }) {
    const campaigns = yield* Campaigns
    const { campaign_id, name, voice_calling_active } = yield* campaigns.get(campaign)
    return { campaign_id, campaign: name, voice_calling_active }
  })
})

const setCampaignVoiceCallingActive = Tool.make("set_campaign_voice_calling_active", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Turns calls to the leads of one campaign on or off, whatever the account has. To let the campaign follow the account again use update_campaign with clear_voice_calling_active.",
  parameters: { campaign, active: Param.boolean("Whether the campaign's leads are called.") },
  returns: CampaignVoiceCalling,
  errors: { NotFound: ["campaign_not_found"], Refused: ["minimum_above_maximum"] },
  example: { campaign: "Clínicas odontológicas", active: false },
  run: Effect.fnUntraced(function* ({ active, campaign }) {
    const campaigns = yield* Campaigns
    const { campaign_id, name, voice_calling_active } = yield* campaigns.update(campaign, {
      voice_calling_active: active
    })
    if (active) yield* recheckWaitingLeads
    return { campaign_id, campaign: name, voice_calling_active }
  })
})

const ProspectingVoiceSetting = Schema.Struct({
  voice: ProspectingVoice.annotations({ description: "The voice that leads hear." })
})

const getVoiceProspectingVoice = Tool.make("get_voice_prospecting_voice", {
  kind: "read",
  openWorld: false,
  description: "Tells with which voice the platform makes calls: Male or Female.",
  parameters: {},
  returns: ProspectingVoiceSetting,
  example: {},
  run: Effect.fnUntraced(function* () {
    const config = yield* ProspectingConfig
    const { prospecting_voice } = yield* config.get
    return { voice: prospecting_voice }
  })
})

const setVoiceProspectingVoice = Tool.make("set_voice_prospecting_voice", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description: "Chooses the voice with which the platform makes calls. Calls that are dialed already keep theirs.",
  parameters: { voice: Param.oneOf(ProspectingVoice.literals, "The voice: Male or Female.") },
  returns: ProspectingVoiceSetting,
  transaction: "unneeded",
  example: { voice: "Female" },
  run: Effect.fnUntraced(function* ({ voice }) {
    const config = yield* ProspectingConfig
    const { prospecting_voice } = yield* config.setVoice({ prospecting_voice: voice })
    return { voice: prospecting_voice }
  })
})

export const VoiceCallsGroup = Tool.group(
  "Voice calls",
  "Telephone calls: those asked for with a goal, and those that prospecting makes to leads.",
  [
    placeGoalDrivenCall,
    getVoiceCall,
    listVoiceCalls,
    getVoiceCallingActive,
    setVoiceCallingActive,
    getCampaignVoiceCallingActive,
    setCampaignVoiceCallingActive,
    getVoiceProspectingVoice,
    setVoiceProspectingVoice
  ]
)
