import { Context, type Effect } from "effect"
import type { Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"

/** Something that a simulated person writes to the account's simulated line. */
export interface SimulatedMessage {
  /** The person's number, in any way it is written. */
  readonly from: string
  readonly text: string
  readonly file:
    | { readonly name: string; readonly bytes: Uint8Array; readonly kind: "image" | "video" | "audio" | "document" }
    | undefined
}

/** The other end of the simulated messaging app. There is none where the real provider is set up. */
export class ChatAppSandbox extends Context.Tag("ChatAppSandbox")<
  ChatAppSandbox,
  {
    /** As if the person had written: it comes in the way that the provider's messages do. Answers the message's id. */
    readonly receive: (message: SimulatedMessage) => Effect.Effect<string, Refused | Transient, Caller>
    /** What the line sent, newest first; at most 100. */
    readonly sent: Effect.Effect<
      ReadonlyArray<{
        readonly provider_message_id: string
        readonly to: string
        readonly content: unknown
        readonly sent_at: string
      }>,
      Transient,
      Caller
    >
  }
>() {}
