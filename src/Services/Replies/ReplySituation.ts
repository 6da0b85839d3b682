import type { SendWindow } from "../Core/LocalTime.ts"
import type { LeadId, LeadStatus, PipelineState } from "../Leads/Ids.ts"
import type { MeetingId } from "../Meetings/Ids.ts"
import type { OutreachChannel } from "../Outreach/Ids.ts"
import type { EffectiveConfiguration } from "../Prospecting/EffectiveConfiguration.ts"
import type { Language } from "../Text/Language.ts"
import type { NamedContact } from "./Contacts/NamedContact.ts"
import type { RefusalReason, ReplyReading } from "./ReplyReading.ts"
import type { StandingMeeting } from "./Times/MeetingWish.ts"

/** Something that the reply asks, and whether the account's answers or files cover it. */
export interface AskedQuestion {
  readonly text: string
  readonly isKnown: boolean
  /** True if the lead asks for a document. */
  readonly isDocument?: boolean
}

/** What the owner is asked for: an answer, a response to an objection, or a document. */
export type OwedKind = "answer" | "objection" | "document"

/** The facts that decide on the consequences of a reply. */
export interface ReplySituation {
  readonly reading: ReplyReading
  readonly lead: {
    readonly leadId: LeadId
    readonly status: LeadStatus
    readonly pipeline: PipelineState
    readonly isUnsubscribed: boolean
    /** Whether the owner took it over by hand: then the owner decides. */
    readonly isTakenOver: boolean
  }
  /** The next meeting that was agreed on with the lead. `startsAt` is in Unix milliseconds, `local` as the lead's clock shows it. */
  readonly meeting:
    | { readonly meetingId: MeetingId; readonly startsAt: number; readonly local: StandingMeeting }
    | undefined
  /** The proposed time that passed the door between reading and acting, and is free. Unix milliseconds. */
  readonly bookableAt: number | undefined
  readonly settings: Pick<
    EffectiveConfiguration,
    "notify_on_interested" | "notify_on_interested_via_email" | "notify_on_confirmed" | "notify_on_confirmed_via_email"
  >
  /** Unix milliseconds. */
  readonly now: number
  /** IANA name of the lead's zone. */
  readonly zone: string
  readonly window: SendWindow
  /** The owner's criterion for a human review that the reply meets. */
  readonly criterion: string | undefined
  /** Why it meets it, and what decided that. */
  readonly judgement?: ReplyJudgement | undefined
  /** Why the lead is not one that the owner wants. */
  readonly disqualified?: ReplyJudgement | undefined
  readonly questions: ReadonlyArray<AskedQuestion>
  /** Whether the reply is written in a language that the platform does not write. */
  readonly isOtherLanguage?: boolean
  /** True if the lead itself certainly wrote. Anyone can forge a mail in its name. */
  readonly isSenderProven: boolean
  /** True if the lead repeats an objection that was already answered. */
  readonly isObjectionRepeated?: boolean
  /** The time of a call that the lead wants, if calls are enabled. Unix milliseconds. */
  readonly callAt?: number | undefined
  /** Whether the lead was answered so often of late that a machine may be answering back. */
  readonly isAnsweredOften: boolean
}

/** Why a person is asked to look at a lead. */
export type ReviewReason =
  | "reply_unclear"
  | "sender_unproven"
  | "human_review_criteria"
  | "qualification"
  | "answered_often"
  | "opt_out_unclear"
  | "legal_request"
  | "wants_person"
  | "wants_call"
  | "existing_customer"
  | "meeting_unclear"
  | "other_language"
  | "objection_again"

/**
 * The largest number of automatic answers to a lead per day. After that a person reviews the conversation. A chat has
 * more messages.
 */
export const answersPerDay: { readonly [C in OutreachChannel]: number } = { email: 6, chatapp: 30, voice: 6 }

/** The model's one-sentence judgement of a reply by the owner's criteria. */
export interface ReplyJudgement {
  readonly reason: string
  readonly decidedBy: "rules" | "model"
}

/** The kinds of notifications to the owner about a reply. */
export type OwnerNews =
  | "lead_confirmed"
  | "lead_became_interested"
  | "lead_unsubscribed"
  /** The lead wants the meeting at another time, and named none that can be booked. */
  | "lead_wants_other_time"
  /** For a reply that the platform does not answer. */
  | "held_lead_replied"

/** One consequence of a reply. Times are Unix milliseconds. */
export type Consequence =
  /** The count of touches restarts, and what was queued before the reply is not sent. */
  | { readonly _tag: "BeginAnew"; readonly language: Language | null }
  | { readonly _tag: "SetStatus"; readonly status: LeadStatus }
  | { readonly _tag: "Notify"; readonly kind: OwnerNews }
  /** The owner gets it by e-mail, whether or not there is a notification. */
  | { readonly _tag: "MailOwner"; readonly kind: Exclude<OwnerNews, "lead_unsubscribed" | "lead_wants_other_time"> }
  | { readonly _tag: "Unsubscribe" }
  | {
      readonly _tag: "Stop"
      readonly reason: "not_interested" | "wrong_person" | "not_qualified"
      readonly refusalReason: RefusalReason | null
      readonly returnDate: string | null
      readonly judgement?: ReplyJudgement
    }
  | {
      readonly _tag: "FlagForReview"
      readonly reason: ReviewReason
      readonly criterion: string | undefined
      readonly judgement?: ReplyJudgement
    }
  | { readonly _tag: "TouchAt"; readonly at: number }
  /** The lead gets a message then that a person will answer, once. */
  | { readonly _tag: "HoldingLine"; readonly at: number }
  /** No touch before this time. A touch that is due later stays. */
  | { readonly _tag: "WaitUntil"; readonly at: number }
  | { readonly _tag: "AskOwner"; readonly question: string; readonly owed: OwedKind }
  | { readonly _tag: "RegisterReferral"; readonly contact: NamedContact }
  /** `touchAt` applies where it cannot be booked: the lead is proposed another time. */
  | { readonly _tag: "BookMeeting"; readonly startsAt: number; readonly endsAt: number; readonly touchAt: number }
  /** The lead is not coming. It is worked again from `touchAt`, unless it is the owner's. */
  | {
      readonly _tag: "CallOffMeeting"
      readonly meetingId: MeetingId
      readonly touchAt: number | undefined
      readonly isMailed: boolean
    }
  /** `touchAt` applies where the new time cannot be had: the lead is asked for another one. */
  | {
      readonly _tag: "MoveMeeting"
      readonly meetingId: MeetingId
      readonly startsAt: number
      readonly endsAt: number
      readonly touchAt: number
      readonly isMailed: boolean
    }
