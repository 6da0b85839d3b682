import { Context, Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { TouchId } from "../Outreach/TouchLedger.ts"
import type { MeetingId } from "./Ids.ts"

interface MailedInvitationsShape {
  /**
   * Attaches an invitation for calendar programs to a mail about a meeting. Undefined if another system sends the
   * invitation. Call it in the transaction that queues the mail.
   */
  readonly attach: (mail: {
    /** The notice's touch, which refers to its meeting. */
    readonly touchId: TouchId
    /** The cancelled meeting, if the mail is about a cancellation. */
    readonly cancelledId: MeetingId | undefined
    /** The address that receives responses. */
    readonly from: { readonly name: string; readonly address: string }
  }) => Effect.Effect<string | undefined, Transient, Caller>
}

/** Invitations by mail, used when no calendar is connected that sends them. */
export class MailedInvitations extends Context.Reference<MailedInvitations>()("MailedInvitations", {
  defaultValue: (): MailedInvitationsShape => ({ attach: () => Effect.succeed(undefined) })
}) {}

export type { MailedInvitationsShape }
