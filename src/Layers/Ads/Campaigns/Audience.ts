import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { type HashedPerson, hashesOf } from "../../../Services/Ads/AudienceMembers.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import { at, numberAt, textAt } from "../../Platform/AnswerPaths.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import type { AdsSettingsShape } from "../AdsSettings.ts"
import { AdsFailure } from "../Calling/AdsFailure.ts"
import { type AdsPlatform, idOf } from "../Calling/AdsPlatform.ts"
import type { CampaignRow } from "./CampaignRows.ts"
import {
  type Candidates,
  candidatesOf,
  consentOf,
  destinationsOf,
  noCandidates,
  userIdentifiers
} from "./HashedPeople.ts"
import type { Place } from "./PlatformContent.ts"
import { outcomeOfStatus, type UploadStatus, uploadOutcome } from "./UploadOutcome.ts"

/** The prefix of offline job ids in `settings.audience`. */
const offline = "job:"
/** The platform's maximum per request. */
const membersAtATime = 10_000
const lifeSpanDays = 540
/** A bid multiplied by this is unchanged. */
const neutralBid = 1

type UploadKind = "ingest" | "remove"

const identifiersIn = (people: ReadonlyArray<HashedPerson>) => ({
  emails: people.filter(({ email }) => email !== undefined).length,
  phones: people.filter(({ phone }) => phone !== undefined).length
})

export interface AudienceRow {
  readonly listId: string | null
  readonly isAttached: boolean
  readonly status: "none" | "processing" | UploadStatus
  readonly requestId: string | null
  readonly sent: number
  readonly removed: number
  readonly phonesSent: number
  readonly phonesRemoved: number
  readonly uploadedAt: Timestamp | null
  readonly failureReason: string | null
  readonly members: number
}

interface AudienceServices {
  readonly sql: SqlClient
  readonly unit: UnitOfWork["Type"]
  readonly platform: AdsPlatform
  readonly settings: AdsSettingsShape
}

/**
 * Converts a consent from Google Ads' name to the Data Manager's, for example `STATUS_UNSPECIFIED` to `UNSPECIFIED`.
 */
const adsConsent = (status: string): string => status.replace(/^CONSENT_(?:STATUS_)?/, "")

const makeAudienceRows = ({ sql }: AudienceServices) => {
  const stored = Effect.fnUntraced(function* (row: CampaignRow) {
    const { accountId } = yield* Caller
    const [found] = yield* sql<AudienceRow>`
      select external_list_id as "listId", is_attached as "isAttached", upload_status as status,
        request_id as "requestId", emails_sent as sent, emails_removed as removed,
        phones_sent as "phonesSent", phones_removed as "phonesRemoved", uploaded_at as "uploadedAt",
        failure_reason as "failureReason",
        (select count(*) from ads_audience_member m where m.account_id = ${accountId}
          and m.ads_campaign_id = a.ads_campaign_id) as members
      from ads_audience a where a.account_id = ${accountId} and a.ads_campaign_id = ${row.adsCampaignId}`.pipe(
      fromSql()
    )
    return found
  })

  const uploadedHashes = Effect.fnUntraced(function* (accountId: AccountId, row: CampaignRow) {
    return yield* sql<{ readonly hash: string; readonly kind: "email" | "phone" }>`
      select identifier_hash as hash, kind from ads_audience_member
      where account_id = ${accountId} and ads_campaign_id = ${row.adsCampaignId}
      order by identifier_hash`.pipe(fromSql())
  })

  return { uploadedHashes, stored }
}
type AudienceRows = ReturnType<typeof makeAudienceRows>

