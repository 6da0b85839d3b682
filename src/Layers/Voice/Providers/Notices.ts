import { Context, type Effect } from "effect"
import type { CallProgress, CallReference } from "../../../Services/Voice/Voice.ts"

/** The content of a provider's request, after its signature was verified. */
export type NoticeReading =
  | {
      readonly _tag: "Notice"
      /** The gateway's reference, if the provider returned it. */
      readonly reference: CallReference | undefined
      readonly providerCallId: string
      readonly progress: CallProgress
    }
  /** The request is valid but about something else. */
  | { readonly _tag: "Ignored" }
  | { readonly _tag: "Forged" }
  | { readonly _tag: "Unreadable" }

export const ignored: NoticeReading = { _tag: "Ignored" }
export const forged: NoticeReading = { _tag: "Forged" }
export const unreadable: NoticeReading = { _tag: "Unreadable" }

export interface NoticeRequest {
  /** The headers, by name in lower case. */
  readonly headers: { readonly [name: string]: string | undefined }
  /** The unchanged bytes, because they are signed. */
  readonly body: Uint8Array
  /** The reference in the path. */
  readonly reference: string | undefined
}

/** A route on which the provider delivers its reports. */
export interface NoticeRoute {
  readonly path: `/${string}`
  /** The size limit of a body, in bytes. */
  readonly bodyLimit: number
  /** The name of the header in lower case. If a request lacks it, the body is not read. */
  readonly signatureHeader: string
  readonly read: (request: NoticeRequest) => Effect.Effect<NoticeReading>
}

/** The routes for the configured provider's reports. */
export class VoiceNotices extends Context.Tag("VoiceNotices")<VoiceNotices, ReadonlyArray<NoticeRoute>>() {}
