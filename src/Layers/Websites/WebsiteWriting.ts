import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { type Refused, transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import type { ServiceMode } from "../../Services/Core/Outside/IntegrationModes.ts"
import { endedByCancellation, type JobError, JobFailed, type RunningJob } from "../../Services/Jobs/JobHandler.ts"
import { GenerationFailed } from "../../Services/Media/Generation.ts"
import { LanguageUsage } from "../../Services/Models/LanguageUsage.ts"
import { clip } from "../../Services/Text/PlainText.ts"
import { detailOf, notUnderstoodCode, outcomeOf, WishReport } from "../../Services/Text/WishReport.ts"
import { searchFailures } from "../../Services/WebSearch/FailureWords.ts"
import { CodeRequest } from "../../Services/Websites/CodeRequest.ts"
import type { WebsiteCodeId } from "../../Services/Websites/Ids.ts"
import { isHeldBack, Site } from "../../Services/Websites/Site.ts"
import { SitePictures } from "../../Services/Websites/SitePictures.ts"
import { withTitle } from "../../Services/Websites/SiteTitle.ts"
import { longestTitle, writingAttempts } from "../../Services/Websites/Websites.ts"
import { SiteWriter } from "../../Services/Websites/Writing/SiteWriter.ts"
import { writingNotes } from "../../Services/Websites/Writing/WritingNotes.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { storedSite } from "./WebsiteCodeRows.ts"
import { makeMaterial, type WrittenWebsite } from "./WebsiteMaterial.ts"

const decodeRequest = Schema.decodeUnknown(CodeRequest)

const Draft = Schema.Struct({
  site: Site,
  notes: Schema.Array(Schema.String),
  report: WishReport,
  mode: Schema.NullOr(Schema.Literal("live", "sandbox"))
})
type Draft = typeof Draft.Type
const decodeDraft = Schema.decodeUnknown(Draft)

interface StartedRow extends WrittenWebsite {
  readonly kind: string
  readonly prompt: string
  readonly request: unknown
  readonly stores_data: boolean
  readonly draft: unknown
  readonly is_done: boolean
  readonly current_site: unknown
  readonly current_mode: ServiceMode | null
}

const doneAlone = (notes: ReadonlyArray<string>) => ({
  notes,
  report: { done: notes, not_done: [], needs_input: [] }
})

/** Fails if nothing in the prompt could be done. The published version then stays. */
const somethingDone = (report: WishReport) =>
  outcomeOf(report) === "nothing_done"
    ? Effect.fail(new GenerationFailed({ code: notUnderstoodCode, detail: detailOf(report), report }))
    : Effect.void

const gone = new JobFailed({ reason: "The site was archived." })

const makeWritingServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const writer = yield* SiteWriter
  const pictures = yield* SitePictures
  const usage = yield* LanguageUsage
  const materialOf = yield* makeMaterial
  return { materialOf, pictures, sql, unit, usage, writer }
})
type WritingServices = Effect.Effect.Success<typeof makeWritingServices>

