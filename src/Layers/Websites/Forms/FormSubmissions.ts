import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { Plan } from "../../../Services/Accounts/Ids.ts"
import { CampaignLookup } from "../../../Services/Campaigns/Campaigns.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { AccountEvents } from "../../../Services/Events/AccountEvents.ts"
import { Notifications } from "../../../Services/Events/Notifications.ts"
import { OwnerMails } from "../../../Services/Events/OwnerNotices.ts"
import { CapturedLeads, type CaptureOutcome } from "../../../Services/Leads/CapturedLeads.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { ProspectingConfig } from "../../../Services/Prospecting/ProspectingConfig.ts"
import { clip } from "../../../Services/Text/PlainText.ts"
import { leadOf } from "../../../Services/Websites/Forms/FormLeads.ts"
import {
  FormSubmissions,
  type Submission,
  type SubmissionOutcome
} from "../../../Services/Websites/Forms/FormSubmissions.ts"
import { siteLanguage } from "../../../Services/Websites/Forms/FormTexts.ts"
import { digestOf, tokenLifetimeMillis } from "../../../Services/Websites/Forms/FormTokens.ts"
import { formLimits, verdictOf } from "../../../Services/Websites/Forms/FormVerdict.ts"
import { collectionOf, fieldTexts } from "../../../Services/Websites/Forms/SiteForms.ts"
import {
  mostRecordsOfAccount,
  mostRecordsOfSite,
  type RecordOutcome
} from "../../../Services/Websites/Forms/SiteRecords.ts"
import type { PublishedSite } from "../../../Services/Websites/PublishedSites.ts"
import { progressOf } from "../../Leads/Sql/Progress.ts"
import { erasureLock } from "../../Leads/Sql.ts"
import { lockAccount } from "../../Platform/Postgres/AccountLock.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { consentVersion, pagePhrases } from "../Design/PagePhrases.ts"
import { makeAccountKeys } from "./AccountKeys.ts"
import { countMore } from "./FormCounts.ts"

const recordOutcome = (outcome: CaptureOutcome): RecordOutcome => {
  switch (outcome._tag) {
    case "Created":
      return "created"
    case "Known":
      return "known"
    case "Held":
      return outcome.reason
    case "Erased":
      return "erased"
  }
}

const emailOf = ({ placed, reading }: Submission): string | null => {
  const field = placed.form.fields.find(({ kind, name }) => kind === "email" && reading.values[name] !== undefined)
  return field === undefined ? null : (reading.values[field.name] ?? null)
}

const phoneOf = ({ placed, reading }: Submission): string | null => {
  const field = placed.form.fields.find(({ kind, name }) => kind === "phone" && reading.values[name] !== undefined)
  return field === undefined ? null : (reading.values[field.name] ?? null)
}

/** Returns a text that is equal for equal input, in whatever order a program sends the fields. */
const canonical = ({ placed, reading }: Submission): string =>
  JSON.stringify([
    placed.form.id,
    reading.isMarketingWanted,
    Object.entries(reading.values).sort(([a], [b]) => (a < b ? -1 : 1))
  ])

/** The most characters of a submission in the notice to the owner. */
const longestTold = 1000

const makeSubmissionServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const keys = yield* makeAccountKeys
  const unit = yield* UnitOfWork
  const captured = yield* CapturedLeads
  const campaigns = yield* CampaignLookup
  const configs = yield* ProspectingConfig
  const notifications = yield* Notifications
  const events = yield* AccountEvents
  const ownerMails = yield* OwnerMails
  return { campaigns, captured, configs, events, keys, notifications, ownerMails, sql, unit }
})
type SubmissionServices = Effect.Effect.Success<typeof makeSubmissionServices>

