import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { hashedMember } from "../../../Services/Ads/AudienceMembers.ts"
import { Caller } from "../../../Services/Core/Caller.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import type { UnitOfWork } from "../../../Services/Core/UnitOfWork.ts"
import { at, listAt, textAt } from "../../Platform/AnswerPaths.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import type { AdsSettingsShape } from "../AdsSettings.ts"
import { AdsFailure } from "../Calling/AdsFailure.ts"
import { type AdsPlatform, idOf } from "../Calling/AdsPlatform.ts"
import type { CampaignRow } from "./CampaignRows.ts"
import type { Place } from "./PlatformContent.ts"

/** Begins the numbers of offline jobs among those of settings.audience. */
const offline = "job:"
/** The platform's most in a request. */
const membersAtATime = 10_000
const lifeSpanDays = 540

const outcomes: { readonly [status: string]: AudienceRow["status"] } = {
  SUCCESS: "done",
  PARTIAL_SUCCESS: "partial",
  FAILED: "failed"
}

export interface AudienceRow {
  readonly listId: string | null
  readonly isAttached: boolean
  readonly status: "none" | "processing" | "done" | "partial" | "failed"
  readonly requestId: string | null
  readonly sent: number
  readonly removed: number
  readonly uploadedAt: Timestamp | null
  readonly failureReason: string | null
  readonly members: number
}

interface Candidates {
  readonly hashes: ReadonlySet<string>
  readonly withoutEmail: number
  readonly unsubscribed: number
  readonly blacklisted: number
  readonly suppressed: number
}

interface AudienceServices {
  readonly sql: SqlClient
  readonly unit: UnitOfWork["Type"]
  readonly platform: AdsPlatform
  readonly settings: AdsSettingsShape
}

const makeAudienceRows = ({ sql }: AudienceServices) => {
  const stored = Effect.fnUntraced(function* (row: CampaignRow) {
    const { accountId } = yield* Caller
    const [found] = yield* sql<AudienceRow>`
      select external_list_id as "listId", is_attached as "isAttached", upload_status as status,
        request_id as "requestId", emails_sent as sent, emails_removed as removed, uploaded_at as "uploadedAt",
        failure_reason as "failureReason",
        (select count(*) from ads_audience_member m where m.account_id = ${accountId}
          and m.ads_campaign_id = a.ads_campaign_id) as members
      from ads_audience a where a.account_id = ${accountId} and a.ads_campaign_id = ${row.adsCampaignId}`.pipe(
      fromSql()
    )
    return found
  })

  /** The addresses that may be uploaded: none of people who opted out in any way. */
  const candidates = Effect.fnUntraced(function* (accountId: AccountId) {
    const leads = yield* sql<{ readonly email: string | null; readonly why: string | null }>`
      select l.email, case when l.email is null then 'without_email'
        when l.unsubscribed_at is not null then 'unsubscribed'
        when exists (select from blacklist_entry e where e.account_id = ${accountId}
          and (e.kind = 'email' and e.value = lower(l.email)
            or e.kind = 'domain' and e.value = substring(lower(l.email) from '@([^@]*)$'))) then 'blacklisted'
        when l.email_failed_at is not null or exists (select from email_suppression s where s.account_id = ${accountId}
          and s.email = lower(l.email)) then 'suppressed' end as why
      from lead l where l.account_id = ${accountId}`.pipe(fromSql())
    const count = (why: string) => leads.filter((lead) => lead.why === why).length
    const found: Candidates = {
      hashes: new Set(leads.flatMap(({ email, why }) => (email === null || why !== null ? [] : [hashedMember(email)]))),
      withoutEmail: count("without_email"),
      unsubscribed: count("unsubscribed"),
      blacklisted: count("blacklisted"),
      suppressed: count("suppressed")
    }
    return found
  })

  const uploadedHashes = Effect.fnUntraced(function* (accountId: AccountId, row: CampaignRow) {
    const rows = yield* sql<{ readonly hash: string }>`
      select email_hash as hash from ads_audience_member
      where account_id = ${accountId} and ads_campaign_id = ${row.adsCampaignId}`.pipe(fromSql())
    return rows.map(({ hash }) => hash)
  })

  return { candidates, uploadedHashes, stored }
}
type AudienceRows = ReturnType<typeof makeAudienceRows>

