import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { send, testGateway } from "../support/servers/TestServer.ts"
import { liveDoors, liveSettings, telephoneDoor } from "./support/liveNotices.ts"
import type { Door, Notice } from "./support/noticeDoors.ts"
import { telephoneSettings } from "./support/signedDeliveries.ts"

const gatewayWith = (settings: Readonly<Record<string, string>>) =>
  testGateway({ baseUrl: "https://gateway.test", bodyLimit: 1024 * 1024 }).pipe(
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings)))))
  )

const post = ({ body, headers, path }: Notice) =>
  send(path, { method: "POST", headers: { "content-type": "application/json", ...headers }, body })

const refusals = [401, 403, 404, 405]

/** What a notice of the door has changed, as text, so that any two can be compared. */
const stateOf = ({ state }: Door) => Effect.map(state, (rows) => JSON.stringify(rows))

/** Notices that say they are a provider's and are not: each is refused, and changes nothing. */
const refusesForged = (name: string, door: Door, others: ReadonlyArray<readonly [string, Door]>) =>
  Effect.gen(function* () {
    const before = yield* stateOf(door)
    for (const [way, notice] of Object.entries(door.forged())) {
      const { status, text } = yield* post(notice)
      assert.include(refusals, status, `${name}, ${way}: ${text}`)
      assert.strictEqual(yield* stateOf(door), before, `${name}, ${way}`)
    }
    // A secret address is the whole proof of some CRMs: there, any body is genuine.
    for (const [other, { genuine }] of door.isAddressSecret === true ? [] : others) {
      const { status } = yield* post({ ...genuine(), path: door.genuine().path })
      assert.include(refusals, status, `what ${other} signed, at ${name}`)
    }
    assert.strictEqual(yield* stateOf(door), before, name)
  })

/** The genuine notice happens once, however often it is sent, and what is older changes nothing of it. */
const happensOnce = (name: string, door: Door) =>
  Effect.gen(function* () {
    const [before, { length }] = [yield* stateOf(door), yield* door.state]
    const notice = door.genuine()
    // The first one has copies at the same time, which may all find that nothing happened yet.
    const answers = yield* Effect.forEach([notice, notice, notice, notice], post, { concurrency: "unbounded" })
    for (const { status, text } of answers) assert.isBelow(status, 300, `${name}: ${text}`)
    const after = yield* stateOf(door)
    assert.notStrictEqual(after, before, `${name}: the genuine notice changed nothing`)
    assert.isAtMost((yield* door.state).length, length + 1, `${name}, four times at once`)
    const replays = Array.from({ length: 5 }, () => notice)
    yield* Effect.forEach([...replays, door.genuine()], post, { concurrency: "unbounded" })
    assert.strictEqual(yield* stateOf(door), after, `${name}, replayed`)
    for (const [way, older] of Object.entries(door.reordered())) {
      const answer = yield* post(older)
      assert.isBelow(answer.status, 500, `${name}, ${way}: ${answer.text}`)
      assert.strictEqual(yield* stateOf(door), after, `${name}, ${way}`)
    }
  })

layer(gatewayWith(liveSettings), { excludeTestServices: true })("notices of providers with live settings", (it) => {
  it.effect(
    "are taken for genuine by their proof alone, and what is replayed or comes out of order changes nothing",
    () =>
      Effect.gen(function* () {
        const doors = Object.entries(yield* liveDoors)
        assert.isAtLeast(doors.length, 12)
        for (const [name, door] of doors) {
          const others = doors.filter(([other]) => other !== name)
          yield* refusesForged(name, door, others)
          yield* happensOnce(name, door)
        }
      }),
    60_000
  )

  it.effect("no door but these takes a notice: the sandbox's are closed to providers that are live", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const count = sql<{ readonly all: number }>`select count(*) as all from chatapp_message`
      const before = yield* count
      const body = JSON.stringify({ from: "+5511987654321", text: "Oi" })
      for (const path of ["/sandbox/chatapp/messages", "/sandbox/voice/script", "/sandbox/calendar", "/sandbox/crm"]) {
        const { status } = yield* post({ path, headers: {}, body })
        assert.include(refusals, status, path)
      }
      assert.deepStrictEqual(yield* count, before)
    })
  )
})

layer(gatewayWith(telephoneSettings), { excludeTestServices: true })(
  "notices of the other telephone provider",
  (it) => {
    it.effect("are taken for genuine by their signature alone, and never move a call back", () =>
      Effect.gen(function* () {
        const door = yield* telephoneDoor
        yield* refusesForged("telephone", door, [])
        yield* happensOnce("telephone", door)
      })
    )
  }
)
