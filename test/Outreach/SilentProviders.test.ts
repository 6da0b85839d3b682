import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, LogLevel, Schedule } from "effect"
import { migrateEngine } from "../../src/Layers/Platform/Jobs/EngineSchema.ts"
import { touchWorker } from "../support/processes/TouchWorker.ts"
import { type Taken, touchProviders } from "../support/providers/TouchProviders.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { addDueLeads, hurryTasks, makeProspectors, openTouches, touchesOfLeads, worldOf } from "./support/dueLeads.ts"

const TestBase = Layer.effectDiscard(migrateEngine).pipe(
  Layer.provideMerge(TestDatabase),
  Layer.merge(Logger.minimumLogLevel(LogLevel.None))
)

const perChannel = 3

layer(TestBase, { excludeTestServices: true })("a provider that is silent until the time is out", (it) => {
  it.scoped("gets nothing twice, whether it took the message or not, unless it says that it has it not", () =>
    Effect.gen(function* () {
      const providers = yield* touchProviders
      const offers = new Map<string, number>()
      // The first lead of each channel is answered; of the second and the third only one is taken.
      const numberOf = ({ channel, to }: Taken) => {
        const known = order[channel].indexOf(to)
        return known >= 0 ? known : order[channel].push(to) - 1
      }
      const order: { readonly [C in Taken["channel"]]: Array<string> } = { email: [], chatapp: [], voice: [] }
      providers.behave({
        onOffered: (offered) => {
          const times = (offers.get(offered.to) ?? 0) + 1
          offers.set(offered.to, times)
          return numberOf(offered) === 2 && times === 1 ? "lose" : "take"
        },
        onTaken: (taken) => (numberOf(taken) === 1 ? "silence" : "answer")
      })
      yield* addDueLeads(yield* makeProspectors, { email: perChannel, chatapp: perChannel, voice: perChannel })
      yield* Layer.build(touchWorker(yield* worldOf(providers)))
      yield* Effect.zipRight(hurryTasks, openTouches).pipe(
        Effect.repeat({ until: (open) => open === 0, schedule: Schedule.spaced("50 millis") }),
        Effect.timeout("40 seconds")
      )

      const ends = new Map((yield* touchesOfLeads).map(({ contact, status }) => [contact, status]))
      const told = (channel: Taken["channel"]) =>
        order[channel].map((to) => ({
          end: ends.get(to),
          offers: offers.get(to),
          copies: providers.ledger.filter((taken) => taken.to === to).length
        }))
      const answered = { end: "done", offers: 1, copies: 1 }
      // The mailbox of sent messages tells: the one was sent, the other is sent again.
      assert.deepStrictEqual(told("email"), [answered, answered, { end: "done", offers: 2, copies: 1 }])
      // Nothing tells.
      const nobodyKnows = { end: "unknown", offers: 1 }
      assert.deepStrictEqual(told("chatapp"), [answered, { ...nobodyKnows, copies: 1 }, { ...nobodyKnows, copies: 0 }])
      // The provider knows the one by our reference; that it shows nothing of the other proves little.
      assert.deepStrictEqual(told("voice"), [answered, answered, { ...nobodyKnows, copies: 0 }])
      assert.isAtLeast(providers.lookUps.email, 2)
      assert.isAtLeast(providers.lookUps.voice, 2)
    })
  )
})
