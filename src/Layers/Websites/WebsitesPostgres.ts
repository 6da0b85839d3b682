import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { Jobs } from "../../Services/Jobs/Jobs.ts"
import { tidyText } from "../../Services/Text/PlainText.ts"
import { shownReport } from "../../Services/Text/WishReport.ts"
import type { WebsiteId } from "../../Services/Websites/Ids.ts"
import { isHeldBack } from "../../Services/Websites/Site.ts"
import { withTitle } from "../../Services/Websites/SiteTitle.ts"
import { checkedName, nameOf } from "../../Services/Websites/WebsiteNames.ts"
import {
  firstName,
  firstTitle,
  mostWebsites,
  notFinished,
  nothingPublished,
  nothingToCancel,
  ownerIsAsked,
  tooManyWebsites,
  websiteLanguage
} from "../../Services/Websites/WebsiteRules.ts"
import { type WebsiteSettings, Websites } from "../../Services/Websites/Websites.ts"
import { SiteWriter } from "../../Services/Websites/Writing/SiteWriter.ts"
import { writingNotes } from "../../Services/Websites/Writing/WritingNotes.ts"
import { makeAccountSeal } from "../Platform/Postgres/AccountSeal.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { makeAccessCodes } from "./AccessCodes.ts"
import { makeCodeRows, storedSite } from "./WebsiteCodeRows.ts"
import { makeWebsiteExport } from "./WebsiteExport.ts"
import { makeWebsiteHtml } from "./WebsiteHtml.ts"
import { makeWebsiteNames } from "./WebsiteNameRows.ts"
import { makeWebsiteRows, progressOf, websiteMissing } from "./WebsiteRows.ts"
import { makeWebsiteTurns } from "./WebsiteTurns.ts"
import { makeWriting } from "./WebsiteWriting.ts"

interface SettingsRow extends Omit<WebsiteSettings, "access_code"> {
  readonly access_code: Uint8Array | null
}

const makeWebsiteServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* Jobs
  const writer = yield* SiteWriter
  const seal = yield* makeAccountSeal
  const accessCodes = yield* makeAccessCodes
  const rows = yield* makeWebsiteRows
  const codes = yield* makeCodeRows
  const html = yield* makeWebsiteHtml
  const run = yield* makeWriting
  const exportCode = yield* makeWebsiteExport
  const names = makeWebsiteNames(sql)
  const { begin, holdIdle, turn } = yield* makeWebsiteTurns
  return { accessCodes, begin, codes, exportCode, holdIdle, html, jobs, names, rows, run, seal, sql, turn, writer }
})
type WebsiteServices = Effect.Effect.Success<typeof makeWebsiteServices>

const makeRequests = ({ accessCodes, sql }: WebsiteServices) => {
  const roomForOne = (accountId: AccountId) =>
    Effect.gen(function* () {
      const { count } = single(
        yield* sql<{ readonly count: number }>`
          select count(*) as count from website where account_id = ${accountId} and archived_at is null`.pipe(fromSql())
      )
      if (count >= mostWebsites) return yield* tooManyWebsites
    })

  const settingsOf = (id: WebsiteId) =>
    Effect.gen(function* () {
      const { accountId } = yield* Caller
      const found = yield* sql<SettingsRow>`
        select website_id, title, language as language_key, is_restricted as restricted, access_code, guidelines
        from website where account_id = ${accountId} and website_id = ${id} and archived_at is null`.pipe(fromSql())
      const [row] = found
      if (row === undefined) return yield* websiteMissing(id)
      const code = row.restricted ? accessCodes.open(accountId, id, row.access_code) : Option.none()
      return { ...row, access_code: Option.getOrNull(code) }
    })

  return { roomForOne, settingsOf }
}
type Requests = ReturnType<typeof makeRequests>

