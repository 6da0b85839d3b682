import { type ChildProcess, spawn } from "node:child_process"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, LogLevel, Random, Schedule } from "effect"
import { lostTouches } from "../../../src/Layers/Outreach/LostTouches.ts"
import { migrateEngine } from "../../../src/Layers/Platform/Jobs/EngineSchema.ts"
import { TaskQueuePostgres } from "../../../src/Layers/Platform/Jobs/TaskQueue.ts"
import type { OutreachChannel } from "../../../src/Services/Outreach/Ids.ts"
import { bundledEntry } from "../../support/BundledEntry.ts"
import type { FaultPoint } from "../../support/checks/FaultPoints.ts"
import { type TouchWorld, touchWorker } from "../../support/processes/TouchWorker.ts"
import { isWholeRun } from "../../support/processes/WholeRun.ts"
import { touchProviders } from "../../support/providers/TouchProviders.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import {
  addDueLeads,
  hurryTasks,
  isRecorded,
  makeProspectors,
  openTouches,
  touchesOfLeads,
  worldOf
} from "../support/dueLeads.ts"

const TestBase = Layer.effectDiscard(migrateEngine).pipe(
  Layer.provideMerge(TestDatabase),
  Layer.merge(Logger.minimumLogLevel(LogLevel.None))
)

/**
 * What the night's look does for touches whose task is out of attempts: a task that worker after worker had fetched, but
 * not begun, when they were killed may be.
 */
const restoreLostTouches = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`update touch set created_at = created_at - interval '2 hours' where status = 'writing'`
  yield* lostTouches.handler.run({}, { id: "restore", attempt: 1, maxAttempts: 1 })
}).pipe(Effect.provide(TaskQueuePostgres))

/** When a worker is killed: by itself at a point of its work, or by the test. */
type Kill =
  | { readonly by: "itself"; readonly point: FaultPoint; readonly nth: number }
  /** The provider has the nth message of this worker, and did not answer, or just did. */
  | {
      readonly by: "provider"
      readonly channel: OutreachChannel
      readonly when: "taken" | "answered"
      readonly nth: number
    }
  /** So many milliseconds after the provider had the first message. */
  | { readonly by: "clock"; readonly after: number }

const upTo = (last: number) => Random.nextIntBetween(1, last + 1)

const byItself = (point: FaultPoint, last: number) =>
  Effect.map(upTo(last), (nth): Kill => ({ by: "itself", point, nth }))

const byProvider = (channel: OutreachChannel, when: "taken" | "answered", last: number) =>
  Effect.map(upTo(last), (nth): Kill => ({ by: "provider", channel, when, nth }))

/** Due when a worker begins, beside what others left. */
const leadsPerKill = { email: 2, chatapp: 2, voice: 1 }

/** How many kills of each kind there are in a whole run, fifty in all. The suite has one of each. */
const shares: ReadonlyArray<readonly [count: number, kill: Effect.Effect<Kill>]> = [
  [5, byItself("in_claim", 1)],
  [4, byItself("before_writing", 4)],
  [5, byItself("in_intent", 4)],
  [6, byItself("in_record", 3)],
  [3, byItself("before_transaction", 12)],
  [3, byItself("before_commit", 12)],
  [4, byItself("after_commit", 12)],
  [4, byProvider("email", "taken", 2)],
  [4, byProvider("chatapp", "taken", 2)],
  [3, byProvider("voice", "taken", 1)],
  [2, byProvider("email", "answered", 2)],
  [2, byProvider("chatapp", "answered", 2)],
  [1, byProvider("voice", "answered", 1)],
  [4, Effect.map(upTo(60), (after): Kill => ({ by: "clock", after }))]
]

const plannedKills = Effect.gen(function* () {
  const kills = yield* Effect.forEach(shares, ([count, kill]) => Effect.replicateEffect(kill, isWholeRun ? count : 1))
  return [...(yield* Random.shuffle(kills.flat()))]
})

