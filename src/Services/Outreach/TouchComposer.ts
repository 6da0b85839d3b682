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

/** A touch that sends something. */
export type WritePlan = Extract<TouchPlan, { readonly _tag: "Write" }>

/** Influences on a touch apart from the lead and the owner: the optimizer's trial, and the best times for contact. */
export type Steering = Pick<TouchSituation, "trial" | "wantedHours">

/** The lead of a touch. Simulated leads are unknown to other tables. */
export interface TouchSubject {
  readonly accountId: AccountId
  readonly leadId: LeadId
}

/** The look-ups that the message of a touch needs. */
export interface TouchNeeds {
  /** For whom to propose times, and when the lead would like to talk. Undefined if no times are needed. */
  readonly times:
    | { readonly zone: string; readonly wish: WishedTime | undefined; readonly window: SendWindow }
    | undefined
  /** Whether the message can contain a booking link. */
  readonly takesLink: boolean
  /** The documents that the lead asks for. */
  readonly documentWishes: ReadonlyArray<string>
}

/**
 * Plans and writes touches from the facts about a lead, without changing anything. Prospecting and the simulation both
 * use it.
 */
export class TouchComposer extends Context.Tag("TouchComposer")<
  TouchComposer,
  {
    /** Whether, why and on which channel the lead is contacted at `now` (Unix milliseconds). */
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
    /** The look-ups that the planned message needs. */
    readonly needs: (facts: TouchFacts, config: EffectiveConfiguration, plan: WritePlan) => TouchNeeds
    /**
     * `isSent` says whether the lead already got the address of a file, apart from the messages in the facts.
     * `bookingLink` is the lead's booking page. `documents` are the documents that the lead asked for.
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
