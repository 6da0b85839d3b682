import { Context, Effect, Layer, Schema } from "effect"
import type { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import {
  addUsage,
  type Generated,
  LanguageModel,
  type LanguageModelFailed,
  type Usage,
  withUsage
} from "../Models/LanguageModel.ts"
import { clip, tidyText } from "../Text/PlainText.ts"
import { DelimiterWord } from "../Text/PromptDelimiter.ts"
import { withoutControlCharacters } from "../Text/SingleLine.ts"
import { type ConsideredSource, consideredSources } from "./Answers/ConsideredSources.ts"
import { KnowledgeAnswers, KnowledgeAnswersLayer } from "./Answers/KnowledgeAnswers.ts"
import { openQuestionsOf, questionsIn, replyOf } from "./Answers/KnownAnswers.ts"
import { compose } from "./Composer.ts"
import { factCitations } from "./FactCitations.ts"
import type { FactSource } from "./FactSource.ts"
import { withoutTopics } from "./Instructions/ForbiddenTopics.ts"
import { readInstructions, type Unapplied } from "./Instructions/ReadInstructions.ts"
import { checkMessage, longestSubject, type MessageDraft, type MessageProblem } from "./MessageCheck.ts"
import { inOneLanguage, needsTranslation } from "./OneLanguage.ts"
import { withSignature } from "./Signature.ts"
import { writerPrompt } from "./WriterPrompt.ts"
import type { WritingBrief, WrittenMessage } from "./WritingBrief.ts"

/** Why a person must review a touch before anything is sent. */
export type WritingReviewReason =
  | "failed_checks"
  | "model_refused"
  | "model_output_unusable"
  | "answer_in_another_language"

/** An answer that a message promises. */
export interface OwedAnswer {
  readonly question: string
  /** The owner's file answers it in another language. The owner is shown this. */
  readonly proposal?: string
  /** Whether a document is promised. */
  readonly isDocument?: boolean
}

/** The result for a brief. */
export type Writing =
  | {
      readonly _tag: "Written"
      readonly message: WrittenMessage
      /** The sources of the facts in it. */
      readonly restsOn: ReadonlyArray<FactSource>
      /** All sources that were considered, with the reasons. */
      readonly considered?: ReadonlyArray<ConsideredSource>
      /** Unanswered questions. The message promises answers, so the owner must be asked. */
      readonly owes: ReadonlyArray<OwedAnswer>
      /** Instructions of the owner that rules did not follow. */
      readonly unapplied: ReadonlyArray<Unapplied>
      readonly mode: ServiceMode
      readonly usage: Usage | undefined
    }
  | {
      readonly _tag: "NeedsReview"
      readonly reason: WritingReviewReason
      /** Problems of the last attempt. */
      readonly problems: ReadonlyArray<MessageProblem>
      /** The last attempt, only for the reviewer. It must never be sent unchanged. */
      readonly draft: MessageDraft | undefined
      readonly usage: Usage | undefined
    }

/**
 * Writes messages. A returned message passed all checks, contains the signature and may be sent unchanged. Fails only
 * if the model was unavailable; `isPassing` says whether to retry.
 */
export class Writer extends Context.Tag("Writer")<
  Writer,
  { readonly write: (brief: WritingBrief) => Effect.Effect<Writing, LanguageModelFailed> }
>() {}

const maximumAttempts = 2
const timeout = "60 seconds"
const maxOutputTokens = 1500

const NewMail = Schema.Struct({ subject: Schema.String, body: Schema.String })
const Body = Schema.Struct({ body: Schema.String })
const Call = Schema.Struct({ goal: Schema.String, opening_line: Schema.String })

/** Uniform line breaks, no blanks at the end of lines, and at most one empty line in a row. */
const tidyBody = (text: string): string =>
  tidyText(text)
    .normalize("NFC")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()

const replyPrefix = /^(?:\s{0,5}(?:re|res|rv|fw|fwd|enc|aw)\s?:)+\s{0,5}/i

/**
 * Times and places of meetings are always written by rules, because a model may get them wrong. Holding lines are fixed
 * texts.
 */
const isByRule = ({ kind }: WritingBrief): boolean =>
  kind._tag === "meeting_booked" || kind._tag === "meeting_reminder" || kind._tag === "holding_line"

/** A reply keeps its thread's subject, because mail programs group by it. */
const threadSubject = (subject: string): string =>
  clip(`Re: ${withoutControlCharacters(tidyText(subject)).replace(replyPrefix, "").trim()}`, longestSubject)

const owedAnswers = (brief: WritingBrief): ReadonlyArray<OwedAnswer> =>
  openQuestionsOf(brief).map((question) => {
    if (brief.documents?.missing.includes(question) === true) return { question, isDocument: true }
    const proposal = brief.judged?.find((one) => one.question === question)?.proposal?.text
    return proposal === undefined ? { question } : { question, proposal }
  })

/** An agent that makes a call gets the owner's instructions unchanged. */
const unappliedIn = ({ channel, instructions, language }: WritingBrief): ReadonlyArray<Unapplied> =>
  channel === "voice" ? [] : readInstructions(instructions, language).unapplied

const finished = (draft: MessageDraft, brief: WritingBrief): WrittenMessage => {
  switch (brief.channel) {
    case "email":
      return {
        channel: "email",
        subject: brief.threadSubject === undefined ? (draft.subject ?? "") : threadSubject(brief.threadSubject),
        body: withSignature(draft.body, brief.sender, brief.business.name)
      }
    case "chatapp":
      return { channel: "chatapp", body: draft.body }
    case "voice":
      return { channel: "voice", body: draft.body, openingLine: draft.openingLine ?? "" }
  }
}

const draftOf = (
  model: LanguageModel["Type"],
  brief: WritingBrief,
  word: string,
  problems: ReadonlyArray<MessageProblem>
): Effect.Effect<Generated<MessageDraft>, LanguageModelFailed> => {
  const common = {
    prompt: writerPrompt(brief, word, problems),
    maxOutputTokens,
    timeout,
    purpose: "write_message"
  } as const
  const composed = Effect.sync(() => compose(brief))
  if (brief.channel === "voice") {
    return Effect.map(
      model.generate({
        ...common,
        schema: Call,
        inSandbox: Effect.map(composed, ({ body, openingLine = "" }) => ({ goal: body, opening_line: openingLine }))
      }),
      ({ usage, value }) => ({
        usage,
        value: { body: tidyBody(value.goal), openingLine: tidyBody(value.opening_line) }
      })
    )
  }
  if (brief.channel === "email" && brief.threadSubject === undefined) {
    return Effect.map(
      model.generate({
        ...common,
        schema: NewMail,
        inSandbox: Effect.map(composed, ({ body, subject = "" }) => ({ subject, body }))
      }),
      ({ usage, value }) => ({
        usage,
        value: { subject: value.subject.normalize("NFC").trim(), body: tidyBody(value.body) }
      })
    )
  }
  return Effect.map(
    model.generate({ ...common, schema: Body, inSandbox: Effect.map(composed, ({ body }) => ({ body })) }),
    ({ usage, value }) => ({ usage, value: { body: tidyBody(value.body) } })
  )
}

/** Writes and checks, and writes again with the problems. */
const attempt = (
  model: LanguageModel["Type"],
  brief: WritingBrief,
  word: string,
  number: number,
  before: { readonly problems: ReadonlyArray<MessageProblem>; readonly usage: Usage | undefined }
): Effect.Effect<Writing, LanguageModelFailed> => {
  const spent = (usage: Usage | undefined): Usage | undefined =>
    usage === undefined || before.usage === undefined ? (usage ?? before.usage) : addUsage(before.usage, usage)
  // Rules would write the same text again.
  const isLast = number >= maximumAttempts || model.mode === "sandbox"
  return Effect.matchEffect(draftOf(model, brief, word, before.problems), {
    onSuccess: ({ usage, value: draft }) => {
      const problems = checkMessage(draft, brief, word)
      if (problems.length === 0) {
        return Effect.succeed<Writing>({
          _tag: "Written",
          message: finished(draft, brief),
          restsOn: factCitations(draft.body, brief),
          owes: owedAnswers(brief),
          unapplied: model.mode === "sandbox" ? unappliedIn(brief) : [],
          mode: model.mode,
          usage: spent(usage)
        })
      }
      return isLast
        ? Effect.succeed<Writing>({
            _tag: "NeedsReview",
            reason: "failed_checks",
            problems,
            draft,
            usage: spent(usage)
          })
        : attempt(model, brief, word, number + 1, { problems, usage: spent(usage) })
    },
    onFailure: (failure) => {
      const usage = spent(failure.usage)
      const review = (reason: WritingReviewReason) =>
        Effect.succeed<Writing>({ _tag: "NeedsReview", reason, problems: [], draft: undefined, usage })
      if (failure.reason === "refused") return review("model_refused")
      if (failure.reason === "invalid_output") {
        return isLast
          ? review("model_output_unusable")
          : attempt(model, brief, word, number + 1, { problems: before.problems, usage })
      }
      return Effect.fail(usage === undefined ? failure : withUsage(failure, usage))
    }
  })
}

const byRule = (mode: LanguageModel["Type"]["mode"], brief: WritingBrief, word: string): Writing => {
  const composed = compose(brief)
  const draft = { ...composed, body: tidyBody(composed.body) }
  const problems = checkMessage(draft, brief, word)
  return problems.length === 0
    ? {
        _tag: "Written",
        message: finished(draft, brief),
        restsOn: [],
        owes: [],
        unapplied: [],
        mode,
        usage: undefined
      }
    : { _tag: "NeedsReview", reason: "failed_checks", problems, draft, usage: undefined }
}

const make = Effect.gen(function* () {
  const model = yield* LanguageModel
  const knowledge = yield* KnowledgeAnswers

  return Writer.of({
    write: Effect.fn("Writer.write")(function* (original) {
      const { forbidden } = readInstructions(original.instructions, original.language).wishes
      const brief = model.mode === "sandbox" ? withoutTopics(original, forbidden) : original
      yield* Effect.annotateCurrentSpan({ channel: brief.channel, kind: brief.kind._tag, lead_id: brief.lead.leadId })
      const { next } = yield* DelimiterWord
      const word = yield* next
      if (isByRule(brief)) return byRule(model.mode, inOneLanguage(brief), word)
      const { judged, usage } = yield* knowledge.find({
        ...brief,
        questions: questionsIn(brief),
        reply: replyOf(brief)
      })
      const informed = { ...brief, judged }
      const before = { problems: [], usage }
      if (model.mode === "sandbox" && needsTranslation(brief)) {
        return { _tag: "NeedsReview", reason: "answer_in_another_language", draft: undefined, ...before }
      }
      const finalBrief = model.mode === "sandbox" ? inOneLanguage(informed) : informed
      const writing = yield* attempt(model, finalBrief, word, 1, before)
      return writing._tag === "Written"
        ? { ...writing, considered: consideredSources(informed, writing.restsOn) }
        : writing
    })
  })
})

export const WriterLayer = Layer.effect(Writer, make).pipe(Layer.provideMerge(KnowledgeAnswersLayer))
