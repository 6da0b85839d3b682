import { Data, type Effect, type Either, type Option, type Redacted } from "effect"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import type { CredentialName } from "../../../Services/Crm/Crm.ts"
import type { FieldDefinition, Fields, Stage } from "../../../Services/Crm/CrmRules.ts"
import type { CrmKind, CrmName } from "../../../Services/Crm/Ids.ts"
import type { Judgement } from "../../Platform/Outbound/ProviderClient.ts"
import type { ProviderAnswer, ProviderFailureKind } from "../../Platform/Outbound/ProviderFailure.ts"
import type { ProviderLimit } from "../../Platform/Outbound/ProviderQuota.ts"
import type { ProviderRequest } from "../../Platform/Outbound/ProviderRequest.ts"

/** The text of a failure that accounts see. */
const reasons: Readonly<Record<ProviderFailureKind, string>> = {
  unauthorized: "unauthorized",
  forbidden: "forbidden",
  not_found: "not_found",
  conflict: "conflict",
  rejected: "refused_by_crm",
  rate_limited: "rate_limited",
  unavailable: "unavailable",
  maybe_sent: "unknown"
}

/** A failed call of a CRM. It has a code but never the CRM's text, which may contain anything. */
export class CrmFailure extends Data.TaggedError("CrmFailure")<{
  readonly kind: ProviderFailureKind
  readonly retryAfterSeconds?: number | undefined
  /** The existing record that prevents creating a new one, if the CRM names it. */
  readonly existingId?: string | undefined
  /** No request was sent, because the CRM's limit is reached. */
  readonly isUntried?: boolean
  /** No request was sent, because the gateway may not reach the CRM's address. */
  readonly isAddressRefused?: boolean
}> {
  get reason(): string {
    return this.isAddressRefused === true ? "address_not_allowed" : reasons[this.kind]
  }
}

export type CrmAnswer = Pick<ProviderAnswer, "status" | "headers" | "json">

/** Sends a request of an adapter within the account's limits. */
export type SendToCrm = (request: ProviderRequest) => Effect.Effect<CrmAnswer, CrmFailure>

/** The values by which records are searched. Unknown values are left out. */
export interface SearchKeys {
  readonly email?: string | undefined
  /** The phone in E.164. */
  readonly phone?: string | undefined
  readonly name: string
  readonly domain?: string | undefined
  /** The gateway's key in the record, if an earlier attempt may have created it. */
  readonly key?: string | undefined
  /** The id of the person's company, if it was at the CRM before. */
  readonly companyId?: string | undefined
}

export interface CrmRecord {
  readonly id: string
  readonly fields: Fields
  /** The deal's state. Only deals have one. */
  readonly state?: "open" | "won" | "lost"
  /** The currency of a deal's value. Empty if the deal has none yet. CRMs without currencies leave it out. */
  readonly currency?: string | undefined
}

export interface Pipeline {
  readonly id: string
  readonly name: string
  /** The open stages in their order, without those that close a deal. */
  readonly stages: ReadonlyArray<Stage>
}

/** A record to be created. */
export interface NewCrmRecord {
  readonly fields: Fields
  /** The gateway's key: 20 letters and digits that identify the record, for CRMs with a field for it. */
  readonly key: string
  readonly companyId: string | undefined
  readonly personId: string | undefined
  readonly pipelineId: string | undefined
  readonly ownerId: string | undefined
}

export interface ClosedDeal {
  readonly id: string
  readonly outcome: "won" | "lost"
  readonly reason: string | undefined
  /** The value in BRL. Undefined if it is in another currency. */
  readonly value: number | undefined
}

/** A contact of the CRM that may become a lead. */
export interface CrmContact {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly jobTitle: string
  readonly company: { readonly id: string; readonly name: string } | undefined
  readonly deal: { readonly id: string; readonly stage: string } | undefined
}

/** The contacts to read: those linked to deals in a pipeline, or in one stage of it. Without a scope, all contacts. */
export interface ContactScope {
  readonly pipelineId: string
  readonly stageId: string | undefined
}

export interface Closing {
  readonly outcome: "won" | "lost"
  readonly reason: string | undefined
  /** In BRL, as an integer or with a decimal point. Undefined if the deal has another currency. */
  readonly value: string | undefined
  readonly pipelineId: string | undefined
}

