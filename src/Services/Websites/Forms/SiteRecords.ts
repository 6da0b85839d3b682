import { Context, type Effect, Schema } from "effect"
import type { NotFound, Transient } from "../../../Errors.ts"
import type { Caller } from "../../Core/Calls/Caller.ts"
import type { Timestamp } from "../../Core/Timestamp.ts"
import type { LeadId } from "../../Leads/Ids.ts"
import type { WebsiteId } from "../Ids.ts"
import type { SiteField } from "../Site.ts"
import type { VisitSource } from "../Traffic/VisitSource.ts"
import type { FieldTexts } from "./SiteForms.ts"

export const SiteRecordId = Schema.Int.pipe(Schema.brand("SiteRecordId"))
export type SiteRecordId = typeof SiteRecordId.Type

/** Limits for stored records. Submissions of capture pages become leads and do not count. */
export const mostRecordsOfSite = 10_000
export const mostRecordsOfAccount = 50_000

/** The largest number of records in one answer. */
export const mostRecordsListed = 100

/** The result of a submission. */
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

/** The number of submissions of one page variant. */
export interface VariantSubmissions {
  readonly websiteId: WebsiteId
  readonly variant: string
  /** True if the published site has this variant. */
  readonly isShown: boolean
  readonly submissions: number
}

/** The submissions to the account's sites. */
export class SiteRecords extends Context.Tag("SiteRecords")<
  SiteRecords,
  {
    /** The collections of the published site, and former ones that still have records. */
    readonly collections: (
      id: WebsiteId
    ) => Effect.Effect<ReadonlyArray<RecordCollection>, NotFound | Transient, Caller>
    /** Records before `before`, newest first, at most `mostRecordsListed`. */
    readonly list: (
      id: WebsiteId,
      collection: string,
      before?: SiteRecordId
    ) => Effect.Effect<ReadonlyArray<SiteRecord>, NotFound | Transient, Caller>
    /**
     * A whole collection as CSV (RFC 4180), oldest record first. Texts that spreadsheets would read as formulas are
     * made harmless.
     */
    readonly csv: (id: WebsiteId, collection: string) => Effect.Effect<string, NotFound | Transient, Caller>
    readonly remove: (id: WebsiteId, recordId: SiteRecordId) => Effect.Effect<void, NotFound | Transient, Caller>
    /**
     * Submissions of the account's capture pages per variant, including pages without variants, since a day
     * (`yyyy-mm-dd`, UTC).
     */
    readonly byVariant: (since: string) => Effect.Effect<ReadonlyArray<VariantSubmissions>, Transient, Caller>
  }
>() {}