const makeUserLists = ({ platform, sql }: AudienceServices, { stored }: AudienceRows) => {
  const listName = ({ adsCampaignId }: CampaignRow) => `Leads [${adsCampaignId}]`

  /**
   * Attaches the list to the campaign for observation only, so that the ads are also shown to other people. The list
   * does not change bids. Bids that an earlier version raised are corrected.
   */
  const attach = Effect.fnUntraced(function* ({ customerId }: Place, { externalId }: CampaignRow, listId: string) {
    if (externalId === null) return false
    const criteria = yield* platform.search(
      customerId,
      `SELECT campaign_criterion.criterion_id, campaign_criterion.user_list.user_list, campaign_criterion.bid_modifier FROM campaign_criterion WHERE campaign.id = ${externalId} AND campaign_criterion.type = 'USER_LIST'`
    )
    const resource = `customers/${customerId}/userLists/${listId}`
    const criterion = at(
      criteria.rows.find((each) => textAt(each, "campaignCriterion", "userList", "userList") === resource),
      "campaignCriterion"
    )
    const bidModifier = numberAt(criterion, "bidModifier") ?? neutralBid
    if (criterion !== undefined && bidModifier === neutralBid) return true
    yield* platform.mutate(customerId, [
      {
        campaignCriterionOperation:
          criterion === undefined
            ? {
                create: {
                  campaign: `customers/${customerId}/campaigns/${externalId}`,
                  userList: { userList: resource }
                }
              }
            : {
                update: {
                  resourceName: `customers/${customerId}/campaignCriteria/${externalId}~${textAt(criterion, "criterionId")}`,
                  bidModifier: neutralBid
                },
                updateMask: "bid_modifier"
              }
      }
    ])
    return true
  })

  /** Returns the list at the platform. Creates and attaches it if it is missing. */
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
    const isAttached = before?.isAttached === true || (yield* attach({ accountId, customerId }, row, listId))
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
  const byDataManager = (place: Place, listId: string, kind: UploadKind, people: ReadonlyArray<HashedPerson>) =>
    platform.dataManager(`audienceMembers:${kind}`, {
      ...destinationsOf(platform, place, listId),
      audienceMembers: people.map((person) => ({ userData: { userIdentifiers: userIdentifiers(person) } })),
      encoding: "HEX",
      ...(kind === "ingest"
        ? {
            consent: consentOf(settings),
            termsOfService: { customerMatchTermsOfServiceStatus: "ACCEPTED" },
            validateOnly: false
          }
        : { validateOnly: false })
    })

  /** Uploads by an older API. Only projects that used it before the Data Manager may still do so. */
  const byOfflineJob = Effect.fnUntraced(function* (
    { customerId }: Place,
    listId: string,
    kind: UploadKind,
    people: ReadonlyArray<HashedPerson>
  ) {
    const made = yield* platform.post(customerId, "/offlineUserDataJobs:create", {
      job: {
        type: "CUSTOMER_MATCH_USER_LIST",
        customerMatchUserListMetadata: {
          userList: `customers/${customerId}/userLists/${listId}`,
          consent: {
            adUserData: adsConsent(settings.audience.adUserData),
            adPersonalization: adsConsent(settings.audience.adPersonalization)
          }
        }
      }
    })
    const job = idOf(textAt(made, "resourceName"))
    if (job === "") return yield* new AdsFailure({ reason: "unknown" })
    yield* platform.post(customerId, `/offlineUserDataJobs/${job}:addOperations`, {
      operations: people.map((person) => ({
        [kind === "ingest" ? "create" : "remove"]: { userIdentifiers: userIdentifiers(person, "offlineJob") }
      }))
    })
    yield* platform.post(customerId, `/offlineUserDataJobs/${job}:run`, {})
    return `${offline}${job}`
  })

  const upload = Effect.fnUntraced(function* (
    place: Place,
    row: CampaignRow,
    listId: string,
    kind: UploadKind,
    people: ReadonlyArray<HashedPerson>
  ) {
    const { accountId } = place
    let requestId = ""
    for (let from = 0; from < people.length; from += membersAtATime) {
      const part = people.slice(from, from + membersAtATime)
      const emails = part.flatMap(({ email }) => email ?? [])
      const phones = part.flatMap(({ phone }) => phone ?? [])
      // Recorded before the upload, so that everyone who may be in the list is removed again later.
      if (kind === "ingest") {
        yield* sql`
          insert into ads_audience_member (account_id, ads_campaign_id, identifier_hash, kind)
          select ${accountId}, ${row.adsCampaignId}, m.hash, m.kind
          from unnest(${[...emails, ...phones]}::text[],
            ${[...emails.map(() => "email"), ...phones.map(() => "phone")]}::text[]) as m (hash, kind)
          on conflict do nothing`.pipe(fromSql())
      }
      const send = settings.audience.uploads === "offline_jobs" ? byOfflineJob : byDataManager
      requestId = yield* send(place, listId, kind, part)
      if (kind === "remove") {
        yield* sql`
          delete from ads_audience_member where account_id = ${accountId} and ads_campaign_id = ${row.adsCampaignId}
            and identifier_hash = any(${[...emails, ...phones]}::text[])`.pipe(fromSql())
      }
    }
    return requestId
  })

  return { upload }
}
type Uploads = ReturnType<typeof makeUploads>

