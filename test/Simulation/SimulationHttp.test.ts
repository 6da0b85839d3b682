import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SimulationView } from "../../src/Services/Simulation/Simulation.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"

const call = (token: string, args: object) =>
  send("/rest/v1/tools/run_prospecting_simulation", { method: "POST", token, body: JSON.stringify(args) })

const run = (token: string, args: object) =>
  Effect.gen(function* () {
    const { json, status, text } = yield* call(token, args)
    assert.strictEqual(status, 200, text)
    return yield* Schema.decodeUnknown(SimulationView)(json)
  })

/** The count of real leads, messages, events and queued sends. */
const real = Effect.flatMap(
  SqlClient,
  (sql) => sql`
    select (select count(*) from lead) as leads, (select count(*) from email_message) as mails,
      (select count(*) from chatapp_message) as chats, (select count(*) from account_event) as events,
      (select count(*) from notification) as notifications, (select count(*) from touch) as touches,
      (select count(*) from meeting) as meetings, (select count(*) from lead_lifecycle_event) as history,
      (select count(*) from sandbox_mail) as sent_mails, (select count(*) from sandbox_chatapp_message) as sent_chats`
)

layer(testGateway(), { excludeTestServices: true, timeout: "120 seconds" })("a simulation over HTTP", (it) => {
  it.effect(
    "has one transcript of both channels, can be inspected, continued and ended, and changes nothing real",
    () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const stranger = yield* makeTokenHolder()
        const before = yield* real
        const first = yield* run(token, { channel: "email", lead_name: "Ana Lima", company_name: "Clínica Sorriso" })
        const simulation_lead_id = first.simulationLeadId
        const answered = yield* run(token, {
          channel: "chatapp",
          simulation_lead_id,
          lead_message: "Tenho interesse. Podemos conversar?"
        })
        const channels = answered.transcript.map(({ author, channel }) => `${author} ${channel}`)
        assert.deepStrictEqual(channels, ["agent email", "lead chatapp", "agent chatapp"])
        const later = yield* run(token, {
          channel: "email",
          simulation_lead_id,
          lead_message: "Prefiro por e-mail. Quem mais atende?"
        })
        assert.deepStrictEqual(later.transcript.slice(0, 3), answered.transcript)
        assert.include(
          later.transcript.slice(3).map(({ author, channel }) => `${author} ${channel}`),
          "lead email"
        )
        // An id without other arguments only shows the simulation, on either channel.
        for (const channel of ["email", "chatapp"]) {
          assert.deepStrictEqual(yield* run(token, { channel, simulation_lead_id }), later)
        }
        assert.strictEqual((yield* call(token, { channel: "email", finish: true })).status, 422)
        const finished = yield* run(token, { channel: "email", simulation_lead_id, finish: true })
        assert.isTrue(finished.finished)
        assert.deepStrictEqual(finished.transcript, later.transcript)
        assert.strictEqual((yield* call(stranger.token, { channel: "email", simulation_lead_id })).status, 404)
        assert.deepStrictEqual(yield* real, before)
      })
  )
})
