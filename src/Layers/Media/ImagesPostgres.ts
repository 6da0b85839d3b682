import { Effect, Layer, Schema, Stream } from "effect"
import { endedByCancellation } from "../../Services/Jobs/JobHandler.ts"
import { checkReferences } from "../../Services/Media/Generation.ts"
import { ImageId } from "../../Services/Media/Ids.ts"
import { ImageEngine } from "../../Services/Media/ImageEngine.ts"
import { ImageRequest, Images, type ImageView, imageKind, imageSize } from "../../Services/Media/Images.ts"
import { designedImageReport } from "../../Services/Media/SandboxReports.ts"
import { allDone } from "../../Services/Text/WishReport.ts"
import { makeOwnerLocale } from "../Accounts/Sql.ts"
import { Settings } from "../Platform/Settings.ts"
import { commonFields, type GenerationRow, makeGenerationRows } from "./GenerationRows.ts"
import { makeReferences } from "./References.ts"
import { ImageRenderer } from "./Rendering/ImageRenderer.ts"

const decodeRequest = Schema.decodeUnknown(ImageRequest)

const viewOf = (row: GenerationRow): Effect.Effect<ImageView> =>
  Effect.map(Effect.orDie(decodeRequest(row.request)), ({ aspect, isTransparent, model, profile }) => ({
    image_id: ImageId.make(row.generation_id),
    ...commonFields(row),
    image_url: row.url,
    model,
    aspect_ratio: aspect,
    profile,
    transparent: isTransparent,
    ...imageSize(aspect, profile)
  }))

const make = Effect.gen(function* () {
  const rows = yield* makeGenerationRows("image")
  const engine = yield* ImageEngine
  const studio = yield* ImageRenderer
  const references = yield* makeReferences
  const localeOf = yield* makeOwnerLocale
  const { baseUrl } = yield* Settings

  return Images.of({
    start: Effect.fn("Images.start")(function* (prompt, request) {
      const refusal = checkReferences(request.references, baseUrl)
      if (refusal !== undefined) return yield* refusal
      const { id, jobId } = yield* rows.start(imageKind, prompt, request, imageSize(request.aspect, request.profile))
      return { imageId: ImageId.make(id), jobId }
    }),

    get: Effect.fn("Images.get")((id) => Effect.flatMap(rows.get(id), viewOf)),

    list: Effect.fn("Images.list")(function* (options) {
      const page = yield* rows.list(options)
      return { images: yield* Effect.forEach(page.rows, viewOf), total: page.total }
    }),

    run: Effect.fn("Images.run")(function* (job) {
      const started = yield* rows.load(job)
      if (started.is_done) return
      const { accountId } = job
      const id = started.generation_id
      yield* Effect.gen(function* () {
        const request = yield* Effect.orDie(decodeRequest(started.request))
        const size = imageSize(request.aspect, request.profile)
        yield* rows.begin(accountId, id, engine.mode)
        const pictures = yield* references(accountId, request.references)
        yield* job.setProgress(20)
        const order = { accountId, prompt: started.prompt, ...size, ...request, pictures }
        const made = yield* engine.mode === "live"
          ? rows.placing(job.accountId, started, engine.make(order))
          : engine.make(order)
        yield* job.setProgress(80)
        // A provider's picture is untrusted until its pixels are re-encoded here.
        const [png] =
          engine.mode === "live" ? yield* studio.make(accountId, { kind: "result", bytes: made, ...size }) : [made]
        const { language } = yield* localeOf(accountId)
        yield* rows.finish(job, id, {
          report:
            engine.mode === "live"
              ? allDone(started.prompt)
              : designedImageReport(started.prompt, pictures.length, language),
          file: {
            fileName: `image-${id}.png`,
            mediaType: "image/png",
            isOwnMedia: true,
            bytes: Stream.make(png ?? made)
          },
          ...size
        })
      }).pipe(endedByCancellation(job), rows.failing(job, id))
    })
  })
})

export const ImagesPostgres = Layer.effect(Images, make)