/** Workers that are loaded and wait for their order; all are gone with the scope. */
const makeWorkers = (entry: string) =>
  Effect.gen(function* () {
    const children = new Set<ChildProcess>()
    yield* Effect.addFinalizer(() => Effect.sync(() => children.forEach((child) => child.kill("SIGKILL"))))
    return () => {
      const child = spawn(process.execPath, [entry], { stdio: ["pipe", "ignore", "inherit"] })
      children.add(child)
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
      return {
        ended,
        kill: () => child.kill("SIGKILL"),
        signal: () => child.signalCode,
        begin: (order: { readonly world: TouchWorld; readonly fault: object | undefined }) =>
          child.stdin.write(`${JSON.stringify(order)}\n`)
      }
    }
  })

layer(TestBase, { excludeTestServices: true })("touch workers that are killed at each step", (it) => {
  it.scoped(
    "give every lead its message once, and forget none",
    () =>
      Effect.gen(function* () {
        const newWorker = yield* makeWorkers(yield* bundledEntry("Outreach/support/doomedTouchWorker"))
        const providers = yield* touchProviders
        const world = yield* worldOf(providers)
        const prospectors = yield* makeProspectors
        const kills = yield* plannedKills
        assert.lengthOf(kills, isWholeRun ? 50 : shares.length)
        const caught = { email: 0, chatapp: 0, voice: 0 }

        let next = newWorker()
        for (const kill of kills) {
          const worker = next
          // The next one loads meanwhile.
          next = newWorker()
          yield* addDueLeads(prospectors, leadsPerKill)
          yield* hurryTasks
          const before = providers.ledger.length
          let seen = 0
          const isTheOne = (channel: OutreachChannel, when: "taken" | "answered") =>
            kill.by === "provider" && kill.channel === channel && kill.when === when && ++seen === kill.nth
          providers.behave({
            onTaken: ({ channel }) => {
              if (kill.by === "clock" && ++seen === 1) setTimeout(worker.kill, kill.after)
              if (!isTheOne(channel, "taken")) return "answer"
              worker.kill()
              return "silence"
            },
            onAnswered: ({ channel }) => void (isTheOne(channel, "answered") && worker.kill())
          })
          worker.begin({ world, fault: kill.by === "itself" ? { point: kill.point, nth: kill.nth } : undefined })
          yield* Effect.timeoutOption(
            Effect.promise(() => worker.ended),
            "20 seconds"
          )
          worker.kill()
          yield* Effect.promise(() => worker.ended)
          assert.strictEqual(worker.signal(), "SIGKILL")
          for (const taken of providers.ledger.slice(before)) if (!(yield* isRecorded(taken))) caught[taken.channel]++
        }
        // Of each channel some were killed between the provider's word and its record.
        for (const [channel, count] of Object.entries(caught)) assert.isAtLeast(count, isWholeRun ? 2 : 1, channel)

        providers.behave({})
        yield* restoreLostTouches
        yield* Layer.build(touchWorker(world))
        yield* Effect.zipRight(hurryTasks, openTouches).pipe(
          Effect.repeat({ until: (open) => open === 0, schedule: Schedule.spaced("100 millis") }),
          Effect.timeout("60 seconds")
        )

        const touches = yield* touchesOfLeads
        assert.lengthOf(touches, kills.length * (leadsPerKill.email + leadsPerKill.chatapp + leadsPerKill.voice))
        for (const { channel, contact, status, touches: count } of touches) {
          assert.strictEqual(count, 1, contact)
          const copies = providers.ledger.filter(({ to }) => to === contact).length
          // The messaging app has no look-up, so that what it took may stay unknown. What the others took is found.
          if (status === "unknown") assert.isAtMost(copies, channel === "chatapp" ? 1 : 0, contact)
          else assert.deepStrictEqual({ status, copies }, { status: "done", copies: 1 }, contact)
          if (channel === "email") assert.strictEqual(status, "done")
        }
      }).pipe(Effect.withRandom(Random.make("fifty kills"))),
    300_000
  )
})
