import { Effect, Layer } from "effect"
import { notFound, refused, transient } from "../../Errors.ts"
import { AccountSettings } from "../../Services/Accounts/AccountSettings.ts"
import { CampaignLookup } from "../../Services/Campaigns/Campaigns.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { LanguageModel } from "../../Services/Models/LanguageModel.ts"
import { ProspectingConfig } from "../../Services/Prospecting/ProspectingConfig.ts"
import type { SimulationLeadId } from "../../Services/Simulation/Ids.ts"
import { newState } from "../../Services/Simulation/SimulatedLead.ts"
import type { SimulationSoFar } from "../../Services/Simulation/SimulatedTurn.ts"
import { languageOfSimulated } from "../../Services/Simulation/SimulatedTurn.ts"
import { maximumMessages, Simulation } from "../../Services/Simulation/Simulation.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { hasEnded } from "../../Services/Voice/VoiceCallState.ts"
import { VoiceCalls } from "../../Services/Voice/VoiceCalls.ts"
import { notAppliedIn } from "../../Services/Writing/Instructions/InstructionReports.ts"
import { makeSimulationRows, viewOf } from "./SimulationRows.ts"
import { makeTurns } from "./Turns.ts"
import { makeCallOrders } from "./VoiceSimulation.ts"

const finishedAlready = (id: SimulationLeadId) =>
  refused("simulation_finished", "This simulation is finished.", "Start another one with simulation_lead_id 0.", {
    simulation_lead_id: id
  })
const ofACall = (id: SimulationLeadId) =>
  refused(
    "simulation_is_a_call",
    "This simulation is a call, so it can't get messages.",
    "Check it with get_voice_simulation_status, or start another one with simulation_lead_id 0.",
    { simulation_lead_id: id }
  )
const tooLong = refused(
  "simulation_too_long",
  `A simulation has at most ${maximumMessages} messages.`,
  "Start another one with simulation_lead_id 0.",
  { maximum_messages: maximumMessages }
)
const simulationChanged = transient(
  "simulation_in_turn",
  "Another turn of this simulation ran at the same time, so this one was not stored.",
  1
)

/** A simulation without messages. */
const emptySimulation = (
  campaignId: SimulationSoFar["campaign_id"],
  profile: SimulationSoFar["profile"]
): SimulationSoFar => ({
  campaign_id: campaignId,
  profile,
  state: newState,
  messages: [],
  effects: [],
  silent_reason: null
})

/** Reads simulations as tools show them, with the active instructions that their messages do not follow. */
const makeStoredView = Effect.gen(function* () {
  const configs = yield* ProspectingConfig
  const { mode } = yield* LanguageModel
  const rows = yield* makeSimulationRows

  /** Returns the active instructions that the messages do not follow. */
  const notApplied = (simulation: SimulationSoFar) =>
    Effect.gen(function* () {
      if (mode !== "sandbox") return []
      const account = yield* rows.account
      const config = yield* configs.effective(simulation.campaign_id)
      const { first_touch_instructions, goal } = simulation.profile
      return notAppliedIn(
        {
          general: config.instructions,
          further: [config.email_instructions, config.chatapp_instructions, first_touch_instructions],
          goal: goal ?? config.goal,
          strategy: config.strategy
        },
        languageOfSimulated(simulation, account),
        languageOf(account.language_key)
      )
    })

  return (id: SimulationLeadId) =>
    Effect.gen(function* () {
      const stored = yield* rows.find(id)
      return viewOf(stored, mode, yield* notApplied(stored))
    })
})

