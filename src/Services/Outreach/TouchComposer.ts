import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { SendWindow } from "../Core/LocalTime.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { LanguageModelFailed } from "../Models/LanguageModel.ts"
import type { EffectiveConfiguration } from "../Prospecting/EffectiveConfiguration.ts"
import type { WishedTime } from "../Replies/ReplyReading.ts"
import type { Writing } from "../Writing/Writer.ts"
import type { DocumentsForLead } from "../Writing/WritingBrief.ts"
import type { TouchFacts } from "./TouchFacts.ts"
import type { TouchPlan, TouchSituation } from "./TouchPlan.ts"

/** A touch in which something is sent. */
export type WritePlan = Extract<TouchPlan, { readonly _tag: "Write" }>

/** What steers a touch beside the lead and its owner: what the optimizer tries, and when leads are best contacted. */
export type Steering = Pick<TouchSituation, "trial" | "wantedHours">

/** Of whom: a lead's touch, or that of a simulated one, of which no other table knows. */
export interface TouchSubject {
  readonly accountId: AccountId
  readonly leadId: LeadId
}

/** What the message of a touch needs besides its facts. */
export interface TouchNeeds {
  /** For whom times are to be proposed, and when it would like to talk. Undefined where no time is looked for. */
  readonly times:
    | { readonly zone: string; readonly wish: WishedTime | undefined; readonly window: SendWindow }
    | undefined
  /** Whether it has room for a link at which the lead books by itself. */
  readonly takesLink: boolean
  /** What the lead asks to read. */
  readonly documentWishes: ReadonlyArray<string>
}

/**
 * Decides and writes touches from what is known of a lead, and changes nothing. Prospecting and its simulation use it
 * alike: they differ in where the facts come from and what is done with the message.
 */
export class TouchComposer extends Context.Tag("TouchComposer")<
  TouchComposer,
  {
    /** Whether, why and by which way the lead is contacted at `now` (Unix milliseconds). */
    readonly plan: (
      subject: TouchSubject,
      facts: TouchFacts,
      at: {
        readonly config: EffectiveConfiguration
        readonly mayOpenChat: boolean
        readonly now: number
        readonly steering?: Steering | undefined
      }
    ) => TouchPlan
    /** What has to be looked up before the message of a plan is written. */
    readonly needs: (facts: TouchFacts, config: EffectiveConfiguration, plan: WritePlan) => TouchNeeds
    /**
     * `isSent`: whether the lead was sent a file's address before, beside what its messages show. `bookingLink`: where
     * the lead can book a meeting by itself. `documents`: what it gets that asks for documents.
     */
    readonly write: (
      subject: TouchSubject,
      facts: TouchFacts,
      config: EffectiveConfiguration,
      plan: WritePlan,
      context?: {
        readonly isSent?: (url: string) => boolean
        readonly bookingLink?: string | undefined
        readonly documents?: DocumentsForLead | undefined
      }
    ) => Effect.Effect<Writing, LanguageModelFailed | Transient>
  }
>() {}
