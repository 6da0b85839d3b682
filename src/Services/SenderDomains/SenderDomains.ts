import { Context, type Effect, type Redacted, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import type { LeadId } from "../Leads/Ids.ts"
import { DnsRecord } from "./DnsRecords.ts"
import { RecordState } from "./DnsVerification.ts"
import type { SenderDomainId } from "./Ids.ts"

/** A record with the result of its check. */
export const RecordReport = Schema.Struct({
  ...DnsRecord.fields,
  state: Schema.Union(Schema.Literal("not_checked"), RecordState),
  found: Schema.Array(Schema.String).annotations({ description: "The records of that type at that name." }),
  advice: Schema.NullOr(Schema.String).annotations({ description: "What to do; null where nothing is." })
})
export type RecordReport = typeof RecordReport.Type

export const SenderDomainView = Schema.Struct({
  domain: Schema.NullOr(Schema.String).annotations({ description: "Null once it was removed." }),
  sender_address: Schema.String.annotations({ description: "The address that leads see as From now." }),
  domain_address: Schema.NullOr(Schema.String).annotations({
    description: "The address that they see while the domain is verified."
  }),
  status: Schema.Literal("pending", "verified", "lapsed", "removed").annotations({
    description:
      "pending: not verified yet. lapsed: records that were there are gone, and mail leaves from the platform's address until they are back."
  }),
  records_published_by: Schema.Literal("you", "platform").annotations({
    description: "A subdomain lies in the platform's zone, where its operator publishes the records."
  }),
  records: Schema.Array(RecordReport),
  verified_at: Schema.NullOr(Timestamp),
  checked_at: Schema.NullOr(Timestamp),
  daily_limit: Schema.NullOr(Schema.Int).annotations({
    description:
      "Messages that may leave under the new domain today, which grows by day; further ones leave from the platform's address. Null: any number."
  }),
  sent_today: Schema.Int,
  paused_until: Schema.NullOr(Timestamp).annotations({
    description: "Mail under the domain waits until then, since too much of it bounced or was called spam."
  }),
  dns: ServiceMode
})
export type SenderDomainView = typeof SenderDomainView.Type

/** The sender of a message. */
export type Sender =
  | { readonly _tag: "Platform" }
  /** A domain of the account. */
  | {
      readonly _tag: "Domain"
      readonly senderDomainId: SenderDomainId
      readonly domain: string
      readonly address: string
      readonly signing: DomainSigning
    }
  /** The domain's mail must wait this many seconds. */
  | { readonly _tag: "Hold"; readonly seconds: number }

/** The two private keys that sign a domain's mail, in PEM. */
export interface DomainSigning {
  readonly domain: string
  readonly selector: string
  readonly rsa: Redacted.Redacted
  readonly ed25519: Redacted.Redacted
}

/** Domains from which an account sends mail to leads. Methods look up DNS, so do not call them in a transaction. */
export class SenderDomains extends Context.Tag("SenderDomains")<
  SenderDomains,
  {
    /** Returns the records to publish. Refused while another domain is set up. */
    readonly activateCustom: (emailAddress: string) => Effect.Effect<SenderDomainView, Refused | Transient, Caller>
    /** Refused if another account has already verified the domain. */
    readonly verifyCustom: Effect.Effect<SenderDomainView, Refused | Transient, Caller>
    readonly removeCustom: Effect.Effect<SenderDomainView, Refused | Transient, Caller>
    /**
     * Names are unique across accounts. A new name replaces the account's previous one. Names of brands, banks and
     * public bodies are refused with `needs_operator` until they are approved.
     */
    readonly activateSubdomain: (label: string) => Effect.Effect<SenderDomainView, Refused | Transient, Caller>
    /** Approves a protected name for the account. Returns the domain. */
    readonly approveSubdomain: (accountId: AccountId, label: string) => Effect.Effect<string, Refused | Transient>
    readonly verifySubdomain: Effect.Effect<SenderDomainView, Refused | Transient, Caller>
    /** The daily check. A verified domain may lapse, and a pending or lapsed one may become verified. */
    readonly check: (accountId: AccountId, id: SenderDomainId) => Effect.Effect<void, Refused | Transient>
    /** Domains of all accounts that are due for a check. */
    readonly due: Effect.Effect<
      ReadonlyArray<{ readonly accountId: AccountId; readonly senderDomainId: SenderDomainId }>,
      Transient
    >
    /** Stops the mail of domains with a bad reputation. Returns their number. */
    readonly brake: Effect.Effect<number, Transient>
    /** The records of subdomains as lines of a zone file, for the operator. */
    readonly zoneLines: Effect.Effect<ReadonlyArray<string>, NotFound | Transient>
  }
>() {}

/** Decides on the sender of a message, in the transaction that begins its sending. */
export class SenderIdentity extends Context.Tag("SenderIdentity")<
  SenderIdentity,
  {
    readonly of: (
      accountId: AccountId,
      message: {
        readonly leadId: LeadId
        /** The domain of an earlier attempt. The message is not counted again. */
        readonly senderDomainId: SenderDomainId | null
      }
    ) => Effect.Effect<Sender, Transient>
    /** Returns the accounts that send from their own domain. */
    readonly ofOwnDomain: (accounts: ReadonlyArray<AccountId>) => Effect.Effect<ReadonlySet<AccountId>, Transient>
  }
>() {}