const make = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const campaigns = yield* CampaignLookup
  const configs = yield* ProspectingConfig
  const settings = yield* AccountSettings
  const calls = yield* VoiceCalls
  const rows = yield* makeSimulationRows
  const turns = yield* makeTurns
  const orders = yield* makeCallOrders

  const storedView = yield* makeStoredView
  const view = (id: SimulationLeadId) => unit.read(storedView(id))

  const campaignOf = (campaign: string | undefined) =>
    campaign === undefined || campaign.trim() === ""
      ? Effect.succeed(null)
      : unit.read(campaigns.resolve(campaign.trim()))

  return Simulation.of({
    start: Effect.fn("Simulation.start")(function* (options) {
      const { channel, isOpenedByLead, leadMessage, profile, subject } = options
      const campaignId = yield* campaignOf(options.campaign)
      const config = yield* unit.read(configs.effective(campaignId))
      yield* turns.checkIdentity(config)
      const setting = { account: yield* unit.read(rows.account), config, channel }
      const blank = emptySimulation(campaignId, profile)
      const openingMessage = isOpenedByLead ? blank : yield* turns.firstContact(blank, setting)
      const text = leadMessage ?? (isOpenedByLead ? yield* turns.opening(blank, setting) : undefined)
      const begunSimulation =
        text === undefined ? openingMessage : yield* turns.leadTurn(openingMessage, setting, { text, subject })
      return yield* unit.write(
        Effect.gen(function* () {
          const id = yield* rows.insert(begunSimulation)
          return yield* storedView(id)
        })
      )
    }),

    continueWith: Effect.fn("Simulation.goOn")(function* (id, { channel, leadMessage, subject }) {
      const before = yield* unit.read(rows.find(id))
      if (before.voice_call_request_id !== null) return yield* ofACall(id)
      if (before.finished_at !== null) return yield* finishedAlready(id)
      if (before.messages.length + 2 > maximumMessages) return yield* tooLong
      const config = yield* unit.read(configs.effective(before.campaign_id))
      yield* turns.checkIdentity(config)
      const setting = { account: yield* unit.read(rows.account), config, channel }
      const after = yield* turns.leadTurn(before, setting, { text: leadMessage, subject })
      return yield* unit.write(
        Effect.gen(function* () {
          if (!(yield* rows.save(before, after))) return yield* simulationChanged
          return yield* storedView(id)
        })
      )
    }),

    inspect: Effect.fn("Simulation.inspect")(view),

    finish: Effect.fn("Simulation.finish")(function* (id) {
      return yield* unit.write(
        Effect.gen(function* () {
          yield* rows.finish(id)
          return yield* storedView(id)
        })
      )
    }),

    startCall: Effect.fn("Simulation.startCall")(function* ({ campaign, profile }) {
      const account = yield* unit.read(rows.account)
      const phone = yield* orders.ownersNumber(account, yield* unit.read(settings.agentCallPermission(undefined)))
      const campaignId = yield* campaignOf(campaign)
      const config = yield* unit.read(configs.effective(campaignId))
      yield* turns.checkIdentity(config)
      const simulation = emptySimulation(campaignId, profile)
      const order = yield* orders.write(simulation, account, config)
      return yield* unit.write(
        Effect.gen(function* () {
          const call = yield* calls.placeSimulated({ ...order, phone })
          const id = yield* rows.insert(simulation, call.voice_call_request_id)
          return {
            simulationLeadId: id,
            callId: call.voice_call_request_id,
            status: call.status,
            phone_number: call.phone_number
          }
        })
      )
    }),

    callStatus: Effect.fn("Simulation.callStatus")(function* (id, callId) {
      const simulation = yield* rows.find(id)
      if (simulation.voice_call_request_id !== callId) return yield* notFound("simulation call", "call_id", callId)
      const call = yield* calls.getSimulated(callId)
      return {
        simulationLeadId: id,
        callId,
        status: call.status,
        finished: hasEnded(call.status),
        mode: call.mode,
        goal: call.goal,
        opening_line: call.opening_line,
        was_picked_up: call.was_picked_up,
        goal_achieved: call.goal_achieved,
        summary: call.summary,
        failure_reason: call.failure_reason,
        duration_seconds: call.duration_seconds,
        cost_brl: call.cost_brl,
        transcript: call.transcript,
        created_at: call.created_at,
        finished_at: call.finished_at
      }
    })
  })
})

export const SimulationPostgres = Layer.effect(Simulation, make)
