import { Effect, Schema } from "effect"
import { LanguageModel, type LanguageModelFailed, type Usage } from "../../Models/LanguageModel.ts"
import { loadPromptFile } from "../../Models/PromptFile.ts"
import { type Language, languageNames } from "../../Text/Language.ts"
import { clip, fold } from "../../Text/PlainText.ts"
import { DelimiterWord, delimited, delimiterRule } from "../../Text/PromptDelimiter.ts"
import { disqualifiedByRule } from "../Consequences/OwnerCriteria.ts"
import { type MetCriterion, metCriterion } from "../Consequences/ReviewCriteria.ts"
import type { ReplyJudgement } from "../ReplySituation.ts"
import { judgementTexts } from "./JudgementTexts.ts"

/** The owner's criteria for judging a reply. */
export interface OwnerJudgement {
  readonly reviewCriteria: string | null
  readonly qualificationInstructions: string | null
  /** The known data about the lead. */
  readonly profile: string
  /** The lead's own message. */
  readonly reply: string
  /** The account's language, because the owner reads the reasons. */
  readonly language: Language
}

export interface Judged {
  readonly met: MetCriterion | undefined
  /** That the lead is none whom the owner wants. */
  readonly disqualified: ReplyJudgement | undefined
  readonly usage: Usage | undefined
}

const file = loadPromptFile(new URL("./reply-judge.md", import.meta.url))
const longestReason = 300

const Judgement = Schema.Struct({
  met_criterion: Schema.NullOr(Schema.String),
  criterion_reason: Schema.NullOr(Schema.String),
  qualification: Schema.Literal("yes", "no", "unknown"),
  qualification_reason: Schema.NullOr(Schema.String)
})

const given = (text: string | null): string => text?.trim() ?? ""

const judgedByRules = ({ language, qualificationInstructions, reply, reviewCriteria }: OwnerJudgement): Judged => {
  const reason = disqualifiedByRule(qualificationInstructions, reply, language)
  return {
    met: metCriterion(reviewCriteria, reply, language),
    disqualified: reason === undefined ? undefined : { reason, decidedBy: "rules" },
    usage: undefined
  }
}

/**
 * Judges a reply by the owner's criteria: by the model where there is one, else by rules, and says by which. What rules
 * find holds beside what a model says of a review, since a person is better asked once too often.
 */
export const makeReplyJudge = Effect.map(
  LanguageModel,
  (model) => (judgement: OwnerJudgement) =>
    Effect.gen(function* () {
      const byRules = judgedByRules(judgement)
      const criteria = given(judgement.reviewCriteria)
      const qualification = given(judgement.qualificationInstructions)
      if (model.mode === "sandbox" || (criteria === "" && qualification === "") || judgement.reply.trim() === "") {
        return byRules
      }
      const word = yield* Effect.flatMap(DelimiterWord, ({ next }) => next)
      const { usage, value } = yield* model.generate({
        prompt: {
          system: file.section("system", {
            delimiter_rule: delimiterRule(word),
            language: languageNames[judgement.language]
          }),
          user: file.section("task", {
            criteria: criteria === "" ? "(none)" : clip(criteria, 4000),
            qualification: qualification === "" ? "(none)" : clip(qualification, 4000),
            profile: delimited(word, "lead_profile", judgement.profile, 3000),
            reply: delimited(word, "lead_reply", judgement.reply, 6000)
          })
        },
        schema: Judgement,
        maxOutputTokens: 400,
        timeout: "30 seconds",
        purpose: "judge_reply",
        inSandbox: Effect.succeed({
          met_criterion: null,
          criterion_reason: null,
          qualification: "unknown" as const,
          qualification_reason: null
        })
      })
      // A criterion that the owner did not write is none of the owner's.
      const named = value.met_criterion?.trim() ?? ""
      const isOwners = named !== "" && fold(criteria).includes(fold(named))
      return {
        met: isOwners
          ? {
              criterion: clip(named, longestReason),
              reason: clip(value.criterion_reason ?? judgementTexts(judgement.language).none, longestReason),
              decidedBy: "model" as const
            }
          : byRules.met,
        disqualified:
          value.qualification === "no" && qualification !== ""
            ? {
                reason: clip(value.qualification_reason ?? judgementTexts(judgement.language).none, longestReason),
                decidedBy: "model" as const
              }
            : undefined,
        usage
      } satisfies Judged
    }).pipe(
      // If the model gives no judgement, the rules' judgement applies, so that a reply never waits here.
      Effect.catchAll((failure: LanguageModelFailed) =>
        Effect.succeed<Judged>({ ...judgedByRules(judgement), usage: failure.usage })
      )
    )
)
