import { Context, type Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { Caller } from "../../Core/Calls/Caller.ts"
import { say } from "../../Messages/Messages.ts"
import { criteriaBeyondRules } from "../../Replies/Consequences/ReviewCriteria.ts"
import type { Language } from "../../Text/Language.ts"
import { unsaidContext } from "../OwnerContext.ts"
import type { OwnerInstructions } from "../WritingBrief.ts"
import type { NotApplied } from "./NotApplied.ts"
import { readInstructions, type Unapplied } from "./ReadInstructions.ts"

/** The owner's texts with instructions. Null and blank texts contain none. */
export type ReportedInstructions = {
  readonly [K in Exclude<keyof OwnerInstructions, "verbatim">]?: string | null | undefined
} & {
  readonly further?: ReadonlyArray<string | null | undefined>
  /** What happened before the conversation is revived. */
  readonly ownerContext?: string | null | undefined
  /** When a person should review a lead. */
  readonly reviewCriteria?: string | null | undefined
}

/** False if no text contains anything, so that all of them are followed. */
export const hasInstructions = ({ further = [], ...texts }: ReportedInstructions): boolean =>
  [...Object.values(texts), ...further].some((text) => typeof text === "string" && text.trim() !== "")

/** What an owner is shown about instructions that are not followed. */
export const notAppliedOf = (
  unapplied: ReadonlyArray<Pick<Unapplied, "text" | "reason">>,
  language: Language
): ReadonlyArray<NotApplied> =>
  unapplied.map(({ reason, text }) => ({ text, reason: say(language, `instructions.not_applied.${reason}`) }))

/** The parts of instructions that rules cannot follow, for messages in `language`. */
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

/** Reports which of an owner's instructions the configured writer cannot follow. */
export class InstructionReports extends Context.Tag("InstructionReports")<
  InstructionReports,
  {
    readonly notApplied: (
      instructions: ReportedInstructions
    ) => Effect.Effect<ReadonlyArray<NotApplied>, Transient, Caller>
  }
>() {}
