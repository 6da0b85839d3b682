import { Context, type Effect } from "effect"
import type { Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"

/** A message of a simulated person to the account's simulated line. */
export interface SimulatedMessage {
  /** The person's number in any notation. */
  readonly from: string
  readonly text: string
  readonly file:
    | { readonly name: string; readonly bytes: Uint8Array; readonly kind: "image" | "video" | "audio" | "document" }
    | undefined
}

/** The people in the simulated messaging app. Refused if the real provider is in use. */
export class ChatAppSandbox extends Context.Tag("ChatAppSandbox")<
  ChatAppSandbox,
  {
    /** Receives the message as if the provider had delivered it. Returns the message's id. */
    readonly receive: (message: SimulatedMessage) => Effect.Effect<string, Refused | Transient, Caller>
    /** The line's sent messages, newest first, at most 100. */
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