const writeWebsites = (
  { accessCodes, begin, holdIdle, jobs, names, rows, run, seal, sql, turn, writer }: WebsiteServices,
  { roomForOne }: Requests
): Pick<typeof Websites.Service, "register" | "change" | "cancelChange" | "run"> => ({
  register: Effect.fn("Websites.register")(function* (website) {
    const { accountId } = yield* Caller
    const language = yield* websiteLanguage("language", website.language)
    yield* writer.check({ language })
    yield* turn(accountId)
    yield* roomForOne(accountId)
    const description = tidyText(website.description).trim()
    const businessName = tidyText(website.businessName ?? "")
      .replace(/\s+/g, " ")
      .trim()
    const copied = website.copyFrom === undefined ? undefined : yield* rows.hold(website.copyFrom)
    if (copied !== undefined && copied.published_code_id === null) return yield* nothingPublished
    const title = firstTitle(businessName, description)
    const { id } = single(
      yield* sql<{ readonly id: WebsiteId }>`
        insert into website (account_id, application_type, description, business_name, title, language,
          is_restricted, stores_data, editor_key)
        values (${accountId}, ${website.type}, ${description}, ${businessName === "" ? null : businessName}, ${title},
          ${language}, ${website.isRestricted}, ${website.storesData}, ${yield* seal.addressKey(accountId)})
        returning website_id as id`.pipe(fromSql())
    )
    if (website.isRestricted) {
      yield* sql`update website set access_code = ${accessCodes.make(accountId, id)}
        where account_id = ${accountId} and website_id = ${id}`.pipe(fromSql())
    }
    yield* names.claimLike(accountId, id, nameOf(firstName(businessName, description)))
    return yield* begin(id, "generation", description, {
      _tag: "Write",
      generation: website.generation,
      reasoning: "Fast",
      storesData: website.storesData,
      copiedCode: copied?.published_code_id ?? null
    })
  }),

  change: Effect.fn("Websites.change")(function* (id, change, type) {
    const held = yield* holdIdle(id, type)
    yield* writer.check({ language: held.language })
    return yield* begin(id, "change", tidyText(change.prompt).trim(), {
      _tag: "Change",
      generation: change.generation,
      reasoning: change.reasoning,
      storesData: change.storesData,
      startsAnew: change.startsAnew
    })
  }),

  cancelChange: Effect.fn("Websites.cancelChange")(function* (id) {
    const { accountId } = yield* Caller
    yield* rows.hold(id)
    const unfinished = yield* rows.unfinished(accountId, id)
    if (unfinished === undefined) return yield* nothingToCancel
    yield* jobs.cancel(unfinished.job_id).pipe(
      // The job has ended just now, so there is nothing to cancel.
      Effect.catchTags({ NotFound: () => nothingToCancel, Refused: () => nothingToCancel })
    )
    return yield* rows.get(id)
  }),

  run
})

const readWebsites = (
  { codes, exportCode, html, rows }: WebsiteServices,
  { settingsOf }: Requests
): Pick<typeof Websites.Service, "get" | "list" | "getCode" | "listCode" | "settings" | "exportCode"> => ({
  get: Effect.fn("Websites.get")(rows.get),

  list: Effect.fn("Websites.list")(rows.list),

  getCode: Effect.fn("Websites.getCode")(function* (id) {
    const { accountId } = yield* Caller
    const row = yield* codes.get(id)
    const pages =
      row.site === null ? null : yield* html(accountId, row.website_id, row.name, yield* storedSite(row.site))
    return {
      website_code_id: row.website_code_id,
      website_id: row.website_id,
      kind: row.kind,
      prompt: row.prompt,
      changes: row.notes,
      is_published: row.is_published,
      restored_from_website_code_id: row.restored_from,
      created_at: row.created_at,
      finished_at: row.finished_at,
      ...progressOf(row),
      ...shownReport(row.report),
      html: pages?.[0]?.html ?? null,
      pages
    }
  }),

  listCode: Effect.fn("Websites.listCode")((id) => Effect.zipRight(rows.exists(id), codes.list(id))),

  settings: Effect.fn("Websites.settings")(settingsOf),

  exportCode: (id, address) => exportCode(id, address)
})

