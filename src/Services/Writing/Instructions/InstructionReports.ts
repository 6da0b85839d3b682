import { Context, type Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { Caller } from "../../Core/Caller.ts"
import { say } from "../../Messages/Messages.ts"
import { criteriaBeyondRules } from "../../Replies/ReviewCriteria.ts"
import type { Language } from "../../Text/Language.ts"
import { unsaidContext } from "../OwnerContext.ts"
import type { OwnerInstructions } from "../WritingBrief.ts"
import type { NotApplied } from "./NotApplied.ts"
import { readInstructions, type Unapplied } from "./ReadInstructions.ts"

/** The texts of an owner that are to be carried out. Null and blank texts ask for nothing. */
export type ReportedInstructions = {
  readonly [K in Exclude<keyof OwnerInstructions, "verbatim">]?: string | null | undefined
} & {
  readonly further?: ReadonlyArray<string | null | undefined>
  /** What happened before a conversation is taken up again. */
  readonly ownerContext?: string | null | undefined
  /** When a person should review a lead. */
  readonly reviewCriteria?: string | null | undefined
}

/** What an owner reads of instructions that are not carried out. */
export const notAppliedOf = (
  unapplied: ReadonlyArray<Pick<Unapplied, "text" | "reason">>,
  language: Language
): ReadonlyArray<NotApplied> =>
  unapplied.map(({ reason, text }) => ({ text, reason: say(language, `instructions.not_applied.${reason}`) }))

/** What rules make nothing of in instructions, where messages are in `language`. */
export const notAppliedIn = (
  { channel, further = [], general, goal, nextTouch, ownerContext, reviewCriteria, strategy }: ReportedInstructions,
  language: Language,
  ownersLanguage: Language = language
): ReadonlyArray<NotApplied> => {
  const { unapplied } = readInstructions(
    {
      general: [general, ...further].filter((text) => typeof text === "string").join("\n"),
      channel: channel ?? undefined,
      goal: goal ?? undefined,
      strategy: strategy ?? undefined,
      nextTouch: nextTouch ?? undefined
    },
    language
  )
  const unsaid = unsaidContext(ownerContext ?? undefined, language).map((text) => ({
    text,
    reason: "context" as const
  }))
  const unmet = criteriaBeyondRules(reviewCriteria ?? null).map((text) => ({ text, reason: "criterion" as const }))
  return notAppliedOf([...unapplied, ...unsaid, ...unmet], ownersLanguage)
}

/** Says which of an owner's instructions the writer in use cannot carry out. */
export class InstructionReports extends Context.Tag("InstructionReports")<
  InstructionReports,
  {
    readonly notApplied: (
      instructions: ReportedInstructions
    ) => Effect.Effect<ReadonlyArray<NotApplied>, Transient, Caller>
  }
>() {}