const makeAudienceCare = (
  { platform, sql, unit }: AudienceServices,
  { uploadedHashes, stored }: AudienceRows,
  { ensureList }: UserLists,
  { upload }: Uploads
) => {
  /**
   * Removes people who are in the platform's list but no longer allowed. Each identifier is removed separately, because
   * a lead may lose one.
   */
  const removeStale = Effect.fnUntraced(function* (place: Place, row: CampaignRow, listId: string, found: Candidates) {
    const allowed = new Set(found.people.flatMap(hashesOf))
    const stale = (yield* uploadedHashes(place.accountId, row)).filter(({ hash }) => !allowed.has(hash))
    const people = stale.map(({ hash, kind }): HashedPerson => ({ email: undefined, phone: undefined, [kind]: hash }))
    if (people.length > 0) yield* upload(place, row, listId, "remove", people)
    return identifiersIn(people)
  })

  /** Uploads all people who are allowed, and removes those who no longer are. */
  const refresh = Effect.fnUntraced(function* (place: Place, row: CampaignRow) {
    const { accountId } = place
    const found = yield* candidatesOf(sql, accountId)
    const listId = yield* ensureList(place, row)
    const removed = yield* removeStale(place, row, listId, found)
    const sent = identifiersIn(found.people)
    const requestId = yield* upload(place, row, listId, "ingest", found.people)
    const status = requestId === "" ? "done" : "processing"
    yield* unit.write(
      sql`
        update ads_audience set upload_status = ${status}, request_id = ${requestId === "" ? null : requestId},
          emails_sent = ${sent.emails}, emails_removed = ${removed.emails}, phones_sent = ${sent.phones},
          phones_removed = ${removed.phones}, uploaded_at = instant(), failure_reason = null
        where account_id = ${accountId} and ads_campaign_id = ${row.adsCampaignId}`.pipe(fromSql())
    )
    return { found, removed, sent }
  })

  const outcomeOf = Effect.fnUntraced(function* ({ customerId }: Place, requestId: string) {
    if (requestId.startsWith(offline)) {
      const { rows } = yield* platform.search(
        customerId,
        `SELECT offline_user_data_job.status, offline_user_data_job.failure_reason FROM offline_user_data_job WHERE offline_user_data_job.id = ${requestId.slice(offline.length)}`
      )
      const job = at(rows[0], "offlineUserDataJob")
      return { status: outcomeOfStatus(textAt(job, "status")), reason: textAt(job, "failureReason") }
    }
    return uploadOutcome(yield* platform.uploadStatus(requestId))
  })

  /** Reads the result of the last upload. */
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

  /** Removes people who are no longer allowed from the platform's list, and attaches the list if needed. */
  const upkeep = Effect.fnUntraced(function* (place: Place, row: CampaignRow) {
    const audience = yield* stored(row)
    if (audience === undefined || audience.listId === null) return
    yield* poll(place, row)
    const found = row.wanted === "ended" ? noCandidates : yield* candidatesOf(sql, place.accountId)
    yield* removeStale(place, row, audience.listId, found)
    if (row.wanted !== "ended" && !audience.isAttached) yield* ensureList(place, row)
  })

  return { poll, refresh, upkeep }
}

/** Lists of leads at the platform, one per campaign. */
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