const snapshots = ({
  codes,
  holdIdle,
  rows,
  turn
}: WebsiteServices): Pick<typeof Websites.Service, "snapshot" | "listSnapshots" | "restore"> => ({
  snapshot: Effect.fn("Websites.snapshot")(function* (id, description) {
    const { accountId } = yield* Caller
    yield* turn(accountId)
    const { published_code_id } = yield* rows.hold(id)
    if (published_code_id === null) return yield* nothingPublished
    const published = yield* Effect.orDie(codes.get(published_code_id))
    const site = yield* storedSite(published.site)
    const codeId = yield* codes.add(accountId, id, {
      kind: "snapshot",
      prompt: tidyText(description).trim(),
      request: {},
      site,
      mode: published.mode,
      restoredFrom: published_code_id
    })
    const kept = yield* Effect.orDie(codes.get(codeId))
    return {
      website_code_id: codeId,
      website_id: id,
      snapshot_description: kept.prompt,
      page_count: site.pages.length,
      created_at: kept.created_at
    }
  }),

  listSnapshots: Effect.fn("Websites.listSnapshots")((id) => Effect.zipRight(rows.exists(id), codes.listSnapshots(id))),

  restore: Effect.fn("Websites.restore")(function* (codeId) {
    const { accountId } = yield* Caller
    const entry = yield* codes.get(codeId)
    const id = entry.website_id
    const held = yield* holdIdle(id)
    if (entry.site === null) return yield* notFinished
    const restored = yield* storedSite(entry.site)
    if (isHeldBack(restored)) return yield* ownerIsAsked
    // Publishing the same version again changes nothing.
    if (entry.is_published) return yield* rows.get(id)
    const published =
      held.published_code_id === null ? undefined : yield* Effect.orDie(codes.get(held.published_code_id))
    if (published?.restored_from === codeId) return yield* rows.get(id)
    const added = yield* codes.add(accountId, id, {
      kind: "restoration",
      prompt: "",
      request: {},
      site: restored,
      mode: entry.mode,
      restoredFrom: codeId
    })
    yield* codes.publish(accountId, id, added)
    return yield* rows.get(id)
  })
})

const changeWebsites = (
  { accessCodes, codes, jobs, names, rows, sql, turn, writer }: WebsiteServices,
  { settingsOf }: Requests
): Pick<typeof Websites.Service, "setSettings" | "changeName" | "archive"> => ({
  setSettings: Effect.fn("Websites.setSettings")(function* (id, { guidelines, language_key, restricted, title }) {
    const { accountId } = yield* Caller
    const language = language_key === undefined ? undefined : yield* websiteLanguage("language_key", language_key)
    if (language !== undefined) yield* writer.check({ language })
    if (title !== undefined) yield* turn(accountId)
    yield* rows.hold(id)
    const chosen = title === undefined ? null : tidyText(title).replace(/\s+/g, " ").trim()
    yield* sql`
      update website set title = coalesce(${chosen}, title),
        is_title_given = is_title_given or ${chosen !== null},
        language = coalesce(${language ?? null}, language),
        is_restricted = coalesce(${restricted ?? null}::boolean, is_restricted),
        -- Each restriction has a code of its own.
        access_code = case when ${restricted === true} and not is_restricted
          then ${accessCodes.make(accountId, id)} else access_code end,
        guidelines = coalesce(${guidelines === undefined ? null : tidyText(guidelines).trim()}, guidelines)
      where account_id = ${accountId} and website_id = ${id}`.pipe(fromSql())
    // A version that is being written gets the title when it is published.
    if (chosen !== null && (yield* rows.unfinished(accountId, id)) === undefined) {
      const current = yield* codes.newest(accountId, id)
      const site = current === undefined ? undefined : withTitle(current.site, chosen)
      if (current !== undefined && site !== undefined && site !== current.site)
        yield* codes.addByHand(accountId, id, {
          site,
          mode: current.mode,
          note: writingNotes(site.language).title(chosen)
        })
    }
    return yield* settingsOf(id)
  }),

  changeName: Effect.fn("Websites.changeName")(function* (id, wish) {
    const { accountId } = yield* Caller
    const name = yield* checkedName(wish)
    yield* turn(accountId)
    yield* rows.hold(id)
    yield* names.change(accountId, id, name)
    return yield* rows.get(id)
  }),

  archive: Effect.fn("Websites.archive")(function* (id, type) {
    const { accountId } = yield* Caller
    yield* rows.hold(id, type)
    const last = yield* rows.get(id, type)
    const unfinished = yield* rows.unfinished(accountId, id)
    if (unfinished !== undefined) yield* Effect.ignore(jobs.cancel(unfinished.job_id))
    yield* names.giveUp(accountId, id)
    yield* sql`update website set archived_at = instant(), published_code_id = null
      where account_id = ${accountId} and website_id = ${id}`.pipe(fromSql())
    return last
  })
})

const make = Effect.gen(function* () {
  const services = yield* makeWebsiteServices
  const requests = makeRequests(services)

  return Websites.of({
    ...writeWebsites(services, requests),
    ...readWebsites(services, requests),
    ...snapshots(services),
    ...changeWebsites(services, requests)
  })
})

export const WebsitesPostgres = Layer.effect(Websites, make)
