import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { IncidentsPostgres } from "../../src/Layers/Support/IncidentsPostgres.ts"
import { IncidentId } from "../../src/Services/Support/Ids.ts"
import { Incidents, IncidentView } from "../../src/Services/Support/Incidents.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { IncidentsGroup } from "../../src/Tools/Support/Incidents.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([IncidentsGroup])
const TestLayer = IncidentsPostgres.pipe(Layer.provideMerge(TestDatabase))
const Listed = Schema.Struct({ incidents: Schema.Array(IncidentView), limit: Schema.Int })

const list = (args: object) =>
  Effect.flatMap(makeAccount(), (caller) =>
    Effect.map(as(caller)(answerOf(catalog, "list_incidents", args)), Schema.decodeUnknownSync(Listed))
  )
const titles = (args: object) => Effect.map(list(args), ({ incidents }) => incidents.map(({ title }) => title))

const outage = (title: string) => ({
  title,
  impact: "outage" as const,
  components: ["mail", " "],
  message: "Mail is not leaving."
})

layer(TestLayer, { excludeTestServices: true })("incidents", (it) => {
  it.effect("have a timeline, are active until they are resolved, and then past, for every account", () =>
    Effect.gen(function* () {
      const incidents = yield* Incidents
      const first = yield* incidents.open(outage("Mail is down"))
      const second = yield* incidents.open(outage("Calls are slow"))
      assert.deepInclude(first, { is_active: true, is_automatic: false, components: ["mail"], status: "investigating" })
      yield* incidents.update(first.incident_id, { status: "identified", message: "A provider is down." })
      const resolved = yield* incidents.update(first.incident_id, { status: "resolved", message: "It is back." })
      assert.deepStrictEqual(
        resolved.updates.map(({ status }) => status),
        ["investigating", "identified", "resolved"]
      )
      assert.deepStrictEqual(yield* titles({ scope: "active" }), ["Calls are slow"])
      assert.deepStrictEqual(yield* titles({ scope: "past" }), ["Mail is down"])
      assert.deepStrictEqual(yield* titles({}), ["Calls are slow", "Mail is down"])
      const again = yield* incidents.update(first.incident_id, { status: "monitoring", message: "It came back." })
      assert.deepInclude(again, { is_active: true, resolved_at: null })
      for (const { incident_id } of [first, second]) {
        yield* incidents.update(incident_id, { status: "resolved", message: "Over." })
      }
    })
  )

  it.effect("open automatically once per problem, and close when it is over", () =>
    Effect.gen(function* () {
      const incidents = yield* Incidents
      const trouble = {
        key: "mail_unavailable",
        component: "mail",
        impact: "outage" as const,
        title: "Mail does not leave",
        message: "The mail server does not answer."
      }
      const opened = yield* Effect.forEach(Array.from({ length: 10 }), () => incidents.report(trouble), {
        concurrency: "unbounded"
      })
      assert.strictEqual(opened.filter((isNew) => isNew).length, 1)
      assert.isTrue(yield* incidents.recover("mail_unavailable", "It answers again."))
      assert.isFalse(yield* incidents.recover("mail_unavailable", "It answers again."))
      assert.isTrue(yield* incidents.report(trouble))
      assert.isTrue(yield* incidents.recover("mail_unavailable", "It answers again."))
      const { incidents: past } = yield* list({ scope: "past" })
      assert.strictEqual(past.filter(({ is_automatic }) => is_automatic).length, 2)
    })
  )

  it.effect("of the past are as many as asked for, fifty at most; texts are checked", () =>
    Effect.gen(function* () {
      const incidents = yield* Incidents
      assert.strictEqual((yield* list({ limit: 500 })).limit, 50)
      assert.strictEqual((yield* list({ scope: "past", limit: 1 })).incidents.length, 1)
      const empty = yield* Effect.flip(incidents.open({ ...outage(" "), message: "x" }))
      assert.strictEqual(empty.reason, "text_unsuitable")
      const unknown = yield* Effect.flip(
        incidents.update(IncidentId.make(987_654), { status: "resolved", message: "Over." })
      )
      assert.strictEqual(unknown.reason, "incident_not_found")
    })
  )
})
