import { Schema } from "effect"

export const SenderDomainId = Schema.Int.pipe(Schema.brand("SenderDomainId"))
export type SenderDomainId = typeof SenderDomainId.Type

/** A domain of the account's own, or a name in the platform's. */
export const SenderDomainKind = Schema.Literal("custom", "subdomain")
export type SenderDomainKind = typeof SenderDomainKind.Type
