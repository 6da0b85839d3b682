import { Context, Data, type Effect, type Option, type Scope, type Stream } from "effect"
import type { Refused, Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { ServiceMode } from "../Core/IntegrationModes.ts"
import type { Language } from "../Text/Language.ts"
import type { ChatAppProfile, ChatAppQuality } from "./ChatAppModel.ts"

/** A number that messages go out from, as its provider knows it. */
export interface ChatAppNumber {
  readonly accountId: AccountId
  readonly lineId: string
  /** What the provider gave out for a number of the customer's own, sealed by the layer that made it. */
  readonly credential: Uint8Array | null
}

/** The kinds of files that the messaging app carries. */
export type ChatAppMediaKind = "image" | "video" | "audio" | "document"

export type ChatAppContent =
  | { readonly _tag: "Text"; readonly body: string }
  /** The opening of a conversation: the approved template in a language, with what stands in its places. */
  | { readonly _tag: "Opening"; readonly language: Language; readonly greeting: string; readonly body: string }
  | {
      readonly _tag: "Media"
      readonly kind: ChatAppMediaKind
      /** Public https address that the provider fetches the file from. */
      readonly url: string
      readonly fileName: string | undefined
    }

export interface OutgoingChatAppMessage {
  readonly from: ChatAppNumber
  /** E.164. */
  readonly to: string
  /** A UUID, the same on every attempt; comes back with the message's states. */
  readonly reference: string
  readonly content: ChatAppContent
}

/** What keeps a number from working, and the exact way out. Readable sentences. */
export interface ChatAppHealth {
  readonly issue: string
  readonly fix: string
}

/** What became of an attempt to send. */
export type SendOutcome =
  /** The provider took responsibility. */
  | { readonly _tag: "Accepted"; readonly providerMessageId: string }
  /** Definitely not sent, and never will be. `reason` in snake_case. */
  | { readonly _tag: "Rejected"; readonly reason: string; readonly isUnreachable: boolean }
  /** Definitely not sent; a later attempt may succeed. */
  | {
      readonly _tag: "Postponed"
      readonly reason: string
      readonly retryAfterSeconds: number
      readonly health?: ChatAppHealth | undefined
    }
  /** It may have been sent or not. */
  | { readonly _tag: "Unknown" }

/** What the provider tells of a message by our reference. */
export type LookUp =
  | { readonly _tag: "Sent"; readonly providerMessageId: string }
  | { readonly _tag: "NotSent" }
  | { readonly _tag: "Unknowable" }

/** A number as the provider shows it now. */
export interface LineSnapshot {
  /** E.164. */
  readonly phone: string | null
  readonly displayName: string | null
  readonly quality: ChatAppQuality
  readonly messagingLimit: string | null
  /** Whether messages can be sent now. */
  readonly isBlocked: boolean
  readonly health: ChatAppHealth | null
  readonly profile: ChatAppProfile
  readonly providerAccountId: string | null
}

/** The provider does not let the number be used. `reason` is a readable sentence for the account. */
export class LineRefused extends Data.TaggedError("LineRefused")<{ readonly reason: string }> {}

export interface ChatAppPicture {
  readonly bytes: Uint8Array
  readonly mediaType: "image/png" | "image/jpeg"
}

export interface ChatAppMediaFile {
  readonly mediaType: string | undefined
  readonly fileName: string | undefined
  readonly bytes: Stream.Stream<Uint8Array, Refused | Transient>
}

/** What a message of the provider's kind costs, in BRL, as a decimal number. */
export interface ChatAppPrices {
  readonly marketing: string
  readonly utility: string
  readonly authentication: string
  readonly service: string
}
export type ChatAppPriceCategory = keyof ChatAppPrices

/** The provider of the messaging app. */
export class ChatApp extends Context.Tag("ChatApp")<
  ChatApp,
  {
    readonly mode: ServiceMode
    readonly prices: ChatAppPrices
    /** The template that conversations are opened with. */
    readonly opening: { readonly template: string; readonly category: ChatAppPriceCategory }
    /** Sends once; how that ended is an answer, not an error. Takes 15 seconds at most. */
    readonly send: (message: OutgoingChatAppMessage) => Effect.Effect<SendOutcome>
    readonly lookUp: (from: ChatAppNumber, reference: string) => Effect.Effect<LookUp, Transient>

    /** The numbers that an account can be given; each belongs to one account at most. */
    readonly dedicatedNumbers: (accountId: AccountId) => ReadonlyArray<string>
    /** Where the owner connects a number of his own with one click; none where that is not set up. */
    readonly signupUrl: (signupKey: string) => Option.Option<string>
    /** Trades what the owner's browser brought back for the number that the owner connected. */
    readonly connectOwnNumber: (
      accountId: AccountId,
      code: string
    ) => Effect.Effect<ChatAppNumber & { readonly providerAccountId: string | null }, LineRefused | Transient>
    /** Makes a number ready to send and receive. Harmless when it already is. */
    readonly activate: (number: ChatAppNumber) => Effect.Effect<LineSnapshot, LineRefused | Transient>

    readonly snapshot: (number: ChatAppNumber) => Effect.Effect<LineSnapshot, LineRefused | Transient>
    /** Fields that are `undefined` stay as they are. */
    readonly updateProfile: (
      number: ChatAppNumber,
      changes: { readonly [K in keyof ChatAppProfile]?: ChatAppProfile[K] | undefined }
    ) => Effect.Effect<void, LineRefused | Transient>
    readonly setPicture: (
      number: ChatAppNumber,
      picture: ChatAppPicture
    ) => Effect.Effect<void, LineRefused | Transient>

    /** A file that a lead sent. `Refused` where it is gone or larger than `maximumBytes`. */
    readonly openMedia: (
      number: ChatAppNumber,
      mediaId: string,
      maximumBytes: number
    ) => Effect.Effect<ChatAppMediaFile, Refused | Transient, Scope.Scope>
  }
>() {}
