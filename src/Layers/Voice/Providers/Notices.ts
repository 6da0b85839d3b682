import { Context, type Effect } from "effect"
import type { CallProgress, CallReference } from "../../../Services/Voice/Voice.ts"

/** What a provider's request to us says, once its signature is known to be good. */
export type NoticeReading =
  | {
      readonly _tag: "Notice"
      /** Ours, where the provider hands it back. */
      readonly reference: CallReference | undefined
      readonly providerCallId: string
      readonly progress: CallProgress
    }
  /** Signed, and about something else. */
  | { readonly _tag: "Ignored" }
  | { readonly _tag: "Forged" }
  | { readonly _tag: "Unreadable" }

export const ignored: NoticeReading = { _tag: "Ignored" }
export const forged: NoticeReading = { _tag: "Forged" }
export const unreadable: NoticeReading = { _tag: "Unreadable" }

export interface NoticeRequest {
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string | undefined }
  /** As it came, since that is what is signed. */
  readonly body: Uint8Array
  /** The reference that stands in the path. */
  readonly reference: string | undefined
}

/** A path on which the provider reports of its own accord. */
export interface NoticeRoute {
  readonly path: `/${string}`
  /** Bytes. */
  readonly bodyLimit: number
  /** In lower case. The body of a request without this header is not read. */
  readonly signatureHeader: string
  readonly read: (request: NoticeRequest) => Effect.Effect<NoticeReading>
}

/** Where the configured provider reports to. */
export class VoiceNotices extends Context.Tag("VoiceNotices")<VoiceNotices, ReadonlyArray<NoticeRoute>>() {}