/** One of the CRM's rate limits. */
export interface CrmLimit extends ProviderLimit {
  /** How much of the limit a new lead takes, if a lead must not be started when the limit cannot cover all of it. */
  readonly costOfLead?: number
}

/**
 * The operations on one account at a CRM. Fields have neutral names: a person has `name`, `email`, `phone`,
 * `job_title`, a company `name`, `domain`, a deal `title`, `stage`, `value`. The CRM's own fields are `=` and their
 * key.
 */
export interface CrmClient {
  /** Checks the credentials by a read, and returns which account they are for. */
  readonly check: Effect.Effect<{ readonly identity: string }, CrmFailure>
  /** Returns the ids of records that have exactly one of the keys, matches of the strongest key first. */
  readonly find: (kind: "company" | "person", keys: SearchKeys) => Effect.Effect<ReadonlyArray<string>, CrmFailure>
  /** Returns the ids of deals with exactly this title. */
  readonly findDeals: (
    title: string,
    of: { readonly personId: string | undefined; readonly companyId: string | undefined; readonly key: string }
  ) => Effect.Effect<ReadonlyArray<string>, CrmFailure>
  /** Reads a record. None if it was deleted, or merged into another. */
  readonly read: (
    kind: CrmKind,
    id: string,
    /** Keys of the CRM's own fields to be returned too. */
    ownKeys: ReadonlyArray<string>
  ) => Effect.Effect<Option.Option<CrmRecord>, CrmFailure>
  readonly create: (kind: CrmKind, record: NewCrmRecord) => Effect.Effect<string, CrmFailure>
  readonly update: (kind: CrmKind, id: string, fields: Fields) => Effect.Effect<void, CrmFailure>
  /** Adds a note, or a task or activity for a meeting if the CRM has them. Returns its id. */
  readonly addNote: (note: NoteToAdd) => Effect.Effect<string, CrmFailure>
  /** The pipelines. The one in which deals are created comes first. */
  readonly pipelines: Effect.Effect<ReadonlyArray<Pipeline>, CrmFailure>
  readonly ownerByEmail: (email: string) => Effect.Effect<Option.Option<string>, CrmFailure>
  readonly customFields: Effect.Effect<ReadonlyArray<FieldDefinition>, CrmFailure>
  readonly close: (dealId: string, closing: Closing) => Effect.Effect<void, CrmFailure>
  /** Reads deals that were won or lost and changed since then. */
  readonly closedSince: (since: Timestamp) => Effect.Effect<ReadonlyArray<ClosedDeal>, CrmFailure>
  readonly batches?: CrmBatches
  /**
   * Reads the contacts page by page. The cursor says where the next page begins. Only CRMs that can be a source of
   * leads have it.
   */
  readonly contacts?: (
    scope: ContactScope | undefined,
    cursor: string | undefined
  ) => Effect.Effect<ContactPage, CrmFailure>
}

export interface ContactPage {
  readonly contacts: ReadonlyArray<CrmContact>
  readonly next: string | undefined
  /** A code in snake_case that says why some contacts may be missing. */
  readonly warning?: string | undefined
}

/** The result for each record of a batch call, in the order of the request. */
export type CrmResults<A> = Effect.Effect<ReadonlyArray<Either.Either<A, CrmFailure>>, CrmFailure>

/**
 * An operation on several records of one kind in one call. If an operation has no batch, records are sent one by one.
 */
export interface CrmBatch<I, A> {
  /** The most records in a call. */
  readonly most: number
  /** Runs the call. If it fails as a whole and nothing was done, halves are tried, so that only a bad record fails. */
  readonly run: (kind: CrmKind, records: ReadonlyArray<I>) => CrmResults<A>
}

export interface RecordToRead {
  readonly id: string
  readonly ownKeys: ReadonlyArray<string>
}

export interface RecordToUpdate {
  readonly id: string
  readonly fields: Fields
}

/** A meeting that a note is about. */
export interface NotedMeeting {
  readonly title: string
  readonly startsAt: Timestamp
  readonly endsAt: Timestamp
}

export interface NoteToAdd {
  /** The gateway's key. It is the same for the same note, for CRMs that let the caller choose a record's id. */
  readonly key: string
  readonly text: string
  readonly meeting?: NotedMeeting | undefined
  readonly of: {
    readonly dealId: string
    readonly personId: string | undefined
    readonly companyId: string | undefined
  }
}

