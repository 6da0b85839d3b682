import { type Refused, refused } from "../../../Errors.ts"
import type { LeadId } from "../Ids.ts"

/** The recipient of an e-mail that the owner writes. */
export interface MailRecipient {
  readonly email: string | null
  readonly is_blacklisted: boolean
  readonly is_suppressed: boolean
}

/** Why no e-mail can be sent to the lead. */
export const mailRefusalOf = (leadId: LeadId, recipient: MailRecipient): Refused | undefined => {
  const fields = { lead_id: leadId }
  if (recipient.email === null) {
    return refused("lead_has_no_email", "This lead has no e-mail address.", "Reach it on another channel.", fields)
  }
  if (recipient.is_blacklisted) {
    return refused(
      "lead_blacklisted",
      "The lead's e-mail address or its domain is on the blacklist.",
      "If it should be unblocked, use remove_blacklisted_email or remove_blacklisted_domain.",
      fields
    )
  }
  if (recipient.is_suppressed) {
    return refused(
      "email_suppressed",
      "The lead's e-mail address receives no more mail: it bounced, complained or unsubscribed.",
      "Reach the lead on another channel.",
      fields
    )
  }
  return undefined
}
