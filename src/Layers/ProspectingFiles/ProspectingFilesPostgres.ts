import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Either, Layer } from "effect"
import { notFound, refused } from "../../Errors.ts"
import { CampaignLookup } from "../../Services/Campaigns/Campaigns.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { CustomerFiles } from "../../Services/Files/CustomerFiles.ts"
import { BusinessFiles } from "../../Services/Knowledge/BusinessFiles.ts"
import type { ProspectingFileId } from "../../Services/ProspectingFiles/Ids.ts"
import { chosenFiles, type OfferableFile, OfferableFiles } from "../../Services/ProspectingFiles/OfferableFiles.ts"
import { ProspectingFiles, ProspectingFileView } from "../../Services/ProspectingFiles/ProspectingFiles.ts"
import { normaliseWebsite } from "../../Services/Text/Web/WebAddress.ts"
import { selectedColumns } from "../Platform/Postgres/ColumnChanges.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

const oneSource = refused(
  "file_source_required",
  "The call names no file, or two.",
  "Send exactly one of customer_file_id and url."
)
const tooMany = refused(
  "too_many_prospecting_files",
  "The account has the maximum number of prospecting files.",
  "Remove one that is not offered any more."
)
const nothingToChange = refused(
  "nothing_to_change",
  "The call changes nothing.",
  "Send title, description, campaign or sort_order."
)
/** The most that an account may have, because the agent chooses among all of them for every message. */
const maximumFiles = 200
const longestDescription = 500

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const files = yield* CustomerFiles
  const campaigns = yield* CampaignLookup
  const knowledge = yield* BusinessFiles

  const columns = sql.literal(
    selectedColumns(ProspectingFileView, "f", {
      campaign_name: `(select c.name from campaign c
        where c.account_id = f.account_id and c.campaign_id = f.campaign_id)`
    })
  )

  const view = Effect.fnUntraced(function* (id: ProspectingFileId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<ProspectingFileView>`
      select ${columns} from prospecting_file f
      where f.account_id = ${accountId} and f.prospecting_file_id = ${id}`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("prospecting file", "prospecting_file_id", id))
  })

  const scopeOf = (campaign: string | undefined) => {
    const name = campaign?.trim() ?? ""
    return name === "" || name.toLowerCase() === "all"
      ? Effect.succeed<CampaignId | null>(null)
      : campaigns.resolve(name)
  }

  return ProspectingFiles.of({
    list: Effect.gen(function* () {
      const { accountId } = yield* Caller
      return yield* sql<ProspectingFileView>`
        select ${columns} from prospecting_file f where f.account_id = ${accountId}
        order by f.sort_order, fold(f.title), f.prospecting_file_id`.pipe(fromSql())
    }).pipe(Effect.withSpan("ProspectingFiles.list")),

    register: Effect.fn("ProspectingFiles.register")(function* (newFile) {
      const { accountId } = yield* Caller
      const url = newFile.url?.trim() ?? ""
      if ((url === "") === (newFile.customerFileId === undefined)) return yield* oneSource
      const campaignId = yield* scopeOf(newFile.campaign)
      const file = newFile.customerFileId === undefined ? undefined : yield* files.hold(newFile.customerFileId)
      const address =
        file === undefined
          ? yield* Either.mapLeft(normaliseWebsite(url), ({ message, reason }) =>
              refused(reason, message, "Correct url, or send customer_file_id.", { parameter: "url" })
            )
          : file.download_url
      const fileCount = yield* sql<{ readonly total: number }>`
        select count(*) as total from prospecting_file where account_id = ${accountId}`.pipe(fromSql())
      if (single(fileCount).total >= maximumFiles) return yield* tooMany
      const ownersDescription = newFile.description?.trim() ?? ""
      const content =
        ownersDescription === "" && file !== undefined ? yield* knowledge.beginning(file.customer_file_id) : undefined
      const description =
        ownersDescription === "" ? (content ?? newFile.title.trim()).slice(0, longestDescription) : ownersDescription
      const rows = yield* sql<{ readonly id: ProspectingFileId }>`
        insert into prospecting_file (account_id, campaign_id, title, description, is_description_generated,
          customer_file_id, url, sort_order)
        values (${accountId}, ${campaignId}, ${newFile.title.trim()}, ${description}, ${ownersDescription === ""},
          ${file?.customer_file_id ?? null}, ${address}, ${newFile.sortOrder})
        returning prospecting_file_id as id`.pipe(fromSql())
      return yield* view(single(rows).id)
    }),

    remove: Effect.fn("ProspectingFiles.remove")(function* (id) {
      const { accountId } = yield* Caller
      const removed = yield* view(id)
      yield* sql`
        delete from prospecting_file where account_id = ${accountId} and prospecting_file_id = ${id}`.pipe(fromSql())
      return removed
    }),

    update: Effect.fn("ProspectingFiles.update")(function* (id, { campaign, description, sortOrder, title }) {
      const { accountId } = yield* Caller
      if (campaign === undefined && description === undefined && sortOrder === undefined && title === undefined) {
        return yield* nothingToChange
      }
      yield* view(id)
      const campaignId = yield* scopeOf(campaign)
      const text = description?.trim()
      yield* sql`
        update prospecting_file set title = coalesce(${title?.trim() ?? null}, title),
          description = coalesce(nullif(${text ?? null}, ''), description),
          is_description_generated = is_description_generated and coalesce(${text ?? null}, '') = '',
          sort_order = coalesce(${sortOrder ?? null}::int, sort_order),
          campaign_id = case when ${campaign !== undefined} then ${campaignId}::bigint else campaign_id end
        where account_id = ${accountId} and prospecting_file_id = ${id}`.pipe(fromSql())
      return yield* view(id)
    })
  })
})

export const ProspectingFilesPostgres = Layer.effect(ProspectingFiles, make)

/** A file counts as sent after a message to the lead contained its address. */
export const OfferableFilesPostgres = Layer.effect(
  OfferableFiles,
  Effect.map(SqlClient, (sql) => ({
    all: ({ accountId, campaignId }) =>
      sql<OfferableFile>`
        select f.title, f.description, f.url from prospecting_file f
        where f.account_id = ${accountId} and (f.campaign_id is null or f.campaign_id = ${campaignId})
        order by f.sort_order, f.prospecting_file_id limit ${maximumFiles}`.pipe(fromSql()),
    to: Effect.fnUntraced(function* ({ accountId, campaignId, leadId }, question) {
      if (question.trim() === "") return []
      const rows = yield* sql<OfferableFile>`
        select f.title, f.description, f.url from prospecting_file f
        where f.account_id = ${accountId} and (f.campaign_id is null or f.campaign_id = ${campaignId})
          and not exists (select from email_message m where m.account_id = ${accountId} and m.lead_id = ${leadId}
            and m.direction = 'outbound' and m.status not in ('failed', 'cancelled') and position(f.url in m.body_text) > 0)
          and not exists (select from chatapp_message m where m.account_id = ${accountId} and m.lead_id = ${leadId}
            and m.direction = 'outbound' and m.status not in ('failed', 'cancelled')
            and (position(f.url in m.body) > 0 or m.media_url = f.url))
        order by f.sort_order, f.prospecting_file_id limit ${maximumFiles}`.pipe(fromSql())
      return chosenFiles(rows, question.slice(0, 2000))
    })
  }))
)