const makeUserLists = ({ platform, sql }: AudienceServices, { stored }: AudienceRows) => {
  const listName = ({ adsCampaignId }: CampaignRow) => `Leads [${adsCampaignId}]`

  /** The list at the platform, made and attached where it is not. */
  const ensureList = Effect.fnUntraced(function* ({ accountId, customerId }: Place, row: CampaignRow) {
    const before = yield* stored(row)
    const findList = Effect.map(
      platform.search(
        customerId,
        "SELECT user_list.id, user_list.name FROM user_list WHERE user_list.type = 'CRM_BASED'"
      ),
      ({ rows }) =>
        textAt(
          rows.find((each) => textAt(each, "userList", "name") === listName(row)),
          "userList",
          "id"
        )
    )
    let listId = before?.listId ?? (yield* findList)
    if (listId === "") {
      const made = yield* platform.mutate(customerId, [
        {
          userListOperation: {
            create: {
              name: listName(row),
              membershipLifeSpan: `${lifeSpanDays}`,
              crmBasedUserList: { uploadKeyType: "CONTACT_INFO" }
            }
          }
        }
      ])
      listId = idOf(made.names[0] ?? "")
      if (listId === "") return yield* new AdsFailure({ reason: "unknown" })
    }
    let isAttached = before?.isAttached === true
    if (!isAttached && row.externalId !== null) {
      const there = yield* platform.search(
        customerId,
        `SELECT campaign_criterion.criterion_id, campaign_criterion.user_list.user_list FROM campaign_criterion WHERE campaign.id = ${row.externalId} AND campaign_criterion.type = 'USER_LIST'`
      )
      const resource = `customers/${customerId}/userLists/${listId}`
      if (!there.rows.some((each) => textAt(each, "campaignCriterion", "userList", "userList") === resource)) {
        yield* platform.mutate(customerId, [
          {
            campaignCriterionOperation: {
              create: {
                campaign: `customers/${customerId}/campaigns/${row.externalId}`,
                // It only observes, by the campaign's targeting setting: searches of others are answered too.
                userList: { userList: resource },
                bidModifier: 1.1
              }
            }
          }
        ])
      }
      isAttached = true
    }
    yield* sql`
      insert into ads_audience (account_id, ads_campaign_id, external_list_id, is_attached)
      values (${accountId}, ${row.adsCampaignId}, ${listId}, ${isAttached})
      on conflict (account_id, ads_campaign_id) do update set external_list_id = excluded.external_list_id,
        is_attached = excluded.is_attached`.pipe(fromSql())
    return listId
  })

  return { ensureList }
}
type UserLists = ReturnType<typeof makeUserLists>

const makeUploads = ({ platform, settings, sql }: AudienceServices) => {
  const destination = ({ customerId }: Place, listId: string) => ({
    destinations: [
      {
        operatingAccount: { accountType: "GOOGLE_ADS", accountId: customerId },
        loginAccount: { accountType: "GOOGLE_ADS", accountId: platform.managerId },
        productDestinationId: listId
      }
    ]
  })

  const members = (hashes: ReadonlyArray<string>) => ({
    audienceMembers: hashes.map((emailAddress) => ({ userData: { userIdentifiers: [{ emailAddress }] } }))
  })

  const consent = { adUserData: settings.audience.adUserData, adPersonalization: settings.audience.adPersonalization }

  const byDataManager = (place: Place, listId: string, kind: "ingest" | "remove", hashes: ReadonlyArray<string>) =>
    platform.dataManager(`audienceMembers:${kind}`, {
      ...destination(place, listId),
      ...members(hashes),
      encoding: "HEX",
      ...(kind === "ingest"
        ? { consent, termsOfService: { customerMatchTermsOfServiceStatus: "ACCEPTED" }, validateOnly: false }
        : { validateOnly: false })
    })

  /** What projects may still use that did so before the Data Manager. */
  const byOfflineJob = Effect.fnUntraced(function* (
    { customerId }: Place,
    listId: string,
    kind: "ingest" | "remove",
    hashes: ReadonlyArray<string>
  ) {
    const made = yield* platform.post(customerId, "/offlineUserDataJobs:create", {
      job: {
        type: "CUSTOMER_MATCH_USER_LIST",
        customerMatchUserListMetadata: {
          userList: `customers/${customerId}/userLists/${listId}`,
          consent: {
            adUserData: settings.audience.adUserData.replace("CONSENT_", ""),
            adPersonalization: settings.audience.adPersonalization.replace("CONSENT_", "")
          }
        }
      }
    })
    const job = idOf(textAt(made, "resourceName"))
    if (job === "") return yield* new AdsFailure({ reason: "unknown" })
    yield* platform.post(customerId, `/offlineUserDataJobs/${job}:addOperations`, {
      operations: hashes.map((hashedEmail) => ({
        [kind === "ingest" ? "create" : "remove"]: { userIdentifiers: [{ hashedEmail }] }
      }))
    })
    yield* platform.post(customerId, `/offlineUserDataJobs/${job}:run`, {})
    return `${offline}${job}`
  })

  const upload = Effect.fnUntraced(function* (
    place: Place,
    row: CampaignRow,
    listId: string,
    kind: "ingest" | "remove",
    hashes: ReadonlyArray<string>
  ) {
    const { accountId } = place
    let requestId = ""
    for (let from = 0; from < hashes.length; from += membersAtATime) {
      const part = hashes.slice(from, from + membersAtATime)
      // Written down before, where they are added: who may be there is removed again.
      if (kind === "ingest") {
        yield* sql`
          insert into ads_audience_member (account_id, ads_campaign_id, email_hash)
          select ${accountId}, ${row.adsCampaignId}, h from unnest(${part}::text[]) h on conflict do nothing`.pipe(
          fromSql()
        )
      }
      const send = settings.audience.uploads === "offline_jobs" ? byOfflineJob : byDataManager
      requestId = yield* send(place, listId, kind, part)
      if (kind === "remove") {
        yield* sql`
          delete from ads_audience_member where account_id = ${accountId} and ads_campaign_id = ${row.adsCampaignId}
            and email_hash = any(${part}::text[])`.pipe(fromSql())
      }
    }
    return requestId
  })

  return { upload }
}
type Uploads = ReturnType<typeof makeUploads>