/** Batch operations of a CRM. */
export interface CrmBatches {
  /** The number of leads that are collected for a batch. */
  readonly leads: number
  readonly find?: CrmBatch<SearchKeys, ReadonlyArray<string>>
  readonly read?: CrmBatch<RecordToRead, Option.Option<CrmRecord>>
  readonly create?: CrmBatch<NewCrmRecord, string>
  readonly update?: CrmBatch<RecordToUpdate, void>
  readonly addNotes?: CrmBatch<NoteToAdd, string>
}

export type Credentials = ReadonlyMap<CredentialName, Redacted.Redacted>

/** The implementation for one kind of CRM. */
export interface CrmAdapter {
  readonly name: CrmName
  /** Credentials that are all required. */
  readonly needs: ReadonlyArray<CredentialName>
  /** Credentials of which at least one is required. */
  readonly needsOneOf?: ReadonlyArray<CredentialName>
  readonly takes?: ReadonlyArray<CredentialName>
  /** The parameter of `connect_crm` that names the pipeline for new deals, if there is one. */
  readonly pipelineParameter?: "pipeline_id" | "funnel_id"
  /** Returns the base URL without a trailing slash. */
  readonly baseUrl: (credentials: Credentials) => string
  readonly headers: (credentials: Credentials) => { readonly [name: string]: string }
  /** Credentials that the CRM expects in the query string. */
  readonly query?: (credentials: Credentials) => { readonly [name: string]: string }
  readonly limits: ReadonlyArray<CrmLimit>
  /**
   * Seconds for which the CRM's search may not find a new record (companies, and people without an address). In this
   * time no second one is created.
   */
  readonly indexLagSeconds?: number
  /** The CRM's limit of concurrent calls, if it is below the gateway's. */
  readonly lanes?: number
  /** Interprets a response whose status is ambiguous. */
  readonly judge?: (answer: CrmAnswer) => Judgement | undefined
  /** The id of the existing record that prevents a new one, as stated in a response. */
  readonly existingId?: (answer: CrmAnswer) => string | undefined
  readonly connect: (send: SendToCrm, credentials: Credentials) => CrmClient
  readonly conversions?: CrmConversions
  readonly webhooks?: CrmWebhooks
}

/**
 * A write-only interface of the CRM. It accepts events of a person with an e-mail address. Nothing can be read or
 * checked.
 */
export interface CrmConversions {
  readonly isWanted: (credentials: Credentials) => boolean
  /** True if these credentials can only be used for conversions. */
  readonly isOnly: (credentials: Credentials) => boolean
  /** Returns which account the credentials are for, as far as they contain it. */
  readonly identity: (credentials: Credentials) => string
  readonly baseUrl: string
  readonly query: (credentials: Credentials) => { readonly [name: string]: string }
  readonly convert: (send: SendToCrm) => (lead: ConvertedLead) => Effect.Effect<void, CrmFailure>
}

/** A webhook delivery, as it was received. */
export interface CrmDelivery {
  readonly headers: { readonly [name: string]: string | undefined }
  readonly body: Uint8Array
  readonly secret: string
  /** The current time in Unix milliseconds. */
  readonly now: number
}

/** The webhooks of a CRM. A delivery is not trusted: it only makes the gateway poll. */
export interface CrmWebhooks {
  /** Registers the address at the CRM. Returns the ids for removing the webhooks. */
  readonly register: (
    send: SendToCrm,
    hook: { readonly address: string; readonly secret: string }
  ) => Effect.Effect<ReadonlyArray<string>, CrmFailure>
  readonly remove: (send: SendToCrm, id: string) => Effect.Effect<void, CrmFailure>
  /** True if the CRM sent the delivery. This is checked in addition to the secret address. */
  readonly isGenuine: (delivery: CrmDelivery) => boolean
  /** Returns the id of the deal that it is about, unless it says that the deal is open. */
  readonly dealOf: (body: unknown) => string | undefined
}

export interface ConvertedLead {
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly company: string | null
  readonly jobTitle: string | null
  readonly status: string
  readonly campaign: string | null
}

/** Returns the credentials that a CRM accepts. */
export const acceptedCredentials = ({
  needs,
  needsOneOf = [],
  takes = []
}: CrmAdapter): ReadonlyArray<CredentialName> => [...needs, ...needsOneOf, ...takes]
