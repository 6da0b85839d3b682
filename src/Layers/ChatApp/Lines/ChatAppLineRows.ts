import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { ChatApp, type ChatAppNumber, type LineSnapshot } from "../../../Services/ChatApp/ChatApp.ts"
import {
  type ChatAppLineView,
  type ChatAppProfile,
  type ChatAppQuality,
  type ChatAppSpend,
  emptyProfile
} from "../../../Services/ChatApp/ChatAppModel.ts"
import { sandboxLinePrefix } from "../../../Services/ChatApp/ChatAppRules.ts"
import type { ServiceMode } from "../../../Services/Core/Outside/IntegrationModes.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import type { JobId } from "../../../Services/Jobs/Ids.ts"
import { selectedAs } from "../../Platform/Postgres/ColumnChanges.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

/** A stored line. `status` is also `failed` if its provisioning was abandoned. */
export interface LineRow {
  readonly status: "provisioning" | "pending_signup" | "live" | "failed"
  readonly uses_own_number: boolean
  readonly phone: string | null
  readonly provider_line_id: string | null
  readonly provider_account_id: string | null
  readonly credential: Uint8Array | null
  readonly display_name: string | null
  readonly quality_rating: ChatAppQuality | null
  readonly profile: Partial<ChatAppProfile>
  readonly signup_key: string | null
  readonly health_issue: string | null
  readonly health_fix: string | null
  readonly job_id: JobId | null
  readonly failure_reason: string | null
  readonly checked_at: Timestamp | null
  readonly created_at: Timestamp
}

/**
 * SQL condition: the line `alias` belongs to the provider in use. Simulated lines do not exist at a real provider, and
 * real lines do not exist in the simulation.
 */
export const isLineOf = (mode: ServiceMode, alias: string): string =>
  `${alias}.provider_line_id ${mode === "sandbox" ? "like" : "not like"} '${sandboxLinePrefix}%'`

const ofOtherMode: { readonly [M in ServiceMode]: string } = {
  live: "It was simulated, and a real provider is set up now.",
  sandbox: "It is a real line, and no provider is set up now."
}

export const makeLineRows = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { mode } = yield* ChatApp
  const isOurs = `(l.provider_line_id is null or ${isLineOf(mode, "l")})`
  const columns = sql.literal(
    selectedAs<LineRow>({
      status: `case when l.status = 'provisioning' and j.status in ('failed', 'cancelled') or not ${isOurs} then 'failed'
        else l.status end`,
      uses_own_number: "l.uses_own_number",
      phone: "l.phone",
      provider_line_id: "l.provider_line_id",
      provider_account_id: "l.provider_account_id",
      credential: "l.credential",
      display_name: "l.display_name",
      quality_rating: "l.quality_rating",
      profile: "l.profile",
      signup_key: "l.signup_key",
      health_issue: "l.health_issue",
      health_fix: "l.health_fix",
      job_id: "l.job_id",
      failure_reason: `case when not ${isOurs} then '${ofOtherMode[mode]}' else coalesce(l.failure_reason,
        case when j.status = 'cancelled' then 'It was cancelled.' else j.failure_reason end) end`,
      checked_at: "l.checked_at",
      created_at: "l.created_at"
    })
  )

  return {
    find: (accountId: AccountId) =>
      sql<LineRow>`
        select ${columns} from chatapp_line l left join background_job j using (account_id, job_id)
        where l.account_id = ${accountId}`.pipe(
        fromSql(),
        Effect.map((rows) => rows[0])
      ),

    allowsOpenings: (accountId: AccountId) =>
      sql`
        select from prospecting_config where account_id = ${accountId} and not allow_template_chatapp_messages`.pipe(
        fromSql(),
        Effect.map((rows) => rows.length === 0)
      ),

    store: (accountId: AccountId, snapshot: LineSnapshot) =>
      sql`
        update chatapp_line set phone = coalesce(${snapshot.phone}, phone), display_name = ${snapshot.displayName},
          quality_rating = ${snapshot.quality}, profile = ${JSON.stringify(snapshot.profile)}::jsonb,
          provider_account_id = coalesce(${snapshot.providerAccountId}, provider_account_id),
          health_issue = ${snapshot.health?.issue ?? null}, health_fix = ${snapshot.health?.fix ?? null},
          checked_at = instant()
        where account_id = ${accountId}`.pipe(fromSql())
  }
})

/** Returns the number of a line. Undefined if it has none. */
export const numberOf = (accountId: AccountId, line: LineRow): ChatAppNumber | undefined =>
  line.provider_line_id === null ? undefined : { accountId, lineId: line.provider_line_id, credential: line.credential }

/** Returns the snapshot of a line that the provider no longer reports on, with the reason. */
export const unusable = (line: LineRow, issue: string): LineSnapshot => ({
  phone: line.phone,
  displayName: line.display_name,
  quality: line.quality_rating ?? "unknown",
  messagingLimit: null,
  isBlocked: true,
  health: {
    issue,
    fix: line.uses_own_number
      ? "Connect the number again, or open a support request with this message."
      : "Open a support request with this message: the platform's own number has to be repaired."
  },
  profile: { ...emptyProfile, ...line.profile },
  providerAccountId: line.provider_account_id
})

/** What tools return for an account without a line. */
const noLine: Omit<ChatAppLineView, "mode" | "spend" | "allows_template_messages"> = {
  status: "not_registered",
  is_ready: false,
  uses_own_number: null,
  phone: null,
  display_name: null,
  quality_rating: null,
  messaging_limit: null,
  profile: null,
  signup_url: null,
  health_issue: null,
  health_fix: null,
  failure_reason: null,
  job_id: null,
  refreshed_at: null,
  created_at: null
}

/** Returns the details of a number: the provider's current ones, or else the stored ones. */
const numberDetails = (line: LineRow, current: LineSnapshot | undefined) => ({
  phone: current?.phone ?? line.phone,
  display_name: current?.displayName ?? line.display_name,
  quality_rating: current?.quality ?? line.quality_rating,
  messaging_limit: current?.messagingLimit ?? null,
  profile: line.status === "live" ? { ...emptyProfile, ...(current?.profile ?? line.profile) } : null
})

/** Returns the line as tools show it: the stored row, with current details if the provider was asked. */
export const viewOf = (options: {
  readonly provider: ChatApp["Type"]
  readonly line: LineRow | undefined
  readonly snapshot: { readonly taken: LineSnapshot; readonly at: Timestamp } | undefined
  readonly spend: ChatAppSpend
  readonly allowsOpenings: boolean
  readonly signupUrl: string | null
}): ChatAppLineView => {
  const { line, provider, signupUrl, snapshot, spend } = options
  const account = { mode: provider.mode, spend, allows_template_messages: options.allowsOpenings }
  if (line === undefined) return { ...noLine, ...account }
  const current = snapshot?.taken
  const isSuspended = line.status === "live" && current?.isBlocked === true
  const health = current === undefined ? { issue: line.health_issue, fix: line.health_fix } : current.health
  return {
    ...account,
    status: isSuspended ? "suspended" : line.status,
    is_ready: line.status === "live" && !isSuspended,
    uses_own_number: line.uses_own_number,
    ...numberDetails(line, current),
    signup_url: line.status === "pending_signup" ? signupUrl : null,
    health_issue: health?.issue ?? null,
    health_fix: health?.fix ?? null,
    failure_reason: line.status === "failed" ? (line.failure_reason ?? "It could not be set up.") : null,
    job_id: line.job_id,
    refreshed_at: snapshot?.at ?? line.checked_at,
    created_at: line.created_at
  }
}
