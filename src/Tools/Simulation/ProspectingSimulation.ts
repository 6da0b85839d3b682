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

/** Who is played, in a conversation as in a call. */
const company = {
  lead_name: short("The made-up lead's name; one is invented where it is left out."),
  company_name: short("Its company."),
  company_description: long("What the company does."),
  website: short("The company's website.")
}

const material = {
  background: long("What prospecting would know of the lead."),
  goal: long("What to reach with this lead, in place of the campaign's or account's goal."),
  notes: long("Further notes on the lead."),
  first_touch_instructions: long("What the owner wants of the first message alone.")
}

const address = {
  phone: short("The lead's phone, which tells its time zone; it is never called or written to."),
  city: short("The lead's city."),
  state: short("The lead's state, two letters."),
  cnae: short("The company's CNAE code or industry."),
  cnpj: short("The company's CNPJ."),
  country: short("The lead's country, two letters.")
}

const profileParameters: ReadonlySet<string> = new Set(Object.keys({ ...company, ...address, ...material }))

type Given = { readonly [name in keyof SimulatedProfile]?: string | undefined }

const said = (text: string | undefined): string | null =>
  text === undefined || text.trim() === "" ? null : text.trim()

const profileOf = (given: Given): SimulatedProfile => ({
  lead_name: said(given.lead_name) ?? "Ana Souza",
  company_name: said(given.company_name),
  company_description: said(given.company_description),
  website: said(given.website),
  phone: said(given.phone),
  city: said(given.city),
  state: said(given.state),
  cnae: said(given.cnae),
  cnpj: said(given.cnpj),
  country: said(given.country),
  background: said(given.background),
  goal: said(given.goal),
  notes: said(given.notes),
  first_touch_instructions: said(given.first_touch_instructions)
})

const idNeeded = refused(
  "simulation_lead_id_required",
  "finish ends a simulation that is under way, and the call names none.",
  "Send simulation_lead_id with finish."
)
const subjectOfMail = refused(
  "subject_is_of_email",
  "last_email_subject is of e-mail only.",
  "Leave it out, or send channel email.",
  { parameter: "last_email_subject" }
)
const onlyAtStart = (parameters: ReadonlyArray<string>) =>
  refused(
    "only_at_start",
    "Who the lead is and which campaign is tried is said when the simulation starts.",
    "Leave these parameters out, or start another simulation with simulation_lead_id 0.",
    { parameters }
  )

const runProspectingSimulation = Tool.make("run_prospecting_simulation", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  description:
    "Tries prospecting on a made-up lead, by the reader, writer, knowledge and settings that prospecting itself uses: no lead is contacted or changed, nothing is sent, nobody is told; only the language model is used. simulation_lead_id 0 starts, with the agent's first message, or with the lead's where lead_starts is true (lead_message, else one is made up). With lead_message the lead's next turn runs and the agent answers. An id without lead_message only inspects. finish ends it and runs no turn. Both channels of a simulation share one transcript.",
  parameters: {
    channel: Param.oneOf(SimulationChannel.literals, "Where this turn is written: email or chatapp."),
    simulation_lead_id: Param.withDefault(
      Param.id(SimulationLeadId, "The simulation, as the first call answered it; 0 starts one."),
      0
    ),
    lead_message: Param.optional(Param.text("What the lead writes now.", { maxLength: 10_000 })),
    last_email_subject: Param.optional(
      Param.text("The subject of the lead's e-mail, where it has one of its own.", { maxLength: 300 })
    ),
    campaign,
    lead_starts: Param.withDefault(Param.boolean("Whether the lead writes first; when starting only."), false),
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
  transaction: false,
  example: {
    channel: "email",
    lead_name: "Bruno Tavares",
    company_name: "Clínica Horizonte",
    lead_message: "Quanto custa o plano Profissional?"
  },
  run: Effect.fnUntraced(function* (asked) {
    const simulation = yield* Simulation
    const { campaign, channel, finish, last_email_subject, lead_message, lead_starts, simulation_lead_id: id } = asked
    const subject = said(last_email_subject) ?? undefined
    const leadMessage = said(lead_message) ?? undefined
    if (finish) return yield* id === 0 ? idNeeded : simulation.finish(id)
    if (subject !== undefined && channel !== "email") return yield* subjectOfMail
    if (id === 0) {
      const profile = profileOf(asked)
      return yield* simulation.start({ channel, campaign, profile, isOpenedByLead: lead_starts, leadMessage, subject })
    }
    const misplaced = [
      ...Object.entries(asked).flatMap(([name, value]) =>
        profileParameters.has(name) && typeof value === "string" && value.trim() !== "" ? [name] : []
      ),
      ...(said(campaign) === null ? [] : ["campaign"]),
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
  description:
    "Places a real telephone call to the account owner's own saved number, never to a lead or another number, in which the agent talks as it would to the made-up lead. Ask the user for an explicit yes immediately before: it rings at once and costs telephony and model usage. Refused without a saved number, and where set_agent_phone_call_permission says no. Poll get_voice_simulation_status for how it went.",
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
  transaction: false,
  runsInBackground: true,
  example: { lead_name: "Bruno Tavares", company_name: "Clínica Horizonte" },
  run: Effect.fnUntraced(function* ({ campaign, ...given }) {
    const simulation = yield* Simulation
    return yield* simulation.startCall({ campaign, profile: profileOf(given) })
  })
})

const getVoiceSimulationStatus = Tool.make("get_voice_simulation_status", {
  kind: "read",
  openWorld: false,
  description:
    "Tells how a simulated call goes: its status, and once it has ended what was said and what came of it. Poll until finished is true.",
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
  "Prospecting tried on made-up leads; nothing of it reaches a lead.",
  [runProspectingSimulation, startVoiceSimulation, getVoiceSimulationStatus]
)
