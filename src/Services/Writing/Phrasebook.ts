import type { Gender } from "../Text/PersonName.ts"
import type { AllowedLink, AnswerableClass, TouchKind } from "./WritingBrief.ts"

/** What a goal asks the lead for. */
export type AskKind = "talk" | "meeting" | "demo" | "visit" | "proposal" | "trial"

/** What sentences are made of: each part is one line and fit to stand in a sentence. */
export interface SentenceParts {
  /** The lead's first name; absent if its name is not a person's. */
  readonly first?: string
  /** Of the lead, where it is certain. */
  readonly gender?: Gender
  readonly company?: string
  readonly sender?: string
  readonly business: string
  readonly isFormal: boolean
}

/** Ways to say the same thing: which one a lead reads is decided by its id. */
export type Variants = ReadonlyArray<string>

/** The sentences of one language. */
export interface Phrasebook {
  readonly greeting: (parts: SentenceParts) => string
  readonly chatGreeting: (parts: SentenceParts) => string
  readonly firstSubjects: (parts: SentenceParts) => Variants
  readonly laterSubjects: (parts: SentenceParts) => Variants
  readonly introductions: (parts: SentenceParts) => Variants
  /** Where the lead was written to before, but not here. */
  readonly shortIntroduction: (parts: SentenceParts) => string
  readonly referredBy: (name: string) => string
  /** To whoever left its contact on a page of the account's. */
  readonly capturedOn: (page: string) => string
  /** Stands before a description that is no sentence. */
  readonly descriptionLabel: string
  /** Descriptions that are sentences about "us". */
  readonly ownSentence: RegExp
  readonly relevance: (parts: SentenceParts) => Variants
  readonly asks: { readonly [A in AskKind]: (minutes: number | undefined) => Variants }
  readonly links: { readonly [P in AllowedLink["purpose"]]: (url: string) => string }
  /** In the order in which they are used; each says something else than those before it. */
  readonly followUps: ReadonlyArray<(parts: SentenceParts) => Variants>
  /** The same to a lead that wrote before: it has seen our messages, and a conversation is what is taken up. */
  readonly followUpsAfterReply: ReadonlyArray<(parts: SentenceParts) => Variants>
  readonly lastFollowUpAfterReply: (parts: SentenceParts) => Variants
  readonly lastFollowUp: (parts: SentenceParts) => Variants
  readonly responses: {
    readonly [C in Exclude<AnswerableClass, "question" | "meeting_request" | "referral" | "later" | "objection">]: (
      parts: SentenceParts
    ) => Variants
  }
  /** The lead will talk to its own people first. */
  readonly deliberation: (parts: SentenceParts) => Variants
  /** To who will look at it and then write. */
  readonly awaitingWord: Variants
  /** Stands before what the lead asked to read. */
  readonly details: Variants
  /** What there is to read has to be put together first. */
  readonly detailsToCome: Variants
  /** Stands before the details that were promised. */
  readonly detailsRelay: string
  readonly softRefusals: { readonly [R in "price" | "timing" | "has_supplier"]: (parts: SentenceParts) => string }
  readonly thanksForReferral: (name: string | undefined) => string
  /** Of somebody who was named without an address. */
  readonly askForContact: (name: string | undefined) => string
  readonly knownAnswer: string
  /** Introduces several answers, each behind its question. */
  readonly knownAnswers: (isComplete: boolean) => string
  readonly unknownAnswer: Variants
  /** Of the questions that are left, after others were answered. Empty where they cannot be repeated. */
  readonly unknownAnswers: (questions: ReadonlyArray<string>) => string
  /** A talk is wanted, but no time is agreed on: on that day, where one is named. */
  readonly timeWanted: (day: string | undefined) => Variants
  /** What the lead proposed cannot be. */
  readonly timeTaken: (when: string) => Variants
  /** Times that are free, in the words that the lead reads, joined as a list. */
  readonly freeTimes: (times: string) => Variants
  /** The lead called the meeting off. */
  readonly meetingCalledOff: Variants
  /** On the day on which the lead wanted to hear again. */
  readonly comeBack: Variants
  /** `topic` is what the conversation was about. */
  readonly reEngagementAbout: (topic: string) => string
  readonly reEngagement: (parts: SentenceParts) => Variants
  /** A person of the team answers instead. */
  readonly holdingLines: {
    readonly [A in Extract<TouchKind, { readonly _tag: "holding_line" }>["awaits"]]: string
  }
  readonly answerRelay: (question: string) => Variants
  /** Where the question cannot be repeated. */
  readonly answerRelayUnquoted: string
  readonly meetingBooked: (when: string) => string
  readonly meetingMoved: (when: string) => string
  readonly meetingReminder: (when: string) => string
  readonly meetingCancelled: (when: string) => Variants
  readonly meetingNoShow: (when: string) => Variants
  readonly rescheduleOffer: string
  readonly meetingSubjects: {
    readonly [K in "meeting_booked" | "meeting_reminder" | "meeting_cancelled" | "meeting_no_show"]: (
      parts: SentenceParts
    ) => string
  }
  /** For whoever makes a call. */
  readonly voice: {
    readonly openingLine: (parts: SentenceParts) => string
    readonly goal: (parts: SentenceParts, aim: string) => string
    readonly aims: { readonly [A in AskKind]: string }
    /** Of a call that the lead asked for. */
    readonly askedForCall: string
    readonly respect: string
    readonly context: (text: string) => string
    readonly link: (url: string) => string
  }
}
