import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { notFound } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { recordCsvHeader, recordCsvLine } from "../../../Services/Websites/Forms/RecordCsv.ts"
import { blocksOf, collectionOf, fieldsOf, fieldTexts, variantsOf } from "../../../Services/Websites/Forms/SiteForms.ts"
import {
  mostRecordsListed,
  mostRecordsOfSite,
  type RecordOutcome,
  type SiteRecord,
  type SiteRecordId,
  SiteRecords,
  type VariantSubmissions
} from "../../../Services/Websites/Forms/SiteRecords.ts"
import type { WebsiteId } from "../../../Services/Websites/Ids.ts"
import type { Site } from "../../../Services/Websites/Site.ts"
import type { VisitSource } from "../../../Services/Websites/Traffic/VisitSource.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

interface RecordRow extends VisitSource {
  readonly id: SiteRecordId
  readonly outcome: RecordOutcome
  readonly lead_id: LeadId | null
  readonly filled: Readonly<Record<string, string>>
  readonly page_id: string
  readonly variant: string
  readonly has_marketing_consent: boolean
  readonly created_at: Timestamp
}

const recordOf = (row: RecordRow): SiteRecord => ({
  siteRecordId: row.id,
  outcome: row.outcome,
  leadId: row.lead_id,
  filled: fieldTexts(Object.entries(row.filled)),
  pageId: row.page_id,
  variant: row.variant,
  source: {
    utm_source: row.utm_source,
    utm_medium: row.utm_medium,
    utm_campaign: row.utm_campaign,
    utm_term: row.utm_term,
    utm_content: row.utm_content,
    referrer: row.referrer
  },
  hasMarketingConsent: row.has_marketing_consent,
  createdAt: row.created_at
})

/** Returns the names of the collections of the site's forms and lists. */
const collectionsIn = (site: Site): ReadonlyMap<string, string> => {
  const labels = new Map(site.collections.map(({ id, label }) => [id, label]))
  for (const page of site.pages) {
    for (const variant of variantsOf(page)) {
      for (const block of blocksOf(page, variant)) {
        if (block._tag === "Form" && !labels.has(collectionOf(block))) labels.set(collectionOf(block), block.title)
      }
    }
  }
  return labels
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork

  const columns = sql.literal(`site_record_id as id, outcome, lead_id, filled, page_id, variant, utm_source, utm_medium,
    utm_campaign, utm_term, utm_content, referrer, marketing_text is not null as has_marketing_consent, created_at`)

  /** Reads the published version of the site; null before its first version is finished. */
  const siteOf = Effect.fnUntraced(function* (accountId: AccountId, id: WebsiteId) {
    const rows = yield* sql<{ readonly site: Site | null }>`
      select c.site from website w
      left join website_code c on c.account_id = w.account_id and c.website_code_id = w.published_code_id
      where w.account_id = ${accountId} and w.website_id = ${id} and w.archived_at is null`.pipe(fromSql())
    const row = rows[0] ?? (yield* notFound("website", "website_id", id))
    return row.site
  })

  const rowsBefore = (
    accountId: AccountId,
    id: WebsiteId,
    collection: string,
    before: number | undefined,
    most: number
  ) =>
    sql<RecordRow>`
      select ${columns} from site_record
      where account_id = ${accountId} and website_id = ${id} and collection = ${collection}
        and site_record_id < ${before ?? Number.MAX_SAFE_INTEGER}
      order by site_record_id desc limit ${most}`.pipe(fromSql())

  return SiteRecords.of({
    collections: Effect.fn("SiteRecords.collections")(function* (id) {
      const { accountId } = yield* Caller
      const site = yield* siteOf(accountId, id)
      const counts = yield* sql<{ readonly collection: string; readonly count: number }>`
        select collection, count(*)::float8 as count from site_record
        where account_id = ${accountId} and website_id = ${id} group by 1 order by 1`.pipe(fromSql())
      const labels = new Map(site === null ? [] : collectionsIn(site))
      for (const { collection } of counts) if (!labels.has(collection)) labels.set(collection, collection)
      return [...labels].map(([collection, label]) => ({
        collection,
        label: label === "" ? collection : label,
        fields: site === null ? [] : fieldsOf(site, collection),
        isPublic: site?.collections.some((each) => each.id === collection && each.is_public) ?? false,
        count: counts.find((each) => each.collection === collection)?.count ?? 0
      }))
    }),

    list: Effect.fn("SiteRecords.list")(function* (id, collection, before) {
      const { accountId } = yield* Caller
      yield* siteOf(accountId, id)
      return (yield* rowsBefore(accountId, id, collection, before, mostRecordsListed)).map(recordOf)
    }),

    csv: Effect.fn("SiteRecords.csv")(function* (id, collection) {
      const { accountId } = yield* Caller
      const site = yield* siteOf(accountId, id)
      const records = (yield* rowsBefore(accountId, id, collection, undefined, mostRecordsOfSite))
        .map(recordOf)
        .reverse()
      const fields = site === null ? [] : fieldsOf(site, collection)
      // Records may have fields of an earlier form, from before the site was changed. These columns are listed too.
      const known = new Set(fields.map(({ name }) => name))
      const former = [...new Set(records.flatMap(({ filled }) => Object.keys(filled)))].filter(
        (name) => !known.has(name)
      )
      const all = [
        ...fields,
        ...former.map((name) => ({ name, label: name, kind: "text" as const, is_required: false, choices: [] }))
      ]
      return recordCsvHeader(all) + records.map((record) => recordCsvLine(all, record)).join("")
    }),

    remove: Effect.fn("SiteRecords.remove")(function* (id, recordId) {
      const { accountId } = yield* Caller
      const removed = yield* unit.write(
        sql`
          with removed as (
            delete from site_record
            where account_id = ${accountId} and website_id = ${id} and site_record_id = ${recordId} returning outcome
          ), counted as (
            update site_record_count c set records = greatest(c.records - 1, 0) from removed
            where c.account_id = ${accountId} and c.website_id = ${id} and removed.outcome = 'stored'
          )
          select from removed`.pipe(fromSql())
      )
      if (removed.length === 0) yield* notFound("website record", "site_record_id", recordId)
    }),

    byVariant: Effect.fn("SiteRecords.byVariant")(function* (since) {
      const { accountId } = yield* Caller
      return yield* sql<VariantSubmissions>`
        with page as (
          select w.website_id, c.site from website w
          left join website_code c on c.account_id = w.account_id and c.website_code_id = w.published_code_id
          where w.account_id = ${accountId} and w.application_type = 'LeadCapturePage' and w.archived_at is null
        ), shown as (
          select website_id, 'a' as variant from page
          union
          select website_id, v.id from page, jsonb_path_query(site, '$.pages[*].variants[*].id') variant,
            lateral (select variant #>> '{}' as id) v
        ), sent as (
          select r.website_id, r.variant, count(*) as submissions
          from site_record r join page p on p.website_id = r.website_id
          where r.account_id = ${accountId} and r.created_at >= ${since}::date group by 1, 2
        )
        select coalesce(h.website_id, s.website_id) as "websiteId", coalesce(h.variant, s.variant) as variant,
          h.website_id is not null as "isShown", coalesce(s.submissions, 0)::float8 as submissions
        from shown h full join sent s on s.website_id = h.website_id and s.variant = h.variant
        order by 1, 2`.pipe(fromSql())
    })
  })
})

export const SiteRecordsPostgres = Layer.effect(SiteRecords, make)
