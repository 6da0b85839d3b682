import { Context, type Effect } from "effect"
import type { NotFound, Refused, Transient } from "../../../Errors.ts"
import type { Caller } from "../../Core/Calls/Caller.ts"
import type { LeadId } from "../Ids.ts"
import type { LeadPipelineView } from "../LeadModel.ts"
import type { EmailMessageId, ListedLeadEmail } from "./LeadEmail.ts"

export interface LeadEmailPage {
  /** Both directions merged, oldest first. */
  readonly emails: ReadonlyArray<ListedLeadEmail>
  readonly outboundTotal: number
  readonly inboundTotal: number
}

export interface QueuedMessage {
  readonly emailMessageId: EmailMessageId
  readonly messageId: string
  readonly fromAddress: string
  readonly toAddress: string
  readonly lead: LeadPipelineView
}

/** The domain of the accounts' addresses, and the right-hand side of Message-IDs. */
export class MailDomain extends Context.Tag("MailDomain")<MailDomain, string>() {}

export class LeadEmails extends Context.Tag("LeadEmails")<
  LeadEmails,
  {
    readonly list: (
      leadId: LeadId,
      options: { readonly page: number; readonly pageSize: number; readonly includeBodies: boolean }
    ) => Effect.Effect<LeadEmailPage, NotFound | Transient, Caller>
    /** Queues a message that the owner wrote, and takes the lead over, in one transaction. */
    readonly send: (
      leadId: LeadId,
      message: { readonly subject: string; readonly body: string }
    ) => Effect.Effect<QueuedMessage, NotFound | Refused | Transient, Caller>
  }
>() {}
