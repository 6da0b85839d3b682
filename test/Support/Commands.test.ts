import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Predicate } from "effect"
import { AccountsPostgres } from "../../src/Layers/Accounts/AccountsPostgres.ts"
import { AccountEventsPostgres } from "../../src/Layers/Events/AccountEventsPostgres.ts"
import { NotificationsPostgres } from "../../src/Layers/Events/NotificationsPostgres.ts"
import { migrateEngine } from "../../src/Layers/Platform/Jobs/EngineSchema.ts"
import { TaskQueuePostgres } from "../../src/Layers/Platform/Jobs/TaskQueue.ts"
import { supportCommands } from "../../src/Layers/Support/Commands.ts"
import { IncidentsPostgres } from "../../src/Layers/Support/IncidentsPostgres.ts"
import { SupportDeskPostgres, SupportRequestsPostgres } from "../../src/Layers/Support/SupportRequestsPostgres.ts"
import { AccountEvents } from "../../src/Services/Events/AccountEvents.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
import { Incidents } from "../../src/Services/Support/Incidents.ts"
import { SupportRequests } from "../../src/Services/Support/SupportRequests.ts"
import { runCommand } from "../support/leads/RoomCommands.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const TestLayer = Layer.merge(SupportDeskPostgres, IncidentsPostgres).pipe(
  Layer.provideMerge(
    Layer.mergeAll(SupportRequestsPostgres, AccountsPostgres, AccountEventsPostgres, NotificationsPostgres)
  ),
  Layer.provideMerge(TaskQueuePostgres),
  Layer.provideMerge(Layer.effectDiscard(migrateEngine)),
  Layer.provideMerge(TestDatabase)
)

const run = (...args: ReadonlyArray<string>) => runCommand(supportCommands, args)

const tagOf = <A, R>(running: Effect.Effect<A, unknown, R>) =>
  Effect.map(Effect.flip(running), (error) => (Predicate.hasProperty(error, "_tag") ? error._tag : error))

layer(TestLayer, { excludeTestServices: true })("the operators' commands", (it) => {
  it.effect("list, show, answer and close requests", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const requests = yield* SupportRequests
      const { request } = yield* me(
        requests.create({ message: "Exports end early \u001b[31m.", type: "technical", severity: "high" })
      )
      const of = ["--account", `${caller.accountId}`, "--request", `${request.support_request_id}`]
      const listed = yield* run("support", "list")
      assert.include(listed, `request ${request.support_request_id} pending high technical`)
      // An account's text does not control the operator's terminal.
      assert.notInclude(listed, "\u001b")

      yield* run("support", "answer", ...of, "--text", "It is mended.")
      assert.match(yield* run("support", "show", ...of), /answered, high technical[^]*It is mended\./)
      const answered = yield* me(requests.list("answered"))
      assert.strictEqual(answered.requests[0]?.answer, "It is mended.")
      const events = yield* AccountEvents
      assert.strictEqual((yield* me(events.read({ since: 0, types: [], limit: 10 }))).events.length, 1)
      const notifications = yield* Notifications
      assert.strictEqual((yield* me(notifications.pending)).total, 1)

      assert.include(yield* run("support", "close", ...of), "closed, high")
      assert.strictEqual(yield* tagOf(run("support", "answer", ...of, "--text", "Late.")), "Refused")
      assert.include(yield* run("support", "list"), "0 requests")
    })
  )

  it.effect("open, update, revise and close incidents", () =>
    Effect.gen(function* () {
      const incidents = yield* Incidents
      const opened = yield* run(
        ...["incident", "open", "--title", "Mail is late", "--impact", "outage"],
        ...["--components", "mail", "--message", "We look."]
      )
      const id = /^incident (\d+): Mail is late/.exec(opened)?.[1] ?? assert.fail(opened)
      yield* run("incident", "revise", "--incident", id, "--impact", "degradation", "--components", "mail,webhooks")
      yield* run("incident", "update", "--incident", id, "--status", "identified", "--message", "Found.")
      const [activeIncident] = yield* incidents.list({ scope: "active", pastLimit: 0 })
      assert.deepInclude(activeIncident, {
        impact: "degradation",
        components: ["mail", "webhooks"],
        status: "identified"
      })
      assert.match(
        yield* run("incident", "close", "--incident", id, "--message", "Over."),
        /investigating: We look\.\n.*identified: Found\.\n.*resolved: Over\./
      )
      assert.include(yield* run("incident", "list", "--scope", "past"), "1 incidents")
      assert.strictEqual(
        yield* tagOf(run("incident", "close", "--incident", "987654", "--message", "Over.")),
        "NotFound"
      )
      assert.strictEqual(yield* tagOf(run("incident", "revise", "--incident", id)), "Refused")
    })
  )
})
