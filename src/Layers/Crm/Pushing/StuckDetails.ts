const details: { readonly [reason: string]: string } = {
  ambiguous_at_crm:
    "The CRM has several records with this lead's e-mail, phone or company: merge them there, then start resync_crm_leads.",
  deleted_at_crm:
    "The record was deleted or merged there, and is not made again. Nothing is to be done if that was wanted.",
  email_missing: "This interface of the CRM takes people with an e-mail address only.",
  outcome_unknown:
    "The CRM did not say whether it made the record, and the lead has nothing by which it could be found. Look for it there.",
  forbidden: "The CRM's user may not do this: give it the right to write contacts and deals, then connect it again.",
  conflict: "Another record at the CRM stands in the way: look for the lead's e-mail there.",
  not_found: "Something that the record refers to is gone at the CRM, such as its pipeline: connect it again.",
  refused_by_crm:
    "The CRM did not take the values, or demands others: look at the fields that it requires, then start resync_crm_leads.",
  internal_error:
    "The platform failed at this lead many times. Those who run it are notified: start resync_crm_leads when it is mended.",
  crm_unavailable: "The CRM failed many times: start resync_crm_leads when it works again."
}

/** Returns what the account can do about leads that are stuck for this reason. */
export const stuckDetails = (reason: string): string => details[reason] ?? "Start resync_crm_leads to try once more."
