import { Context, Data, type Effect, type Option, type Scope, type Stream } from "effect"
import type { Refused, Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import type { Language } from "../Text/Language.ts"
import type { ChatAppProfile, ChatAppQuality } from "./ChatAppModel.ts"

/** A number that sends messages, as its provider identifies it. */
export interface ChatAppNumber {
  readonly accountId: AccountId
  readonly lineId: string
  /** The provider's credential for the account's own number, encrypted by the provider's layer. */
  readonly credential: Uint8Array | null
}

/** The kinds of files that the messaging app supports. */
export type ChatAppMediaKind = "image" | "video" | "audio" | "document"

export type ChatAppContent =
  | { readonly _tag: "Text"; readonly body: string }
  /** A paid opening: the approved template in a language, with its placeholders filled. */
  | { readonly _tag: "Opening"; readonly language: Language; readonly greeting: string; readonly body: string }
  | {
      readonly _tag: "Media"
      readonly kind: ChatAppMediaKind
      /** A public https address from which the provider fetches the file. */
      readonly url: string
      readonly fileName: string | undefined
    }

export interface OutgoingChatAppMessage {
  readonly from: ChatAppNumber
  /** E.164. */
  readonly to: string
  /** A UUID that is the same on every attempt. It is returned with the message's states. */
  readonly reference: string
  readonly content: ChatAppContent
}

/** What blocks a number and how to fix it, as readable sentences. */
export interface ChatAppHealth {
  readonly issue: string
  readonly fix: string
}

/** The outcome of an attempt to send. */
export type SendOutcome =
  /** The provider accepted the message. */
  | { readonly _tag: "Accepted"; readonly providerMessageId: string }
  /** Certainly not sent, and not to be retried. `reason` is in snake_case. */
  | { readonly _tag: "Rejected"; readonly reason: string; readonly isUnreachable: boolean }
  /** Certainly not sent. A later attempt may succeed. */
  | {
      readonly _tag: "Postponed"
      readonly reason: string
      readonly retryAfterSeconds: number
      readonly health?: ChatAppHealth | undefined
    }
  /** It is unknown whether it was sent. */
  | { readonly _tag: "Unknown" }

/** The result of looking up a message by the gateway's reference. */
export type LookUp =
  | { readonly _tag: "Sent"; readonly providerMessageId: string }
  | { readonly _tag: "NotSent" }
  | { readonly _tag: "Unknowable" }

/** The current state of a number at the provider. */
export interface LineSnapshot {
  /** E.164. */
  readonly phone: string | null
  readonly displayName: string | null
  readonly quality: ChatAppQuality
  readonly messagingLimit: string | null
  /** Whether the number can send messages now. */
  readonly isBlocked: boolean
  readonly health: ChatAppHealth | null
  readonly profile: ChatAppProfile
  readonly providerAccountId: string | null
}

/** The provider refuses to let the number be used. `reason` is a readable sentence for the account. */
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

/** The price of each kind of message, in BRL, as a decimal number. */
export interface ChatAppPrices {
  readonly marketing: string
  readonly utility: string
  readonly authentication: string
  readonly service: string
}
export type ChatAppPriceCategory = keyof ChatAppPrices

/** The messaging app's provider. */
export class ChatApp extends Context.Tag("ChatApp")<
  ChatApp,
  {
    readonly mode: ServiceMode
    readonly prices: ChatAppPrices
    /** The template that opens conversations. */
    readonly opening: { readonly template: string; readonly category: ChatAppPriceCategory }
    /** Sends once. The outcome is a value, not an error. Takes at most 15 seconds. */
    readonly send: (message: OutgoingChatAppMessage) => Effect.Effect<SendOutcome>
    readonly lookUp: (from: ChatAppNumber, reference: string) => Effect.Effect<LookUp, Transient>

    /** The numbers that the account may get. Each belongs to at most one account. */
    readonly dedicatedNumbers: (accountId: AccountId) => ReadonlyArray<string>
    /** The link by which the owner connects their own number. None if this is not configured. */
    readonly signupUrl: (signupKey: string) => Option.Option<string>
    /** Exchanges the code from the owner's browser for the connected number. */
    readonly connectOwnNumber: (
      accountId: AccountId,
      code: string
    ) => Effect.Effect<ChatAppNumber & { readonly providerAccountId: string | null }, LineRefused | Transient>
    /** Makes a number ready to send and receive. Repeating it does no harm. */
    readonly activate: (number: ChatAppNumber) => Effect.Effect<LineSnapshot, LineRefused | Transient>

    readonly snapshot: (number: ChatAppNumber) => Effect.Effect<LineSnapshot, LineRefused | Transient>
    /** `undefined` keeps a field. */
    readonly updateProfile: (
      number: ChatAppNumber,
      changes: { readonly [K in keyof ChatAppProfile]?: ChatAppProfile[K] | undefined }
    ) => Effect.Effect<void, LineRefused | Transient>
    readonly setPicture: (
      number: ChatAppNumber,
      picture: ChatAppPicture
    ) => Effect.Effect<void, LineRefused | Transient>

    /** A file that a lead sent. `Refused` if it no longer exists or is larger than `maximumBytes`. */
    readonly openMedia: (
      number: ChatAppNumber,
      mediaId: string,
      maximumBytes: number
    ) => Effect.Effect<ChatAppMediaFile, Refused | Transient, Scope.Scope>
  }
>() {}
