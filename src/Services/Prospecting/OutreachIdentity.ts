/** The person and the business in whose name messages are written. */
export interface OutreachIdentity {
  readonly businessName: string | null
  readonly senderName: string | null
}

export type MissingIdentity = "business_name_missing" | "sender_name_missing"

const nonBlank = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? ""
  return trimmed === "" ? null : trimmed
}

/** A campaign's names replace the account's. */
export const identityOf = (account: OutreachIdentity, campaign: OutreachIdentity | null): OutreachIdentity => ({
  businessName: nonBlank(campaign?.businessName) ?? nonBlank(account.businessName),
  senderName: nonBlank(campaign?.senderName) ?? nonBlank(account.senderName)
})

/** Without both names, no message is sent. */
export const missingIdentity = ({ businessName, senderName }: OutreachIdentity): ReadonlyArray<MissingIdentity> => [
  ...(nonBlank(businessName) === null ? ["business_name_missing" as const] : []),
  ...(nonBlank(senderName) === null ? ["sender_name_missing" as const] : [])
]
