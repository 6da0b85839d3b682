import { Effect } from "effect"
import { refused } from "../../Errors.ts"
import { outboundTransients } from "../../Services/Outbound/OutboundHttp.ts"
import { SimulationLeadId } from "../../Services/Simulation/Ids.ts"
import type { SimulatedProfile } from "../../Services/Simulation/SimulatedLead.ts"
import {
  Simulation,
  SimulationChannel,
  SimulationView,
  StartedVoiceSimulation,
  VoiceSimulationView
} from "../../Services/Simulation/Simulation.ts"
import { VoiceCallRequestId } from "../../Services/Voice/VoiceCalls.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const short = (description: string) => Param.optional(Param.text(description, { maxLength: 300 }))
const long = (description: string) => Param.optional(Param.text(description, { maxLength: 5000 }))

const campaign = Param.optional(
  Param.text("Name or numeric id of the campaign whose settings are tried; blank for the account's own.", {
    maxLength: 200
  })
)

/** The simulated lead, in a conversation or a call. */
const company = {
  lead_name: short("The simulated lead's name; invented by default."),
  company_name: short("Its company."),
  company_description: long("What the company does."),
  website: short("The company's website.")
}

const material = {
  background: long("What prospecting knows about the lead."),
  goal: long("What to achieve with this lead, instead of the campaign's or account's goal."),
  notes: long("Further notes on the lead."),
  first_touch_instructions: long("Instructions for the first message only.")
}

const address = {
  phone: short("The lead's phone number, which determines its time zone. It is never called or messaged."),
  city: short("The lead's city."),
  state: short("The lead's state, two letters."),
  cnae: short("The company's CNAE code or industry."),
  cnpj: short("The company's CNPJ."),
  country: short("The lead's country, two letters.")
}

const profileParameters: ReadonlySet<string> = new Set(Object.keys({ ...company, ...address, ...material }))

type ProfileArguments = { readonly [name in keyof SimulatedProfile]?: string | undefined }

const nonBlank = (text: string | undefined): string | null =>
  text === undefined || text.trim() === "" ? null : text.trim()

const profileOf = (args: ProfileArguments): SimulatedProfile => ({
  lead_name: nonBlank(args.lead_name) ?? "Ana Souza",
  company_name: nonBlank(args.company_name),
  company_description: nonBlank(args.company_description),
  website: nonBlank(args.website),
  phone: nonBlank(args.phone),
  city: nonBlank(args.city),
  state: nonBlank(args.state),
  cnae: nonBlank(args.cnae),
  cnpj: nonBlank(args.cnpj),
  country: nonBlank(args.country),
  background: nonBlank(args.background),
  goal: nonBlank(args.goal),
  notes: nonBlank(args.notes),
  first_touch_instructions: nonBlank(args.first_touch_instructions)
})

const idNeeded = refused(
  "simulation_lead_id_required",
  "finish ends a running simulation, but the call names none.",
  "Send simulation_lead_id with finish."
)
const subjectOfMail = refused(
  "subject_is_of_email",
  "last_email_subject is for e-mail only.",
  "Leave it out, or send channel email.",
  { parameter: "last_email_subject" }
)
const onlyAtStart = (parameters: ReadonlyArray<string>) =>
  refused(
    "only_at_start",
    "The lead and the campaign can only be set when the simulation starts.",
    "Leave these parameters out, or start another simulation with simulation_lead_id 0.",
    { parameters }
  )

