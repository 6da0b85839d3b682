import { Effect, Layer } from "effect"
import { CustomerFilesPostgres } from "../../src/Layers/Files/CustomerFilesPostgres.ts"
import { JobsPostgres } from "../../src/Layers/Jobs/JobsPostgres.ts"
import { DrawingsPostgres } from "../../src/Layers/Media/DrawingsPostgres.ts"
import { ImagesPostgres } from "../../src/Layers/Media/ImagesPostgres.ts"
import { ImageEngineConfigured } from "../../src/Layers/Media/Providers/ImageEngineConfigured.ts"
import { RendererConfigured, VideoEngineConfigured } from "../../src/Layers/Media/Providers/VideoEngineConfigured.ts"
import { ImageRenderer } from "../../src/Layers/Media/Rendering/ImageRenderer.ts"
import { VideosPostgres } from "../../src/Layers/Media/VideosPostgres.ts"
import { sandboxLanguageModel } from "../../src/Layers/Models/sandbox/LanguageModelSandbox.ts"
import { backgroundJobHandlers } from "../../src/Layers/Platform/Jobs/BackgroundJob.ts"
import { TaskQueuePostgres } from "../../src/Layers/Platform/Jobs/TaskQueue.ts"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { OutboundPolicy } from "../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { type Drawings, drawingJob } from "../../src/Services/Media/Drawings/Drawings.ts"
import { type Images, imageJob } from "../../src/Services/Media/Images.ts"
import { type Videos, videoJob } from "../../src/Services/Media/Videos.ts"
import { LanguageModel } from "../../src/Services/Models/LanguageModel.ts"
import { LanguageUsage } from "../../src/Services/Models/LanguageUsage.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { MediaGroup } from "../../src/Tools/Media/Media.ts"
import { callTool } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { TestSettings } from "../support/TestSettings.ts"

export const catalog = Catalog.make([MediaGroup])

const LoopbackAllowed = Layer.effect(
  OutboundPolicy,
  Effect.map(OutboundPolicy, (policy) => ({ ...policy, allowLoopback: true }))
)

const NoUsage = Layer.succeed(LanguageUsage, LanguageUsage.of({ add: () => Effect.void, addAll: () => Effect.void }))

/** The room with everything in sandbox, and what it stands on. */
export const MediaServices = Layer.mergeAll(DrawingsPostgres, ImagesPostgres, VideosPostgres).pipe(
  Layer.provideMerge(Layer.merge(ImageEngineConfigured, VideoEngineConfigured)),
  Layer.provideMerge(Layer.merge(RendererConfigured, ImageRenderer.layer)),
  Layer.provideMerge(Layer.merge(Layer.succeed(LanguageModel, sandboxLanguageModel), NoUsage)),
  Layer.provideMerge(Layer.mergeAll(CustomerFilesPostgres, JobsPostgres)),
  Layer.provideMerge(TaskQueuePostgres),
  Layer.provideMerge(OutboundHttpNode.pipe(Layer.provide(LoopbackAllowed))),
  Layer.provideMerge(TestDatabase),
  Layer.provideMerge(TestSettings)
)

export interface Begun {
  readonly id: number
  readonly jobId: string
}

/** Calls a tool that begins something; answers the id and the job. */
export const begin = (name: string, args: object) =>
  Effect.map(callTool(catalog, name, args), (answer): Begun => {
    const found = Object.entries(answer as { readonly [name: string]: unknown })
    const id = found.find(([key, value]) => key.endsWith("_id") && typeof value === "number")?.[1]
    const job = found.find(([key]) => key === "job_id")?.[1]
    if (typeof id !== "number" || typeof job !== "string") throw new Error("Nothing was begun.")
    return { id, jobId: job }
  })

const handlers = backgroundJobHandlers<Drawings | Images | Videos>([imageJob, drawingJob, videoJob])

/** Does what the engine does for the job, once. */
export const work = ({ jobId }: Begun, attempt = 1) =>
  Effect.flatMap(Caller, ({ accountId }) =>
    handlers[1].run({ account_id: accountId, job_id: jobId }, { id: "1", attempt, maxAttempts: 1000 })
  )