const makeDrafts = ({ materialOf, sql, usage, writer }: WritingServices) => {
  const load = ({ accountId, jobId }: RunningJob) =>
    sql<StartedRow>`
      select c.website_code_id, c.website_id, c.kind, c.prompt, c.request, c.web_facts, c.draft,
        c.site is not null as is_done, w.application_type, w.description, w.business_name, w.language, w.guidelines,
        w.stores_data, p.site as current_site, p.mode as current_mode
      from website_code c
      join website w on w.account_id = ${accountId} and w.website_id = c.website_id and w.archived_at is null
      left join lateral (
        -- What a change begins with: the newest version, published or held back for an answer.
        select k.site, k.mode from website_code k
        where k.account_id = ${accountId} and k.website_id = w.website_id and k.site is not null and k.kind <> 'snapshot'
        order by k.website_code_id desc limit 1
      ) p on true
      where c.account_id = ${accountId} and c.job_id = ${jobId}`.pipe(
      fromSql(),
      Effect.flatMap(([row]) => (row === undefined ? Effect.fail(gone) : Effect.succeed(row)))
    )

  const siteOf = (accountId: AccountId, id: WebsiteCodeId) =>
    sql<{ readonly site: unknown }>`
      select site from website_code
      where account_id = ${accountId} and website_code_id = ${id} and site is not null`.pipe(
      fromSql(),
      Effect.flatMap(([row]) => (row === undefined ? Effect.succeed(undefined) : storedSite(row.site)))
    )

  const write = (job: RunningJob, row: StartedRow, request: CodeRequest) =>
    Effect.gen(function* () {
      const current = row.current_site === null ? undefined : yield* storedSite(row.current_site)
      if (request._tag === "Picture") {
        if (current === undefined) return yield* gone
        const draft: Draft = {
          site: {
            ...current,
            pictures: current.pictures.map((picture) =>
              picture.id === request.picture ? { ...picture, prompt: request.prompt } : picture
            )
          },
          ...doneAlone([writingNotes(current.language).picture(clip(request.prompt, 200))]),
          mode: row.current_mode
        }
        return draft
      }
      const { material, notes } = yield* materialOf(row, {
        prompt: row.kind === "change" ? row.prompt : "",
        storesData: row.stores_data || request.storesData,
        isLastAttempt: job.attempt >= writingAttempts
      })
      yield* job.setProgress(20)
      const effort = { generation: request.generation, reasoning: request.reasoning }
      const changed = request._tag === "Change" && !request.startsAnew ? current : undefined
      const copied =
        request._tag === "Write" && request.copiedCode !== null
          ? yield* siteOf(job.accountId, request.copiedCode)
          : undefined
      const wish = row.kind === "change" ? `${material.description}\n\n${row.prompt}` : material.description
      const fresh = { ...material, description: wish }
      const written =
        changed !== undefined
          ? // A site has one language, so a change of language writes the site from scratch.
            yield* writer.change(changed, row.prompt, { ...material, language: changed.language }, effort)
          : copied === undefined
            ? yield* writer.write(fresh, effort)
            : copied.language === material.language
              ? yield* writer.change(copied, material.description, material, effort)
              : yield* Effect.map(writer.write(fresh, effort), (anew) => ({
                  ...anew,
                  site: { ...anew.site, theme: copied.theme }
                }))
      if (written.usage !== undefined) {
        yield* usage.add(
          job.accountId,
          changed === undefined && copied === undefined ? "write_website" : "change_website",
          written.usage
        )
      }
      const mode: ServiceMode = written.usage === undefined ? "sandbox" : "live"
      const report = written.report ?? doneAlone(written.notes).report
      yield* somethingDone(report)
      const draft: Draft = { site: written.site, notes: [...notes, ...written.notes], report, mode }
      return draft
    }).pipe(
      Effect.catchTag("WebSearchFailed", ({ reason }) =>
        Effect.fail(transient(`web_search_${reason}`, searchFailures[reason], 5))
      )
    )

  /**
   * Writes the draft, or returns the stored one. It is kept until its pictures exist, so that a job that restarts does
   * not write it twice.
   */
  const drafted = (job: RunningJob, row: StartedRow) =>
    Effect.gen(function* () {
      if (row.draft !== null) return yield* Effect.orDie(decodeDraft(row.draft))
      const request = yield* Effect.orDie(decodeRequest(row.request))
      const draft = yield* write(job, row, request)
      yield* sql`
        update website_code set draft = ${JSON.stringify(draft)}::jsonb, mode = ${draft.mode}
        where account_id = ${job.accountId} and website_code_id = ${row.website_code_id} and site is null`.pipe(
        fromSql()
      )
      return draft
    })

  return { load, drafted }
}
const makePublishing = ({ sql, unit }: WritingServices) => {
  /** Stores the version and publishes it in one transaction. If another run was faster, nothing happens. */
  const publish = (job: RunningJob, row: StartedRow, { mode, site: draft, notes, report }: Draft) =>
    unit.write(
      Effect.gen(function* () {
        const { accountId } = job
        const [held] = yield* sql<{ readonly is_there: boolean; readonly chosen_title: string | null }>`
          select archived_at is null as is_there, case when is_title_given then title end as chosen_title from website
          where account_id = ${accountId} and website_id = ${row.website_id} for no key update`.pipe(fromSql())
        if (held?.is_there !== true) return yield* gone
        const request = yield* Effect.orDie(decodeRequest(row.request))
        const isChange = request._tag === "Change" && !request.startsAnew && row.current_site !== null
        const renamed = isChange && (yield* storedSite(row.current_site)).name !== draft.name
        // A change that renames the site is newer than the title that its owner set before.
        const site = held.chosen_title === null || renamed ? draft : withTitle(draft, held.chosen_title)
        // Cancelled before this moment it is not published, and afterwards there is nothing to cancel.
        yield* job.checkpoint
        const stored = yield* sql`
          update website_code set site = ${JSON.stringify(site)}::jsonb, draft = null, mode = ${mode},
            notes = ${JSON.stringify(notes)}::jsonb, report = ${JSON.stringify(report)}::jsonb, finished_at = instant()
          where account_id = ${accountId} and website_code_id = ${row.website_code_id} and site is null
          returning website_code_id`.pipe(fromSql())
        if (stored.length === 0) return
        const storesData = request._tag !== "Picture" && request.storesData
        // A doubtful version is shown only to its owner. The published version stays as it is.
        const isDoubtful = isHeldBack(site)
        yield* sql`
          update website set
            published_code_id = case when ${isDoubtful} then published_code_id else ${row.website_code_id} end, stores_data = stores_data or ${storesData},
            is_title_given = is_title_given and not ${renamed},
            title = case when (is_title_given and not ${renamed}) or ${site.name === "" || isDoubtful} then title else ${clip(site.name, longestTitle)} end
          where account_id = ${accountId} and website_id = ${row.website_id}`.pipe(fromSql())
      })
    )

  /** Stores why the writing failed, for the account, and ends the job. */
  const failing = ({ accountId }: RunningJob, id: WebsiteCodeId) => {
    const fail = (code: string, detail: string, report?: WishReport) =>
      Effect.zipRight(
        sql`update website_code set failure_code = ${code}, failure_detail = ${detail}, draft = null,
          report = ${report === undefined ? null : JSON.stringify(report)}::jsonb
          where account_id = ${accountId} and website_code_id = ${id} and site is null`.pipe(fromSql()),
        new JobFailed({ reason: detail })
      )
    return <A, R>(work: Effect.Effect<A, JobError | GenerationFailed | Refused, R>): Effect.Effect<A, JobError, R> =>
      Effect.catchTags(work, {
        GenerationFailed: ({ code, detail, report }) => fail(code, detail, report),
        Refused: ({ error, reason }) => fail(reason, error)
      })
  }

  return { publish, failing }
}
/** Writes the versions that owners request, and publishes them. */
export const makeWriting = Effect.gen(function* () {
  const services = yield* makeWritingServices
  const { pictures } = services
  const { drafted, load } = makeDrafts(services)
  const { failing, publish } = makePublishing(services)

  return Effect.fn("Websites.run")(function* (job: RunningJob) {
    const row = yield* load(job)
    if (row.is_done) return
    yield* Effect.gen(function* () {
      const draft = yield* drafted(job, row)
      yield* job.setProgress(50)
      const leftOut = yield* pictures.make(job.accountId, row.website_id, draft.site.pictures)
      yield* job.setProgress(95)
      const words = writingNotes(draft.site.language)
      const notes = [...draft.notes, ...leftOut.map(({ detail }) => words.pictureLeftOut(detail))]
      yield* publish(job, row, { ...draft, notes })
    }).pipe(endedByCancellation(job), failing(job, row.website_code_id))
  })
})
