import { Context, type Effect, Schema } from "effect"
import type { NotFound, Transient } from "../../../Errors.ts"
import type { Caller } from "../../Core/Caller.ts"
import type { Timestamp } from "../../Core/Timestamp.ts"
import type { LeadId } from "../../Leads/Ids.ts"
import type { WebsiteId } from "../Ids.ts"
import type { SiteField } from "../Site.ts"
import type { VisitSource } from "../Traffic/VisitSource.ts"
import type { FieldTexts } from "./SiteForms.ts"

export const SiteRecordId = Schema.Int.pipe(Schema.brand("SiteRecordId"))
export type SiteRecordId = typeof SiteRecordId.Type

/** Records of collections. What a capture page gets becomes leads, and is not counted. */
export const mostRecordsOfSite = 10_000
export const mostRecordsOfAccount = 50_000

/** In one answer. */
export const mostRecordsListed = 100

/** What became of what was sent. */
export const RecordOutcome = Schema.Literal("stored", "created", "known", "unsubscribed", "blacklisted", "erased")
export type RecordOutcome = typeof RecordOutcome.Type

export interface SiteRecord {
  readonly siteRecordId: SiteRecordId
  readonly outcome: RecordOutcome
  readonly leadId: LeadId | null
  readonly filled: FieldTexts
  readonly pageId: string
  readonly variant: string
  readonly source: VisitSource
  readonly hasMarketingConsent: boolean
  readonly createdAt: Timestamp
}

export interface RecordCollection {
  readonly collection: string
  readonly label: string
  readonly fields: ReadonlyArray<SiteField>
  readonly isPublic: boolean
  readonly count: number
}

/** What came of one opening of a page. */
export interface VariantSubmissions {
  readonly websiteId: WebsiteId
  readonly variant: string
  /** Whether the published site has it. */
  readonly isShown: boolean
  readonly submissions: number
}

/** What visitors sent to the account's sites. */
export class SiteRecords extends Context.Tag("SiteRecords")<
  SiteRecords,
  {
    /** Those that the published site has, and those that it had and of which there are records. */
    readonly collections: (
      id: WebsiteId
    ) => Effect.Effect<ReadonlyArray<RecordCollection>, NotFound | Transient, Caller>
    /** Newest first, those before `before`; at most `mostRecordsListed`. */
    readonly list: (
      id: WebsiteId,
      collection: string,
      before?: SiteRecordId
    ) => Effect.Effect<ReadonlyArray<SiteRecord>, NotFound | Transient, Caller>
    /** All of a collection as CSV (RFC 4180), oldest first; no cell of it is taken for a formula. */
    readonly csv: (id: WebsiteId, collection: string) => Effect.Effect<string, NotFound | Transient, Caller>
    readonly remove: (id: WebsiteId, recordId: SiteRecordId) => Effect.Effect<void, NotFound | Transient, Caller>
    /** Of the account's capture pages, by variant, those without any as well; from `since` on (`yyyy-mm-dd`, UTC). */
    readonly byVariant: (since: string) => Effect.Effect<ReadonlyArray<VariantSubmissions>, Transient, Caller>
  }
>() {}