const makeFormUses = ({ sql }: SubmissionServices) => {
  const planOf = ({ accountId }: PublishedSite) =>
    sql<{ readonly plan: Plan }>`select plan from account where account_id = ${accountId}`.pipe(
      Effect.map((rows) => single(rows).plan),
      fromSql()
    )

  /** Marks the rendering as used, and returns what it was used for before, if anything. A rollback undoes it. */
  const use = Effect.fnUntraced(function* (submission: Submission, key: Uint8Array) {
    const { nonce } = submission
    const { accountId, websiteId } = submission.site
    const digest = digestOf(key, "values", canonical(submission))
    const made = yield* sql`
      insert into site_form_use (account_id, website_id, nonce, digest, expires_at)
      values (${accountId}, ${websiteId}, ${nonce}, ${digest}, instant() + make_interval(secs => ${tokenLifetimeMillis / 1000}))
      on conflict do nothing returning 1`.pipe(fromSql())
    if (made.length > 0) return "first" as const
    const before = yield* sql<{ readonly digest: string }>`
      select digest from site_form_use
      where account_id = ${accountId} and website_id = ${websiteId} and nonce = ${nonce}`.pipe(fromSql())
    return before[0]?.digest === digest ? ("same" as const) : ("other" as const)
  })

  const undoUse = ({ nonce, site: { accountId, websiteId } }: Submission) =>
    sql`
      delete from site_form_use
      where account_id = ${accountId} and website_id = ${websiteId} and nonce = ${nonce}`.pipe(fromSql())

  const judge = Effect.fnUntraced(function* (submission: Submission, key: Uint8Array) {
    const { isConfirmed, network, placed, site } = submission
    const contact = emailOf(submission) ?? phoneOf(submission)
    const place = (scope: "network" | "page" | "contact", of: string) => ({
      scope,
      place: digestOf(key, scope, of),
      seconds: formLimits[scope].seconds
    })
    const counted = yield* countMore(sql, site, [
      place("network", network),
      place("page", placed.page.id),
      ...(contact === null ? [] : [place("contact", contact)])
    ])
    return verdictOf(counted, isConfirmed)
  })

  return { planOf, use, undoUse, judge }
}
const makeFormRecords = ({ sql }: SubmissionServices) => {
  /** Reserves space for one more record, if there is any. Returns whether there was. */
  const takeRoom = Effect.fnUntraced(function* ({ accountId, websiteId }: PublishedSite) {
    yield* lockAccount(sql, accountId, "site_records")
    const [held] = yield* sql<{ readonly all: number; readonly own: number }>`
      select coalesce(sum(records), 0)::float8 as all,
        coalesce(sum(records) filter (where website_id = ${websiteId}), 0)::float8 as own
      from site_record_count where account_id = ${accountId}`.pipe(fromSql())
    if (held !== undefined && (held.all >= mostRecordsOfAccount || held.own >= mostRecordsOfSite)) return false
    yield* sql`
      insert into site_record_count as c (account_id, website_id, records) values (${accountId}, ${websiteId}, 1)
      on conflict (account_id, website_id) do update set records = c.records + 1`.pipe(fromSql())
    return true
  })

  const store = Effect.fnUntraced(function* (submission: Submission, outcome: RecordOutcome, leadId: LeadId | null) {
    const { isConfirmed, isEmbedded, placed, reading, site, source, visitorEmail } = submission
    const phrases = pagePhrases(site.site.language)
    // Other texts of the account may name the same person. With this lock, an erasure waits until this record can be
    // found.
    yield* erasureLock(sql, site.accountId, "shared")
    const kept =
      outcome === "erased"
        ? { filled: fieldTexts([]), email: null }
        : { filled: reading.values, email: visitorEmail ?? emailOf(submission) }
    yield* sql`
      insert into site_record (account_id, website_id, collection, outcome, lead_id, visitor_email, filled, page_id, variant,
        is_embedded, utm_source, utm_medium, utm_campaign, utm_term, utm_content, referrer, consent_version,
        consent_text, marketing_text, consented_at, was_confirmed)
      values (${site.accountId}, ${site.websiteId}, ${collectionOf(placed.form)}, ${outcome}, ${leadId}, ${kept.email},
        ${JSON.stringify(kept.filled)}::jsonb, ${placed.page.id}, ${placed.variant}, ${isEmbedded}, ${source.utm_source},
        ${source.utm_medium}, ${source.utm_campaign}, ${source.utm_term}, ${source.utm_content}, ${source.referrer},
        ${consentVersion}, ${phrases.consent}, ${reading.isMarketingWanted ? phrases.marketing : null}, instant(),
        ${isConfirmed})`.pipe(fromSql())
  })

  return { takeRoom, store }
}
type FormRecords = ReturnType<typeof makeFormRecords>

