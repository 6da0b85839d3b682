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

/** Why a call of a CRM failed: a code, and never a text of the CRM's, which may hold anything. */
export class CrmFailure extends Data.TaggedError("CrmFailure")<{
  readonly kind: ProviderFailureKind
  readonly retryAfterSeconds?: number | undefined
  /** The record that is in the way of a new one, where the CRM names it. */
  readonly existingId?: string | undefined
  /** No request was sent, because the CRM accepts no more. */
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

/** By what records are found; unknown values are left out. */
export interface SearchKeys {
  readonly email?: string | undefined
  /** E.164. */
  readonly phone?: string | undefined
  readonly name: string
  readonly domain?: string | undefined
  /** What the record carries of ours, where the gateway may have made it already. */
  readonly key?: string | undefined
  /** The company of a person, where it was at the CRM before. */
  readonly companyId?: string | undefined
}

export interface CrmRecord {
  readonly id: string
  readonly fields: Fields
  /** Deals only. */
  readonly state?: "open" | "won" | "lost"
  /** What a deal's value is in; empty where the deal has none yet. Left out by CRMs that have no currencies. */
  readonly currency?: string | undefined
}

export interface Pipeline {
  readonly id: string
  readonly name: string
  /** In their order, without those that a deal is closed by. */
  readonly stages: ReadonlyArray<Stage>
}

/** A record to be made. */
export interface NewCrmRecord {
  readonly fields: Fields
  /** Ours: 20 letters and digits that name the record, for CRMs that have a field for it. */
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
  /** In BRL; undefined where it is in another currency. */
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

/** Which contacts: those linked to deals in a pipeline, or in one stage of it; without one, all. */
export interface ContactScope {
  readonly pipelineId: string
  readonly stageId: string | undefined
}

export interface Closing {
  readonly outcome: "won" | "lost"
  readonly reason: string | undefined
  /** Whole or with a dot, as BRL. Undefined where the deal's value is in another currency. */
  readonly value: string | undefined
  readonly pipelineId: string | undefined
}

/** One of the CRM's rate limits. */
export interface CrmLimit extends ProviderLimit {
  /** What a lead that is new there costs of it, where it ends in the middle of a few: none is begun that it ends in. */
  readonly costOfLead?: number
}

/**
 * One account at a CRM. Fields have neutral names: of a person `name`, `email`, `phone`, `job_title`; of a company
 * `name`, `domain`; of a deal `title`, `stage`, `value`. The CRM's own fields are `=` and their key.
 */
export interface CrmClient {
  /** Reads only; answers which account it is. */
  readonly check: Effect.Effect<{ readonly identity: string }, CrmFailure>
  /** Ids of the records that have exactly one of the keys, the strongest key first; none where the CRM has none. */
  readonly find: (kind: "company" | "person", keys: SearchKeys) => Effect.Effect<ReadonlyArray<string>, CrmFailure>
  /** Deals of exactly this title. */
  readonly findDeals: (
    title: string,
    of: { readonly personId: string | undefined; readonly companyId: string | undefined; readonly key: string }
  ) => Effect.Effect<ReadonlyArray<string>, CrmFailure>
  /** None where it was deleted, or merged into another. */
  readonly read: (
    kind: CrmKind,
    id: string,
    /** Keys of the CRM's own fields that are to be answered too. */
    ownKeys: ReadonlyArray<string>
  ) => Effect.Effect<Option.Option<CrmRecord>, CrmFailure>
  readonly create: (kind: CrmKind, record: NewCrmRecord) => Effect.Effect<string, CrmFailure>
  readonly update: (kind: CrmKind, id: string, fields: Fields) => Effect.Effect<void, CrmFailure>
  /** A note, or a meeting's task or activity where the CRM has them. Answers its id. */
  readonly addNote: (note: NoteToAdd) => Effect.Effect<string, CrmFailure>
  /** The one that deals are made in comes first. */
  readonly pipelines: Effect.Effect<ReadonlyArray<Pipeline>, CrmFailure>
  readonly ownerByEmail: (email: string) => Effect.Effect<Option.Option<string>, CrmFailure>
  readonly customFields: Effect.Effect<ReadonlyArray<FieldDefinition>, CrmFailure>
  readonly close: (dealId: string, closing: Closing) => Effect.Effect<void, CrmFailure>
  /** Deals that were won or lost and changed since then. */
  readonly closedSince: (since: Timestamp) => Effect.Effect<ReadonlyArray<ClosedDeal>, CrmFailure>
  readonly batches?: CrmBatches
  /** The contacts, page by page; the cursor says where the next one begins. Where the CRM is a source of leads. */
  readonly contacts?: (
    scope: ContactScope | undefined,
    cursor: string | undefined
  ) => Effect.Effect<ContactPage, CrmFailure>
}

export interface ContactPage {
  readonly contacts: ReadonlyArray<CrmContact>
  readonly next: string | undefined
  /** Why some contacts may be missed, a code in snake_case. */
  readonly warning?: string | undefined
}

/** The result for each record of a batch call, in the order of the request. */
export type CrmResults<A> = Effect.Effect<ReadonlyArray<Either.Either<A, CrmFailure>>, CrmFailure>

/** Several records of one kind in one call; those of an operation that is not there go one by one. */
export interface CrmBatch<I, A> {
  /** How many records a call takes. */
  readonly most: number
  /** Where it fails as a whole and nothing was done, halves are tried, so that one bad record fails alone. */
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
  /** Ours: the same for the same note, for CRMs that take a record's id from their callers. */
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
  /** How many leads are gathered for it. */
  readonly leads: number
  readonly find?: CrmBatch<SearchKeys, ReadonlyArray<string>>
  readonly read?: CrmBatch<RecordToRead, Option.Option<CrmRecord>>
  readonly create?: CrmBatch<NewCrmRecord, string>
  readonly update?: CrmBatch<RecordToUpdate, void>
  readonly addNotes?: CrmBatch<NoteToAdd, string>
}

export type Credentials = ReadonlyMap<CredentialName, Redacted.Redacted>

/** All that the gateway knows of one kind of CRM. */
export interface CrmAdapter {
  readonly name: CrmName
  /** All of these are needed. */
  readonly needs: ReadonlyArray<CredentialName>
  /** At least one of these is. */
  readonly needsOneOf?: ReadonlyArray<CredentialName>
  readonly takes?: ReadonlyArray<CredentialName>
  /** Which parameter of `connect_crm` names the pipeline that deals are made in, where one does. */
  readonly pipelineParameter?: "pipeline_id" | "funnel_id"
  /** Without a slash at its end. */
  readonly baseUrl: (credentials: Credentials) => string
  readonly headers: (credentials: Credentials) => { readonly [name: string]: string }
  /** Credentials that the CRM wants in the address. */
  readonly query?: (credentials: Credentials) => { readonly [name: string]: string }
  readonly limits: ReadonlyArray<CrmLimit>
  /**
   * For how long its search may not show what was made: companies, and people without an address. As long as one may be
   * there, no other one is made.
   */
  readonly indexLagSeconds?: number
  /** How many calls it takes at a time, where that is fewer than the gateway would make. */
  readonly lanes?: number
  /** What an answer means where its status does not say so. */
  readonly judge?: (answer: CrmAnswer) => Judgement | undefined
  /** The record that is in the way of a new one, as an answer names it. */
  readonly existingId?: (answer: CrmAnswer) => string | undefined
  readonly connect: (send: SendToCrm, credentials: Credentials) => CrmClient
  readonly conversions?: CrmConversions
  readonly webhooks?: CrmWebhooks
}

/**
 * An interface of the CRM's that leads can only be written to, as events of a person with an e-mail address: nothing of
 * it can be read, and so nothing checked.
 */
export interface CrmConversions {
  readonly isWanted: (credentials: Credentials) => boolean
  /** Whether these credentials are for nothing else. */
  readonly isOnly: (credentials: Credentials) => boolean
  /** The account, as far as the credentials name it. */
  readonly identity: (credentials: Credentials) => string
  readonly baseUrl: string
  readonly query: (credentials: Credentials) => { readonly [name: string]: string }
  readonly convert: (send: SendToCrm) => (lead: ConvertedLead) => Effect.Effect<void, CrmFailure>
}

/** What came to the gateway's address, as it came. */
export interface CrmDelivery {
  readonly headers: { readonly [name: string]: string | undefined }
  readonly body: Uint8Array
  readonly secret: string
  /** Unix milliseconds. */
  readonly now: number
}

/** How a CRM reports changes. A delivery is not trusted: it only makes the gateway look. */
export interface CrmWebhooks {
  /** Makes the CRM send to the address. Returns the ids by which that is removed. */
  readonly register: (
    send: SendToCrm,
    hook: { readonly address: string; readonly secret: string }
  ) => Effect.Effect<ReadonlyArray<string>, CrmFailure>
  readonly remove: (send: SendToCrm, id: string) => Effect.Effect<void, CrmFailure>
  /** Whether it comes from the CRM, in addition to using the secret address. */
  readonly isGenuine: (delivery: CrmDelivery) => boolean
  /** The deal that it reports on, unless it says that the deal is open. */
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

/** The credentials that a CRM takes. */
export const takenBy = ({ needs, needsOneOf = [], takes = [] }: CrmAdapter): ReadonlyArray<CredentialName> => [
  ...needs,
  ...needsOneOf,
  ...takes
]
