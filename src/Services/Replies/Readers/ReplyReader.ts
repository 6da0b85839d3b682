import { Context, Effect, Layer } from "effect"
import type { ServiceMode } from "../../Core/Outside/IntegrationModes.ts"
import { LanguageModel, type LanguageModelFailed, sandboxUsage, type Usage } from "../../Models/LanguageModel.ts"
import { DelimiterWord } from "../../Text/PromptDelimiter.ts"
import type { Act } from "../Acts.ts"
import { isMachine } from "../Consequences/ReplyClasses.ts"
import { isBounce } from "../MachineMail.ts"
import { readByReader, readingOf } from "../ReadReply.ts"
import { actsOfReply } from "../ReplyActs.ts"
import type { ReplyReading } from "../ReplyReading.ts"
import { type InboundReply, type PreparedReply, prepareReply } from "../ReplyText.ts"
import { mergeActs } from "./MergeActs.ts"
import { asModelReading, checkedActs, ModelReading } from "./ModelActs.ts"
import { replyClassifier } from "./ReplyClassifier.ts"
import { type Judged, makeReplyJudge, type OwnerJudgement } from "./ReplyJudge.ts"
import { replyReaderPrompt } from "./ReplyReaderPrompt.ts"

export interface ReadReply {
  readonly reading: ReplyReading
  /** The writer's own text, without quoted mail and signature. */
  readonly ownText: string
  readonly mode: ServiceMode
  readonly usage: Usage
}

/**
 * Says what a reply amounts to. The embedded reader always reads it. Where a language model is connected, it reads the
 * reply too, unless it is an opt-out or a machine's. Fails only where the model could not be had for now.
 */
export class ReplyReader extends Context.Tag("ReplyReader")<
  ReplyReader,
  {
    /** `earlier` is what the lead had been sent before. */
    readonly read: (reply: InboundReply, earlier?: string) => Effect.Effect<ReadReply, LanguageModelFailed>
    /** Holds the reply against what the owner wrote of reviews and of unwanted leads. */
    readonly judge: (judgement: OwnerJudgement) => Effect.Effect<Judged>
  }
>() {}

const timeout = "30 seconds"
const maxOutputTokens = 1500

/** A reading that needed a model and had none is one that a person looks at. */
const withoutNeededModel = 0.4

/** The embedded reader's reading, marked as one that a person looks at; an opt-out is acted on all the same. */
export const unsureReading = (reading: ReplyReading): ReplyReading => ({
  ...reading,
  confidence: Math.min(reading.confidence, withoutNeededModel)
})

/** The reading of a reply whose model failed permanently. */
export const readWithoutModel = (reply: InboundReply, failure: LanguageModelFailed): ReadReply => {
  const prepared = prepareReply(reply)
  return {
    reading: unsureReading(readByReader(reply, prepared)),
    ownText: prepared.fullText,
    mode: "live",
    usage: failure.usage ?? { inputTokens: 0, outputTokens: 0, model: "none" }
  }
}

const make = Effect.gen(function* () {
  const model = yield* LanguageModel

  const askModel = (reply: InboundReply, prepared: PreparedReply, earlier: string, byReader: ReadonlyArray<Act>) =>
    Effect.gen(function* () {
      const { next } = yield* DelimiterWord
      const prompt = replyReaderPrompt(
        {
          subject: reply.subject ?? "",
          text: prepared.fullText,
          earlier,
          today: prepared.today,
          standingMeeting: reply.standingMeeting,
          language: prepared.language ?? reply.leadLanguage
        },
        yield* next
      )
      const { usage, value } = yield* model.generate({
        prompt,
        schema: ModelReading,
        maxOutputTokens,
        timeout,
        purpose: "read_reply",
        inSandbox: Effect.succeed(asModelReading(byReader, prepared.language ?? null))
      })
      if (model.mode === "sandbox") return { reading: readingOf(byReader, reply, prepared, "rules"), usage }
      const language = prepared.language ?? value.language
      const acts = mergeActs(byReader, checkedActs(value, reply, prepared))
      return { reading: { ...readingOf(acts, reply, prepared, "model"), language }, usage }
    })

  const judge = yield* makeReplyJudge

  return ReplyReader.of({
    judge,
    read: Effect.fn("ReplyReader.read")(function* (reply, earlier = "") {
      const prepared = prepareReply(reply)
      const acts = actsOfReply(reply, prepared, replyClassifier())
      const byReader = readingOf(acts, reply, prepared, "rules")
      const answer = (reading: ReplyReading, usage: Usage): ReadReply => ({
        reading,
        ownText: prepared.fullText,
        mode: model.mode,
        usage
      })
      const isSettled =
        isBounce(reply) ||
        byReader.class === "unsubscribe" ||
        prepared.fullText === "" ||
        (reply.isAutoSubmitted === true && isMachine(acts))
      const nothing: Usage = { ...sandboxUsage, model: model.mode === "sandbox" ? "sandbox" : "none" }
      const result = isSettled
        ? answer(byReader, nothing)
        : yield* askModel(reply, prepared, earlier, acts).pipe(
            Effect.map(({ reading, usage }) => answer(reading, usage)),
            // A person looks at what the model will not or cannot read.
            Effect.catchIf(
              ({ reason }) => reason === "refused" || reason === "invalid_output",
              ({ usage }) => Effect.succeed(answer(unsureReading(byReader), usage ?? nothing))
            )
          )
      yield* Effect.annotateCurrentSpan({ class: result.reading.class, decided_by: result.reading.decidedBy })
      return result
    })
  })
})

export const ReplyReaderLayer = Layer.effect(ReplyReader, make)
