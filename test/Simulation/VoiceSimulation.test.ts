import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { followCall } from "../../src/Layers/Voice/Calls/CallPolling.ts"
import { dial } from "../../src/Layers/Voice/Calls/Dialing.ts"
import { AccountSettings } from "../../src/Services/Accounts/AccountSettings.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { StartedVoiceSimulation, VoiceSimulationView } from "../../src/Services/Simulation/Simulation.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { ProspectingSimulationGroup } from "../../src/Tools/Simulation/ProspectingSimulation.ts"
import { VoiceCallsGroup } from "../../src/Tools/Voice/VoiceCalls.ts"
import { TestEngine } from "../Outreach/support/touches.ts"
import { insertCampaign } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([ProspectingSimulationGroup, VoiceCallsGroup])

let numbers = 0

/** An account whose owner has a number that no other test calls, and allows the agent to call it. */
const withOwner = <A, E, R>(test: (phone: string) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeAccount(), (caller) =>
    as(caller)(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const phone = `+55119${81_000_000 + ++numbers}`
        yield* sql`update account set phone = ${phone} where account_id = ${caller.accountId}`
        const settings = yield* AccountSettings
        yield* settings.agentCallPermission(true)
        return yield* test(phone)
      })
    )
  )

const start = (args: object = {}) =>
  Effect.flatMap(
    answerOf(catalog, "start_voice_simulation", { lead_name: "Ana Lima", company_name: "Clínica Sorriso", ...args }),
    Schema.decodeUnknown(StartedVoiceSimulation)
  )

const status = ({ callId, simulationLeadId }: typeof StartedVoiceSimulation.Type) =>
  Effect.flatMap(
    answerOf(catalog, "get_voice_simulation_status", { simulation_lead_id: simulationLeadId, call_id: callId }),
    Schema.decodeUnknown(VoiceSimulationView)
  )

const refusalOf = (args: object = {}) =>
  Effect.map(Effect.flip(callTool(catalog, "start_voice_simulation", args)), (error) =>
    "reason" in error ? error.reason : error._tag
  )

/** Dials as the engine does, and lets the simulated network end the call. */
const callThrough = ({ callId }: typeof StartedVoiceSimulation.Type) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const key = { accountId, voiceCallRequestId: callId }
    yield* dial(key)
    yield* sql`
      update sandbox_voice_call set placed_at = placed_at - interval '1 hour' where account_id = ${accountId}`
    yield* followCall(key)
  })

layer(TestEngine, { excludeTestServices: true })("voice simulation", (it) => {
  it.effect("calls the owner's stored number like the simulated lead's, and returns the result", () =>
    withOwner((phone) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* insertCampaign("North", { business_name: "Norte Energia", voice_instructions: "Fale devagar." })
        yield* sql`
          insert into sandbox_voice_script (account_id, phone, outcome)
          values (${accountId}, phone_key(${phone}), 'agrees')`
        const call = yield* start({ campaign: "North" })
        assert.deepInclude(call, { phone_number: phone, status: "queued" })
        assert.deepInclude(yield* status(call), { finished: false, status: "queued", transcript: [] })
        yield* callThrough(call)
        const ended = yield* status(call)
        assert.deepInclude(ended, {
          finished: true,
          status: "completed",
          mode: "sandbox",
          was_picked_up: true,
          goal_achieved: true
        })
        assert.isNotEmpty(ended.summary)
        assert.isAbove(ended.transcript.length, 3)
        const orders = yield* sql<{ readonly order: object }>`
          select call_order as order from sandbox_voice_call where account_id = ${accountId}`
        assert.deepInclude(orders[0]?.order, {
          phone,
          personName: "Ana Lima",
          companyName: "Clínica Sorriso",
          businessName: "Norte Energia",
          instructions: "Fale devagar."
        })
      })
    )
  )

  it.effect("adds no event, notifies no one, and is in no list of calls", () =>
    withOwner(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const call = yield* start()
        yield* callThrough(call)
        assert.isTrue((yield* status(call)).finished)
        const notificationRows = yield* sql`
          select 'event' as kind from account_event where account_id = ${accountId}
          union all select 'notification' from notification where account_id = ${accountId}
          union all select 'lead' from lead where account_id = ${accountId}
          union all select 'touch' from touch where account_id = ${accountId}
          union all select 'lifecycle' from lead_lifecycle_event where account_id = ${accountId}`
        assert.deepStrictEqual(notificationRows, [])
        assert.deepInclude(yield* answerOf(catalog, "list_voice_calls"), { voice_calls: [], total: 0 })
        const refusal = yield* Effect.flip(callTool(catalog, "get_voice_call", { voice_call_request_id: call.callId }))
        assert.deepInclude(refusal, { _tag: "NotFound" })
      })
    )
  )

  it.effect("is refused without a saved number, with one that is never called, and where the owner forbids it", () =>
    withOwner(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const settings = yield* AccountSettings
        yield* settings.agentCallPermission(false)
        assert.strictEqual(yield* refusalOf(), "agent_calls_not_allowed")
        yield* settings.agentCallPermission(true)
        for (const [phone, reason] of [
          [null, "owner_phone_missing"],
          [" ", "owner_phone_missing"],
          ["190", "phone_not_international"],
          ["+5509001234567", "phone_not_callable"]
        ] as const) {
          yield* sql`update account set phone = ${phone} where account_id = ${accountId}`
          assert.strictEqual(yield* refusalOf(), reason)
        }
        assert.deepStrictEqual(yield* sql`select from voice_call where account_id = ${accountId}`, [])
      })
    )
  )

  it.effect("no argument names another number, and only a few calls wait at a time", () =>
    withOwner((phone) =>
      Effect.gen(function* () {
        const tool = ProspectingSimulationGroup.tools.find(({ name }) => name === "start_voice_simulation")
        assert.notInclude(Object.keys(tool?.parameters ?? {}), "phone")
        const call = yield* start({ notes: "Ligue para +5511988887777", background: "Telefone +5511988887777" })
        assert.strictEqual(call.phone_number, phone)
        yield* start()
        yield* start()
        assert.strictEqual(yield* refusalOf(), "too_many_open_calls")
        yield* callThrough(call)
        yield* start()
      })
    )
  )

  it.effect("a simulated call accepts no message, and other accounts cannot see it", () =>
    withOwner(() =>
      Effect.gen(function* () {
        const call = yield* start()
        const refusal = yield* Effect.flip(
          callTool(catalog, "run_prospecting_simulation", {
            channel: "email",
            simulation_lead_id: call.simulationLeadId,
            lead_message: "Oi"
          })
        )
        assert.deepInclude(refusal, { reason: "simulation_is_a_call" })
        const stranger = yield* makeAccount()
        assert.deepInclude(yield* as(stranger)(Effect.flip(status(call))), { _tag: "NotFound" })
      })
    )
  )
})
