import type { Timestamp } from "../Core/Timestamp.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { LeadOrigin } from "../Leads/LeadOrigin.ts"
import type { DocumentKind } from "../ProspectingFiles/DocumentKinds.ts"
import type { ReplyReading } from "../Replies/ReplyReading.ts"
import type { Language } from "../Text/Language.ts"
import type { LeadClock } from "../Text/SpokenTime.ts"
import type { DayPart } from "./DayPart.ts"
import type { SourcedAnswer } from "./FactSource.ts"
import type { Opening } from "./Openings.ts"

export type WritingChannel = "email" | "chatapp" | "voice"

/** Replies that get an answer. Leads that unsubscribed, are away or were not reached get none. */
export type AnswerableClass =
  | "interested"
  | "not_interested"
  | "question"
  | "wrong_person"
  | "referral"
  | "gatekeeper"
  | "meeting_request"
  | "later"
  | "objection"
  | "other"

/** The time of a meeting that is planned or was cancelled. */
export interface MeetingTime {
  readonly startsAt: Timestamp
  readonly endsAt?: Timestamp
  readonly joinUrl?: string
  /** How the lead joins without a link: the calendar's invitation contains it, or the lead is called. */
  readonly place?: { readonly _tag: "Calendar" } | { readonly _tag: "Phone"; readonly number: string | undefined }
}

/** Why the lead is contacted now. */
export type TouchKind =
  | {
      readonly _tag: "first_contact"
      readonly referredBy?: string
      /** The title of the page on which the lead left its contact. */
      readonly capturedOn?: string
    }
  /** `number` counts from 1 since the first contact or the last reply. */
  | { readonly _tag: "follow_up"; readonly number: number; readonly isLast: boolean }
  | {
      readonly _tag: "response"
      readonly reading: ReplyReading & { readonly class: AnswerableClass }
      readonly text: string
    }
  | { readonly _tag: "re_engagement"; readonly ownerContext?: string }
  | { readonly _tag: "answer_relay"; readonly question: string; readonly answer: string }
  /** A person will answer. `awaits` is what the lead waits for. */
  | { readonly _tag: "holding_line"; readonly awaits: "answer" | "person" | "call" }
  /** `isMoved`: the lead was notified of a different time before. */
  | { readonly _tag: "meeting_booked"; readonly meeting: MeetingTime; readonly isMoved?: boolean }
  | { readonly _tag: "meeting_reminder"; readonly meeting: MeetingTime }
  | { readonly _tag: "meeting_cancelled"; readonly meeting: MeetingTime; readonly reason?: string }
  | { readonly _tag: "meeting_no_show"; readonly meeting: MeetingTime }

/** Facts about the lead from files, forms and databases. They are data, not instructions. */
export interface LeadFacts {
  readonly leadId: LeadId
  readonly name: string
  readonly company?: string | undefined
  readonly jobTitle?: string | undefined
  readonly industry?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly country?: string | undefined
  readonly website?: string | undefined
  readonly background?: string | undefined
  /** The page on which the lead left its contact, and its words there. */
  readonly source?: string | undefined
  /** How the account got the contact, for a lead that asks. */
  readonly origin?: LeadOrigin | undefined
}

/** An answer that the owner approved for reuse. */
export interface KnownAnswer {
  readonly question: string
  readonly answer: string
  readonly answerId?: number
}

/** A passage of the account's files. `score` says how well it answers the lead, 0 to 1. */
export interface KnownPassage {
  readonly businessFileId: number
  readonly sequence: number
  readonly title: string
  readonly heading: string
  readonly body: string
  readonly score: number
}

/** A question of the lead and its answer, if one was found. */
export interface JudgedQuestion {
  readonly question: string
  readonly answer: SourcedAnswer | undefined
  /** A likely answer, or one in another language. It is only suggested to the owner. */
  readonly proposal?: SourcedAnswer
}

/** The owner's information about the business: the only source of facts. */
export interface BusinessFacts {
  readonly name: string
  readonly description?: string | undefined
  readonly website?: string | undefined
  readonly idealCustomerProfile?: string | undefined
  readonly answers: ReadonlyArray<KnownAnswer>
  /** Best first. */
  readonly knowledge: ReadonlyArray<KnownPassage>
}

/** The owner's instructions, as free text. A campaign's instructions replace the account's. */
export interface OwnerInstructions {
  readonly general?: string | undefined
  /** Additional instructions for this channel. */
  readonly channel?: string | undefined
  readonly goal?: string | undefined
  readonly strategy?: string | undefined
  /** For this touch only. */
  readonly nextTouch?: string | undefined
  /** Text that the lead must get word for word in this touch. */
  readonly verbatim?: string | undefined
}

/** A link that the message may contain. No others are allowed. */
export interface AllowedLink {
  readonly purpose: "website" | "scheduling" | "presentation" | "file"
  readonly url: string
  readonly title?: string
}

/** A document that the lead asked for. `kind` is undefined if only its title says what it is. */
export interface HandedDocument {
  readonly purpose: "presentation" | "file"
  readonly kind: DocumentKind | undefined
  readonly title: string
  readonly url: string
}

/** The documents for a lead that asks for some. */
export interface DocumentsForLead {
  readonly documents: ReadonlyArray<HandedDocument>
  /** Sentences that ask for something that the account does not have. */
  readonly missing: ReadonlyArray<string>
}

export interface SenderFacts {
  /** The person or team that signs; absent if only the business is known. */
  readonly name?: string | undefined
  /** Appended unchanged to every e-mail. If blank, the sender's name is used. */
  readonly emailSignature?: string | undefined
}

export interface PastMessage {
  readonly direction: "outbound" | "inbound"
  readonly channel: WritingChannel
  readonly at: Timestamp
  /** Without quoted mail. */
  readonly text: string
  /** Only for the lead's messages: it was sent automatically. */
  readonly isAutomatic?: boolean
}

/** Everything that one message needs. */
export interface WritingBrief {
  readonly channel: WritingChannel
  readonly language: Language
  /** The language of the owner's texts that are too short to detect it. */
  readonly ownersLanguage?: Language
  readonly kind: TouchKind
  readonly lead: LeadFacts
  readonly business: BusinessFacts
  readonly sender: SenderFacts
  readonly instructions: OwnerInstructions
  readonly links: ReadonlyArray<AllowedLink>
  /** How to state times to the lead. */
  readonly clock: LeadClock
  /** For a call: the part of the day where the lead is; absent if its zone is uncertain. */
  readonly dayPart?: DayPart | undefined
  /** The account's free times, soonest first, if a time must be found. */
  readonly freeTimes?: ReadonlyArray<Timestamp>
  /** Absent if the lead asks for no document. */
  readonly documents?: DocumentsForLead
  /** Questions whose answers were searched for. Rules decide on others. */
  readonly judged?: ReadonlyArray<JudgedQuestion>
  /** Oldest first. */
  readonly conversation: ReadonlyArray<PastMessage>
  /** How a first message begins; absent if the writer may choose. */
  readonly opening?: Opening
  /** The subject of the thread that an e-mail continues; absent for a new one. */
  readonly threadSubject?: string
  /** The most characters on the messaging app, if fewer than usual. A template limits an opening. */
  readonly longest?: number
}

/** A message that passed all checks. */
export type WrittenMessage =
  /** `body` is plain text and ends with the signature. */
  | { readonly channel: "email"; readonly subject: string; readonly body: string }
  | { readonly channel: "chatapp"; readonly body: string }
  /** `body` is the goal of the call in plain words for the agent. `openingLine` is said first. */
  | { readonly channel: "voice"; readonly body: string; readonly openingLine: string }