const makeFormLeads = (
  { campaigns, captured, configs, events, notifications, ownerMails, sql }: SubmissionServices,
  { store, takeRoom }: FormRecords
) => {
  const tellOfLead = Effect.fnUntraced(function* (
    { site }: Submission,
    lead: { readonly leadId: LeadId; readonly name: string; readonly company: string | null; readonly said: string },
    isNew: boolean
  ) {
    const { leadId } = lead
    const config = yield* Effect.orDie(configs.effectiveForLead(leadId))
    const said = clip(lead.said, longestTold)
    if (config.notify_on_interested) {
      yield* notifications.tellOfLead(
        { kind: "lead_became_interested", leadId, ...(said === "" ? {} : { quote: said }) },
        { website_id: site.websiteId }
      )
    }
    if (config.notify_on_interested_via_email) {
      yield* ownerMails.send(site.accountId, "lead_became_interested", leadId, {
        leadName: lead.name,
        company: lead.company,
        said
      })
    }
    // From here to the commit, transactions that append events of this account wait for each other.
    const progress = isNew ? yield* progressOf(sql, { accountId: site.accountId, leadId }) : []
    yield* events.appendMany(progress.map((type) => ({ type, data: { lead_id: leadId, channel: null } })))
  })

  const capture = Effect.fnUntraced(function* (submission: Submission) {
    const { placed, reading, site, source, url } = submission
    const lead = leadOf(placed.form.fields, reading.values)
    const { campaign } = site.site
    const campaignId =
      campaign === null
        ? null
        : yield* campaigns.resolve(campaign).pipe(Effect.catchTag("NotFound", () => Effect.succeed(null)))
    const outcome = yield* captured.register({
      name: lead.name,
      email: lead.email,
      phone: lead.phone,
      company: lead.company,
      jobTitle: lead.jobTitle,
      city: lead.city,
      website: lead.website,
      language: /^(?:pt|en|es)-/.test(site.site.language) ? siteLanguage(site.site.language) : null,
      campaignId,
      capture: {
        website_id: site.websiteId,
        page: placed.page.title,
        url,
        variant: placed.variant,
        ...source,
        said: lead.said === "" ? null : lead.said,
        marketing_consent: reading.isMarketingWanted
      }
    })
    const leadId = outcome._tag === "Erased" ? null : outcome.leadId
    yield* store(submission, recordOutcome(outcome), leadId)
    if (outcome._tag === "Created" || outcome._tag === "Known") {
      yield* tellOfLead(
        submission,
        { leadId: outcome.leadId, name: lead.name, company: lead.company, said: lead.said },
        outcome._tag === "Created" || outcome.becameInterested
      )
    }
    return true
  })

  const collect = Effect.fnUntraced(function* (submission: Submission) {
    const { site } = submission
    const data = { website_id: site.websiteId }
    if (!(yield* takeRoom(site))) {
      const untold = yield* sql`
        insert into site_record_count as c (account_id, website_id, records, full_told_at)
        values (${site.accountId}, ${site.websiteId}, 0, instant())
        on conflict (account_id, website_id) do update set full_told_at = excluded.full_told_at
          where c.full_told_at is null or c.full_told_at < shifted(instant(), interval '-1 day')
        returning 1`.pipe(fromSql())
      if (untold.length > 0) yield* notifications.tell({ kind: "website_storage_full", site: site.title }, data)
      return false
    }
    yield* store(submission, "stored", null)
    yield* notifications.tell({ kind: "website_form_sent", site: site.title }, data)
    return true
  })

  return { capture, collect }
}
const make = Effect.gen(function* () {
  const services = yield* makeSubmissionServices
  const { keys, unit } = services
  const { judge, planOf, undoUse, use } = makeFormUses(services)
  const formRecords = makeFormRecords(services)
  const { capture, collect } = makeFormLeads(services, formRecords)
  const storeOnce = (submission: Submission, key: Uint8Array): Effect.Effect<SubmissionOutcome, Transient> =>
    unit.write(
      Effect.gen(function* () {
        const { nonce, site } = submission
        const plan = yield* planOf(site)
        const before = yield* use(submission, key)
        if (before === "same") return { _tag: "Taken" } as const
        if (before === "other") return { _tag: "Ask", doubt: "token_used" } as const
        const verdict = yield* judge(submission, key)
        if (verdict._tag !== "Take") {
          yield* undoUse(submission)
          return verdict
        }
        const caller = Caller.forTask(site.accountId, plan, `form:${nonce}`)
        const isStored = yield* Effect.provideService(
          site.type === "LeadCapturePage" && submission.placed.form.collection === null
            ? capture(submission)
            : collect(submission),
          Caller,
          caller
        )
        if (!isStored) {
          yield* undoUse(submission)
          return { _tag: "Full" } as const
        }
        return { _tag: "Taken" } as const
      })
    )
  return FormSubmissions.of({
    // The secret is looked up outside the transaction, where concurrent submissions would wait for each other.
    submit: (submission) => Effect.flatMap(keys.get(submission.site.accountId), (key) => storeOnce(submission, key))
  })
})

/** Stores a submission in one transaction with the lead and the news of it. */
export const FormSubmissionsPostgres = Layer.effect(FormSubmissions, make)
