import { Effect, Layer, Schema, Stream } from "effect"
import { refused, transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { endedByCancellation } from "../../Services/Jobs/JobHandler.ts"
import { changeDrawing } from "../../Services/Media/Drawings/Changes/DrawingChanges.ts"
import { drawingOf, drawingPrompt, ModelledDrawing } from "../../Services/Media/Drawings/DrawingByModel.ts"
import { DrawingModel } from "../../Services/Media/Drawings/DrawingModel.ts"
import { type DrawingNotes, drawingNotes } from "../../Services/Media/Drawings/DrawingNotes.ts"
import { DrawingRequest, Drawings, type DrawingView, drawingKind } from "../../Services/Media/Drawings/Drawings.ts"
import { readDrawing } from "../../Services/Media/Drawings/Readers/DrawingReader.ts"
import type { DrawingReading } from "../../Services/Media/Drawings/Readers/DrawingReading.ts"
import { checkReferences, GenerationFailed } from "../../Services/Media/Generation.ts"
import { DrawingId } from "../../Services/Media/Ids.ts"
import { isPassing, LanguageModel, type LanguageModelFailed } from "../../Services/Models/LanguageModel.ts"
import { LanguageUsage } from "../../Services/Models/LanguageUsage.ts"
import { clip } from "../../Services/Text/PlainText.ts"
import { DelimiterWord } from "../../Services/Text/PromptDelimiter.ts"
import { allDone, notUnderstoodCode, type WishReport } from "../../Services/Text/WishReport.ts"
import { makeOwnerLocale } from "../Accounts/Sql.ts"
import { Settings } from "../Platform/Settings.ts"
import { commonFields, type GenerationRow, makeGenerationRows } from "./GenerationRows.ts"
import { makeReferences } from "./References.ts"
import { ImageRenderer } from "./Rendering/ImageRenderer.ts"

const decodeRequest = Schema.decodeUnknown(DrawingRequest)
const decodeModel = Schema.decodeUnknown(DrawingModel)

const notFinished = (id: DrawingId) =>
  refused(
    "drawing_not_finished",
    "The drawing that is to be changed is not finished.",
    "Wait until get_drawing says that it is finished, or describe a new one.",
    { drawing_id: id }
  )

const notModelled = new GenerationFailed({
  code: "not_understood",
  detail: "The model made no drawing of the description."
})

/** Returns the drawing with a report of the prompt's wishes, or fails with the wishes that were not understood. */
const drawnOrNot = (
  reading: DrawingReading,
  { isChange, notes, prompt }: { readonly prompt: string; readonly isChange: boolean; readonly notes: DrawingNotes }
) => {
  if (reading._tag === "Read") {
    const report: WishReport = {
      done: [isChange ? notes.changed : notes.drawn],
      not_done: reading.undone.map((wish) => ({
        wish: clip(wish, 300),
        reason: isChange ? notes.notChanged : notes.aside,
        suggestion: notes.editForm
      })),
      needs_input: []
    }
    return Effect.succeed({ model: reading.model, report })
  }
  const reason =
    reading.reason === "notShown" || reading.reason === "contradicts"
      ? notes[reading.reason](reading.words.map((word) => `“${word}”`).join(", "))
      : notes[reading.reason]
  const suggestion = isChange ? notes.editForm : reading.reason === "notClear" ? notes.listForm : notes.wordForm
  const report: WishReport = {
    done: [],
    not_done: [{ wish: clip(prompt, 300), reason, suggestion }],
    needs_input: []
  }
  return Effect.fail(new GenerationFailed({ code: notUnderstoodCode, detail: reason, report }))
}

const busy = (seconds = 10) =>
  transient("language_model_unavailable", "The language model does not answer for the moment.", seconds)

const failureOf = ({ detail, reason }: LanguageModelFailed) =>
  reason === "refused"
    ? new GenerationFailed({ code: "content_refused", detail: "The model refuses to draw what the prompt asks for." })
    : new GenerationFailed({ code: detail, detail: "The language model made no drawing of the description." })

const viewOf = (row: GenerationRow): Effect.Effect<DrawingView> =>
  Effect.gen(function* () {
    const { caption, previousId } = yield* decodeRequest(row.request)
    const model = row.model === null ? undefined : yield* decodeModel(row.model)
    return {
      drawing_id: DrawingId.make(row.generation_id),
      ...commonFields(row),
      image_url: row.url,
      svg_url: row.vector_url,
      kind: model?.body.kind ?? null,
      title: model?.title ?? null,
      caption,
      previous_drawing_id: previousId,
      width: row.width,
      height: row.height
    }
  }).pipe(Effect.orDie)

const make = Effect.gen(function* () {
  const rows = yield* makeGenerationRows("drawing")
  const studio = yield* ImageRenderer
  const references = yield* makeReferences
  const languageModel = yield* LanguageModel
  const usage = yield* LanguageUsage
  const words = yield* DelimiterWord
  const { baseUrl } = yield* Settings

  const localeOf = yield* makeOwnerLocale

  const byRules = (accountId: AccountId, prompt: string, previous: DrawingModel | undefined) =>
    Effect.flatMap(localeOf(accountId), ({ language }) =>
      drawnOrNot(previous === undefined ? readDrawing(prompt) : changeDrawing(previous, prompt), {
        prompt,
        isChange: previous !== undefined,
        notes: drawingNotes[language]
      })
    )

  /** Reads the prompt with a language model if one is live, or with the rules of its sandbox. */
  const modelOf = (accountId: AccountId, prompt: string, previous: DrawingModel | undefined) =>
    Effect.gen(function* () {
      if (languageModel.mode === "sandbox") return yield* byRules(accountId, prompt, previous)
      const { usage: used, value } = yield* languageModel
        .generate({
          prompt: drawingPrompt(yield* words.next, prompt, previous),
          schema: ModelledDrawing,
          maxOutputTokens: 4000,
          timeout: "90 seconds",
          purpose: "drawing",
          inSandbox: Effect.dieMessage("The sandbox is not asked.")
        })
        .pipe(
          Effect.tapError((failure) =>
            failure.usage === undefined ? Effect.void : usage.add(accountId, "drawing", failure.usage)
          ),
          Effect.catchTag("LanguageModelFailed", (failure) =>
            Effect.fail(isPassing(failure) ? busy(failure.retryAfterSeconds) : failureOf(failure))
          )
        )
      yield* usage.add(accountId, "drawing", used)
      const model = drawingOf(value) ?? (yield* notModelled)
      return { model, report: allDone(prompt) }
    })

  return Drawings.of({
    start: Effect.fn("Drawings.start")(function* (prompt, request) {
      const refusal = checkReferences(request.reference === null ? [] : [request.reference], baseUrl)
      if (refusal !== undefined) return yield* refusal
      if (request.previousId !== null) {
        const previous = yield* rows.get(request.previousId)
        if (previous.status !== "finished") return yield* notFinished(request.previousId)
      }
      const { id, jobId } = yield* rows.start(drawingKind, prompt, request, undefined)
      return { drawingId: DrawingId.make(id), jobId }
    }),

    get: Effect.fn("Drawings.get")((id) => Effect.flatMap(rows.get(id), viewOf)),

    list: Effect.fn("Drawings.list")(function* (options) {
      const page = yield* rows.list(options)
      return { drawings: yield* Effect.forEach(page.rows, viewOf), total: page.total }
    }),

    run: Effect.fn("Drawings.run")(function* (job) {
      const started = yield* rows.load(job)
      if (started.is_done) return
      const { accountId } = job
      const id = started.generation_id
      yield* Effect.gen(function* () {
        const request = yield* Effect.orDie(decodeRequest(started.request))
        yield* rows.begin(accountId, id, languageModel.mode)
        const before =
          request.previousId === null
            ? undefined
            : yield* rows.get(request.previousId).pipe(
                Effect.flatMap(({ model }) => Effect.orDie(decodeModel(model))),
                Effect.catchTag("NotFound", () => Effect.fail(notModelled))
              )
        const [picture] = yield* references(accountId, request.reference === null ? [] : [request.reference])
        yield* job.setProgress(20)
        const { model, report } = yield* modelOf(accountId, started.prompt, before)
        yield* job.setProgress(60)
        const [png, svg] = yield* studio.make(accountId, {
          kind: "drawing",
          model,
          caption: request.caption ?? "",
          picture
        })
        if (png === undefined || svg === undefined) return yield* notModelled
        yield* rows.finish(job, id, {
          report,
          file: { fileName: `drawing-${id}.png`, mediaType: "image/png", isOwnMedia: true, bytes: Stream.make(png) },
          vector: { fileName: `drawing-${id}.svg`, mediaType: "image/svg+xml", bytes: Stream.make(svg) },
          width: new DataView(png.buffer, png.byteOffset).getUint32(16),
          height: new DataView(png.buffer, png.byteOffset).getUint32(20),
          model
        })
      }).pipe(endedByCancellation(job), rows.failing(job, id))
    })
  })
})

export const DrawingsPostgres = Layer.effect(Drawings, make)
