import { Context, Effect, Layer } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { GenerationFailed } from "../../../Services/Media/Generation.ts"
import { FairSemaphore, withFairPermit } from "../../Platform/Fairness/FairSemaphore.ts"
import { overloaded } from "../../Platform/Postgres/Sql.ts"
import { makeThreadPool } from "../../Platform/Threads/ThreadPool.ts"
import type { RenderReply, RenderRequest } from "./RenderJob.ts"

const threads = 1

const unusable = {
  not_a_picture: new GenerationFailed({
    code: "not_a_picture",
    detail: "What was to be a picture is none, or not PNG, JPEG, WebP or GIF."
  }),
  too_large: new GenerationFailed({ code: "picture_too_large", detail: "A picture has more than 40 million pixels." })
} as const

const notDrawn = transient("picture_not_drawn", "The picture could not be drawn for the moment.", 5)

/** Draws and encodes pictures in a worker thread with the lowest priority, so that calls do not wait. */
export class ImageRenderer extends Context.Tag("ImageRenderer")<
  ImageRenderer,
  {
    readonly make: (
      accountId: AccountId,
      request: RenderRequest
    ) => Effect.Effect<ReadonlyArray<Uint8Array>, GenerationFailed | Transient>
  }
>() {
  static readonly layer = Layer.scoped(
    ImageRenderer,
    Effect.gen(function* () {
      const crew = yield* makeThreadPool<RenderRequest, RenderReply>({
        program: new URL("./startRenderWorker.js", import.meta.url),
        heapMegabytes: 512,
        size: threads,
        timeout: "45 seconds"
      })
      const turns = new FairSemaphore({
        slots: threads,
        perAccount: threads,
        waiting: 400,
        waitingPerAccount: 50,
        longestWait: 120_000
      })
      return {
        make: (accountId, request) =>
          withFairPermit(turns, accountId, crew.ask(request)).pipe(
            Effect.catchTags({
              Overloaded: () => Effect.fail(overloaded()),
              ThreadTimedOut: () => Effect.fail(notDrawn),
              ThreadEnded: () => Effect.fail(notDrawn)
            }),
            Effect.flatMap((reply) =>
              reply.kind === "made" ? Effect.succeed(reply.files) : Effect.fail(unusable[reply.reason])
            )
          )
      }
    })
  )
}
