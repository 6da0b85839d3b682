import { Duration, Effect, type Scope } from "effect"
import { type Transient, transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { Presentation } from "../../Services/Presentations/PresentationPages.ts"
import { FairSemaphore, withFairPermit } from "../Platform/Fairness/FairSemaphore.ts"
import { overloaded } from "../Platform/Postgres/Sql.ts"
import { makeThreadPool } from "../Platform/Threads/ThreadPool.ts"

const threads = 2

export const drawingLimits = { heapMegabytes: 256, timeoutSeconds: 10 }

export const turnsOfDrawing = {
  slots: threads,
  perAccount: threads - 1,
  waiting: 400,
  waitingPerAccount: 100,
  longestWait: 20_000
}

const notDrawn = transient("presentation_not_drawn", "The presentation could not be drawn for the moment.", 5)

/**
 * Draws presentations as PDF in worker threads, so that calls do not wait. Threads are shared fairly: while several
 * accounts request presentations, each has one thread.
 */
export const makeDrawing: Effect.Effect<
  (accountId: AccountId, presentation: Presentation) => Effect.Effect<Uint8Array, Transient>,
  never,
  Scope.Scope
> = Effect.gen(function* () {
  const crew = yield* makeThreadPool<Presentation, Uint8Array>({
    program: new URL("./startPresentationWorker.js", import.meta.url),
    heapMegabytes: drawingLimits.heapMegabytes,
    size: threads,
    timeout: Duration.seconds(drawingLimits.timeoutSeconds)
  })
  const turns = new FairSemaphore(turnsOfDrawing)
  return (accountId, presentation) =>
    withFairPermit(turns, accountId, crew.ask(presentation)).pipe(
      Effect.catchTags({
        Overloaded: () => Effect.fail(overloaded()),
        ThreadTimedOut: () => Effect.fail(notDrawn),
        ThreadEnded: ({ cause, reason }) => (reason === "defect" ? Effect.die(cause) : Effect.fail(notDrawn))
      })
    )
})
