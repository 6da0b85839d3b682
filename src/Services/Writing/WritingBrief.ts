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

/** The replies that are answered. Who unsubscribed, is away or was not reached is not written to. */
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

/** When a meeting is or was to be. */
export interface MeetingTime {
  readonly startsAt: Timestamp
  readonly endsAt?: Timestamp
  readonly joinUrl?: string
  /** How the lead takes part without a link: it comes with the calendar's invitation, or the lead is called. */
  readonly place?: { readonly _tag: "Calendar" } | { readonly _tag: "Phone"; readonly number: string | undefined }
}

/** Why the lead is contacted now. */
export type TouchKind =
  | {
      readonly _tag: "first_contact"
      readonly referredBy?: string
      /** The page on which the lead left its contact by itself, by its title. */
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
  /** A person answers instead: what the lead awaits of it. */
  | { readonly _tag: "holding_line"; readonly awaits: "answer" | "person" | "call" }
  /** `isMoved`: the lead was told of another time before. */
  | { readonly _tag: "meeting_booked"; readonly meeting: MeetingTime; readonly isMoved?: boolean }
  | { readonly _tag: "meeting_reminder"; readonly meeting: MeetingTime }
  | { readonly _tag: "meeting_cancelled"; readonly meeting: MeetingTime; readonly reason?: string }
  | { readonly _tag: "meeting_no_show"; readonly meeting: MeetingTime }

/** What is known of the lead. It came from files, forms and databases: material, not instructions. */
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
  /** Where and with which words it left its contact by itself. */
  readonly source?: string | undefined
  /** Where its contact comes from, for a lead that asks. */
  readonly origin?: LeadOrigin | undefined
}

/** An answer that the owner approved for reuse. */
export interface KnownAnswer {
  readonly question: string
  readonly answer: string
  readonly answerId?: number
}

/** A passage of the account's files; `score` says how well it covers what the lead asked, 0 to 1. */
export interface KnownPassage {
  readonly businessFileId: number
  readonly sequence: number
  readonly title: string
  readonly heading: string
  readonly body: string
  readonly score: number
}

/** A question of the lead, and what was found to answer it. */
export interface JudgedQuestion {
  readonly question: string
  readonly answer: SourcedAnswer | undefined
  /** What a file says of it in another language: for the owner, because no one here can translate it. */
  readonly proposal?: SourcedAnswer
}

/** What the owner says of the business: the only source of facts. */
export interface BusinessFacts {
  readonly name: string
  readonly description?: string | undefined
  readonly website?: string | undefined
  readonly idealCustomerProfile?: string | undefined
  readonly answers: ReadonlyArray<KnownAnswer>
  /** Best first. */
  readonly knowledge: ReadonlyArray<KnownPassage>
}

/** What the owner asks for. Each is free text; a campaign's own stands in place of the account's. */
export interface OwnerInstructions {
  readonly general?: string | undefined
  /** The overlay of this channel. */
  readonly channel?: string | undefined
  readonly goal?: string | undefined
  readonly strategy?: string | undefined
  /** For this touch alone. */
  readonly nextTouch?: string | undefined
  /** Text that must reach the lead word for word in this touch. */
  readonly verbatim?: string | undefined
}

/** An address that the message may name. No other is let through. */
export interface AllowedLink {
  readonly purpose: "website" | "scheduling" | "presentation" | "file"
  readonly url: string
  readonly title?: string
}

/** A document that the lead asked for. `kind` is undefined where its title alone says what it is. */
export interface HandedDocument {
  readonly purpose: "presentation" | "file"
  readonly kind: DocumentKind | undefined
  readonly title: string
  readonly url: string
}

/** What a lead gets that asks for documents. */
export interface DocumentsForLead {
  readonly documents: ReadonlyArray<HandedDocument>
  /** The sentences that ask for something that the account does not have. */
  readonly missing: ReadonlyArray<string>
}

export interface SenderFacts {
  /** The person or team in whose name is written; absent where only the business is known. */
  readonly name?: string | undefined
  /** Appended as it is to every e-mail; where it is blank the sender's name stands there. */
  readonly emailSignature?: string | undefined
}

export interface PastMessage {
  readonly direction: "outbound" | "inbound"
  readonly channel: WritingChannel
  readonly at: Timestamp
  /** Without repeated mail. */
  readonly text: string
  /** Of the lead's side only: a program sent it. */
  readonly isAutomatic?: boolean
}

/** Everything that one message is made of. */
export interface WritingBrief {
  readonly channel: WritingChannel
  readonly language: Language
  /** What the owner's own texts are in where they say too little to tell. */
  readonly ownersLanguage?: Language
  readonly kind: TouchKind
  readonly lead: LeadFacts
  readonly business: BusinessFacts
  readonly sender: SenderFacts
  readonly instructions: OwnerInstructions
  readonly links: ReadonlyArray<AllowedLink>
  /** By what clock times are said to the lead. */
  readonly clock: LeadClock
  /** Of a call: which part of the day it is where the lead is; absent where its zone is a guess. */
  readonly dayPart?: DayPart | undefined
  /** Times at which the account is free, where a time is to be found; soonest first. */
  readonly freeTimes?: ReadonlyArray<Timestamp>
  /** Absent where the lead asks for no document. */
  readonly documents?: DocumentsForLead
  /** Questions whose answers were looked for. Rules decide on others. */
  readonly judged?: ReadonlyArray<JudgedQuestion>
  /** Oldest first. */
  readonly conversation: ReadonlyArray<PastMessage>
  /** How a first message begins; absent where the writer may choose. */
  readonly opening?: Opening
  /** The subject of the thread that an e-mail continues; absent for a new one. */
  readonly threadSubject?: string
  /** Characters that the messaging app takes, where they are fewer than usual: an opening stands in a template. */
  readonly longest?: number
}

/** A message that passed all checks. */
export type WrittenMessage =
  /** `body` is plain text and ends with the signature. */
  | { readonly channel: "email"; readonly subject: string; readonly body: string }
  | { readonly channel: "chatapp"; readonly body: string }
  /** `body` is the goal of the call, in plain words for whoever makes it; `openingLine` is said first. */
  | { readonly channel: "voice"; readonly body: string; readonly openingLine: string }