const makeAudienceCare = (
  { platform, sql, unit }: AudienceServices,
  { candidates, uploadedHashes, stored }: AudienceRows,
  { ensureList }: UserLists,
  { upload }: Uploads
) => {
  /** Removes whom the platform has and may have no longer. */
  const removeStale = Effect.fnUntraced(function* (place: Place, row: CampaignRow, listId: string, found: Candidates) {
    const stale = (yield* uploadedHashes(place.accountId, row)).filter((hash) => !found.hashes.has(hash))
    if (stale.length > 0) yield* upload(place, row, listId, "remove", stale)
    return stale.length
  })

  /** Sends all addresses that may go there, and takes those back that may no longer. */
  const refresh = Effect.fnUntraced(function* (place: Place, row: CampaignRow) {
    const { accountId } = place
    const found = yield* candidates(accountId)
    const listId = yield* ensureList(place, row)
    const removed = yield* removeStale(place, row, listId, found)
    const requestId = yield* upload(place, row, listId, "ingest", [...found.hashes])
    const status = requestId === "" ? "done" : "processing"
    yield* unit.write(
      sql`
        update ads_audience set upload_status = ${status}, request_id = ${requestId === "" ? null : requestId},
          emails_sent = ${found.hashes.size}, emails_removed = ${removed}, uploaded_at = instant(), failure_reason = null
        where account_id = ${accountId} and ads_campaign_id = ${row.adsCampaignId}`.pipe(fromSql())
    )
    return { found, removed }
  })

  const outcomeOf = Effect.fnUntraced(function* ({ customerId }: Place, requestId: string) {
    if (requestId.startsWith(offline)) {
      const { rows } = yield* platform.search(
        customerId,
        `SELECT offline_user_data_job.status, offline_user_data_job.failure_reason FROM offline_user_data_job WHERE offline_user_data_job.id = ${requestId.slice(offline.length)}`
      )
      const job = at(rows[0], "offlineUserDataJob")
      return { status: outcomes[textAt(job, "status")], reason: textAt(job, "failureReason") }
    }
    const [destinationStatus] = listAt(yield* platform.uploadStatus(requestId), "requestStatusPerDestination")
    return {
      status: outcomes[textAt(destinationStatus, "requestStatus")],
      reason: textAt(listAt(destinationStatus, "errorInfo", "errorCounts")[0], "reason")
    }
  })

  /** What became of the last upload. */
  const poll = Effect.fnUntraced(function* (place: Place, row: CampaignRow) {
    const { accountId } = place
    const audience = yield* stored(row)
    if (audience?.status !== "processing" || audience.requestId === null) return
    const { reason, status } = yield* outcomeOf(place, audience.requestId)
    if (status === undefined) return
    yield* sql`
      update ads_audience set upload_status = ${status},
        failure_reason = ${status === "done" || reason === "" ? null : reason.slice(0, 100)}
      where account_id = ${accountId} and ads_campaign_id = ${row.adsCampaignId}
        and request_id = ${audience.requestId}`.pipe(fromSql())
  })

  /** Takes back whom the platform has and may have no longer. */
  const upkeep = Effect.fnUntraced(function* (place: Place, row: CampaignRow) {
    const audience = yield* stored(row)
    if (audience === undefined || audience.listId === null) return
    yield* poll(place, row)
    yield* removeStale(
      place,
      row,
      audience.listId,
      row.wanted === "ended" ? nobody : yield* candidates(place.accountId)
    )
  })

  return { poll, refresh, upkeep }
}

/** Lists of the addresses of leads at the platform, one of each campaign. */
export const makeAudience = (
  sql: SqlClient,
  unit: UnitOfWork["Type"],
  platform: AdsPlatform,
  settings: AdsSettingsShape
) => {
  const services: AudienceServices = { sql, unit, platform, settings }
  const rows = makeAudienceRows(services)
  const lists = makeUserLists(services, rows)
  const uploading = makeUploads(services)
  const { stored } = rows
  const { poll, refresh, upkeep } = makeAudienceCare(services, rows, lists, uploading)

  return {
    stored,
    refresh,
    poll,
    upkeep
  }
}

const nobody: Candidates = { hashes: new Set(), withoutEmail: 0, unsubscribed: 0, blacklisted: 0, suppressed: 0 }
