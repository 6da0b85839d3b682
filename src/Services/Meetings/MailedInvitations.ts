import { Context, Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
import type { TouchId } from "../Outreach/TouchLedger.ts"
import type { MeetingId } from "./Ids.ts"

interface MailedInvitationsShape {
  /**
   * What goes along with a mail that tells a lead of its meeting, as calendar programs read it; nothing where somebody
   * else invites. In the transaction that queues the mail.
   */
  readonly attach: (mail: {
    /** Of the notice; it knows its meeting. */
    readonly touchId: TouchId
    /** That was cancelled, where that is what the mail tells. */
    readonly cancelledId: MeetingId | undefined
    /** Where answers go. */
    readonly from: { readonly name: string; readonly address: string }
  }) => Effect.Effect<string | undefined, Transient, Caller>
}

/** Invitations that go by mail, since no calendar is there to send them. */
export class MailedInvitations extends Context.Reference<MailedInvitations>()("MailedInvitations", {
  defaultValue: (): MailedInvitationsShape => ({ attach: () => Effect.succeed(undefined) })
}) {}

export type { MailedInvitationsShape }
