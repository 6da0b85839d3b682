/** Who writes, and for whom: what a lead is told before anything else. */
export interface OutreachIdentity {
  readonly businessName: string | null
  readonly senderName: string | null
}

export type MissingIdentity = "business_name_missing" | "sender_name_missing"

const given = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? ""
  return trimmed === "" ? null : trimmed
}

/** A campaign's own names stand in place of the account's. */
export const identityOf = (account: OutreachIdentity, campaign: OutreachIdentity | null): OutreachIdentity => ({
  businessName: given(campaign?.businessName) ?? given(account.businessName),
  senderName: given(campaign?.senderName) ?? given(account.senderName)
})

/** Nobody is written to in the name of nobody. */
export const missingIdentity = ({ businessName, senderName }: OutreachIdentity): ReadonlyArray<MissingIdentity> => [
  ...(given(businessName) === null ? ["business_name_missing" as const] : []),
  ...(given(senderName) === null ? ["sender_name_missing" as const] : [])
]