const runProspectingSimulation = Tool.make("run_prospecting_simulation", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  // The texts describe a person who does not exist, so they are not stored.
  passesOnWords: false,
  description:
    "Tries prospecting on a made-up lead, with the reader, writer, knowledge and settings of real prospecting. No lead is contacted or changed, nothing is sent, and no one is notified; only the language model is used. simulation_lead_id 0 starts a simulation with the agent's first message, or with the lead's if lead_starts is true (lead_message, else an invented one). With lead_message, the lead's next turn runs and the agent answers. An id without lead_message only shows the simulation. finish ends it without a turn. Both channels of a simulation share one transcript.",
  parameters: {
    channel: Param.oneOf(SimulationChannel.literals, "The channel of this turn: email or chatapp."),
    simulation_lead_id: Param.withDefault(
      Param.id(SimulationLeadId, "The simulation's id, from the first call; 0 starts one."),
      0
    ),
    lead_message: Param.optional(Param.text("What the lead writes now.", { maxLength: 10_000 })),
    last_email_subject: Param.optional(
      Param.text("The subject of the lead's e-mail, if it has a new one.", { maxLength: 300 })
    ),
    campaign,
    lead_starts: Param.withDefault(Param.boolean("Whether the lead writes first. Only for starting."), false),
    finish: Param.withDefault(Param.boolean("Ends the simulation; no turn runs."), false),
    ...company,
    ...address,
    ...material
  },
  returns: SimulationView,
  errors: {
    NotFound: ["campaign_not_found", "simulation_lead_not_found"],
    Refused: [
      "identity_missing",
      "only_at_start",
      "simulation_finished",
      "simulation_is_a_call",
      "simulation_lead_id_required",
      "simulation_too_long",
      "subject_is_of_email"
    ],
    Transient: [...outboundTransients, "embeddings_unavailable", "language_model_unavailable", "simulation_in_turn"]
  },
  transaction: "several",
  example: {
    channel: "email",
    lead_name: "Bruno Tavares",
    company_name: "Clínica Horizonte",
    lead_message: "Quanto custa o plano Profissional?"
  },
  run: Effect.fnUntraced(function* (args) {
    const simulation = yield* Simulation
    const { campaign, channel, finish, last_email_subject, lead_message, lead_starts, simulation_lead_id: id } = args
    const subject = nonBlank(last_email_subject) ?? undefined
    const leadMessage = nonBlank(lead_message) ?? undefined
    if (finish) return yield* id === 0 ? idNeeded : simulation.finish(id)
    if (subject !== undefined && channel !== "email") return yield* subjectOfMail
    if (id === 0) {
      const profile = profileOf(args)
      return yield* simulation.start({ channel, campaign, profile, isOpenedByLead: lead_starts, leadMessage, subject })
    }
    const misplaced = [
      ...Object.entries(args).flatMap(([name, value]) =>
        profileParameters.has(name) && typeof value === "string" && value.trim() !== "" ? [name] : []
      ),
      ...(nonBlank(campaign) === null ? [] : ["campaign"]),
      ...(lead_starts ? ["lead_starts"] : [])
    ]
    if (misplaced.length > 0) return yield* onlyAtStart(misplaced)
    return yield* leadMessage === undefined
      ? simulation.inspect(id)
      : simulation.continueWith(id, { channel, leadMessage, subject })
  })
})

const startVoiceSimulation = Tool.make("start_voice_simulation", {
  kind: "destructive",
  idempotent: false,
  openWorld: true,
  passesOnWords: false,
  description:
    "Places a real telephone call to the account owner's own saved number, never to a lead or another number, in which the agent talks as it would to the made-up lead. Ask the user for an explicit yes immediately before: it rings at once and costs telephony and model usage. Refused without a saved number, or if set_agent_phone_call_permission forbids it. Poll get_voice_simulation_status for the result.",
  parameters: { campaign, ...company, ...material },
  returns: StartedVoiceSimulation,
  errors: {
    NotFound: ["campaign_not_found"],
    Refused: [
      "agent_calls_not_allowed",
      "identity_missing",
      "owner_phone_missing",
      "phone_not_callable",
      "phone_not_international",
      "phone_short_or_emergency",
      "too_many_open_calls"
    ],
    Transient: [...outboundTransients, "embeddings_unavailable", "language_model_unavailable"],
    Permanent: ["call_not_written"]
  },
  transaction: "several",
  runsInBackground: true,
  example: { lead_name: "Bruno Tavares", company_name: "Clínica Horizonte" },
  run: Effect.fnUntraced(function* ({ campaign, ...args }) {
    const simulation = yield* Simulation
    return yield* simulation.startCall({ campaign, profile: profileOf(args) })
  })
})

const getVoiceSimulationStatus = Tool.make("get_voice_simulation_status", {
  kind: "read",
  openWorld: false,
  description:
    "Shows a simulated call: its status, and after it has ended its transcript and result. Poll until finished is true.",
  parameters: {
    simulation_lead_id: Param.id(SimulationLeadId, "The simulation: simulationLeadId of start_voice_simulation."),
    call_id: Param.id(VoiceCallRequestId, "Its call: callId of start_voice_simulation.")
  },
  returns: VoiceSimulationView,
  errors: { NotFound: ["simulation_call_not_found", "simulation_lead_not_found"] },
  example: { simulation_lead_id: 2, call_id: 2 },
  run: Tool.via(Simulation, (simulation, { call_id, simulation_lead_id }) =>
    simulation.callStatus(simulation_lead_id, call_id)
  )
})

export const ProspectingSimulationGroup = Tool.group(
  "Prospecting simulation",
  "Prospecting tried out on made-up leads. Nothing reaches a real lead.",
  [runProspectingSimulation, startVoiceSimulation, getVoiceSimulationStatus]
)
