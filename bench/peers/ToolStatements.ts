import { createHash } from "node:crypto"
import { Either } from "effect"
import type pg from "pg"
import { type AccountRow, accounts, viewOf } from "../../src/Layers/Accounts/AccountProfilePostgres.ts"
import { blocksIn } from "../../src/Layers/Leads/LeadFacts.ts"
import { type RowWithTotal, splitTotal } from "../../src/Layers/Leads/LeadLists.ts"
import { type ProfileRow, profileColumns, profileJoins, profileOf } from "../../src/Layers/Leads/LeadProfiles.ts"
import { searchStatement } from "../../src/Layers/Leads/LeadSearchPostgres.ts"
import {
  type Registration,
  withCampaign,
  withoutCampaign
} from "../../src/Layers/Leads/Registration/LeadRegistration.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { countryOfAccount } from "../../src/Services/Blacklist/Blacklist.ts"
import { campaignIdIn } from "../../src/Services/Campaigns/Campaigns.ts"
import type { LeadSummary } from "../../src/Services/Leads/LeadModel.ts"
import { checkNewLead, type NewLead, needsCountry } from "../../src/Services/Leads/NewLead.ts"

/**
 * The four calls as the peers make them: the gateway's statements and domain rules directly on `pg`. Each statement is
 * named, so that the server plans it once per session. A lead, account or token is read by its key.
 */

/** A named statement: `pg` sends its text once per session. */
const names = new Map<string, string>()
const nameOf = (text: string): string => {
  const existingName = names.get(text)
  if (existingName !== undefined) return existingName
  const name = `p${names.size}`
  names.set(text, name)
  return name
}

const rowsOf = async <Row extends object>(
  pool: pg.Pool,
  text: string,
  values: ReadonlyArray<unknown>
): Promise<Array<Row>> => (await pool.query<Row>({ name: nameOf(text), text, values: [...values] })).rows

export interface TokenRow {
  readonly account_id: number
  readonly access_token_id: number
  readonly plan: string
  readonly is_revoked: boolean
  readonly is_expired: boolean
}

/** Looks a token up in the database. */
export const findToken = async (pool: pg.Pool, token: string): Promise<TokenRow | undefined> => {
  const [row] = await rowsOf<TokenRow>(
    pool,
    `select t.account_id, t.access_token_id, a.plan, t.revoked_at is not null as is_revoked,
       coalesce(t.expires_at <= now(), false) as is_expired
     from access_token t join account a using (account_id) where t.token_hash = $1`,
    [createHash("sha256").update(token).digest()]
  )
  return row
}

const settingsAnswer: unknown = JSON.parse(process.env["ANSWER_OF_SETTINGS"] ?? "{}")
/** The part of the answer that follows from the settings of the gateway: `outside_services` and `made_by_rules`. */
const ofSettings = typeof settingsAnswer === "object" ? settingsAnswer : {}

export const whoami = async (pool: pg.Pool, accountId: number) => {
  const [row] = await rowsOf<AccountRow>(pool, `${accounts} where p.account_id = $1`, [accountId])
  if (row === undefined) return undefined
  return { ...viewOf(row), ...ofSettings, outside_outages: [] }
}

/** A lead by its key, as one statement. */
export const profile = `select 1 as place, ${profileColumns} from lead l ${profileJoins} where l.account_id = $1 and l.lead_id = $2`

export const getLead = async (pool: pg.Pool, accountId: number, leadId: number) => {
  const [row] = await rowsOf<ProfileRow>(pool, profile, [accountId, leadId])
  return row === undefined ? undefined : profileOf(row)
}

export type SearchFilter = Parameters<typeof searchStatement>[1]
export type SearchPage = Parameters<typeof searchStatement>[2]

/** The id of the named campaign; undefined if there is none. */
export const findCampaign = async (pool: pg.Pool, accountId: number, campaign: string) => {
  const [row] = await rowsOf<{ readonly campaign_id: NonNullable<SearchFilter["campaignId"]> }>(
    pool,
    `select campaign_id from campaign where account_id = $1 and archived_at is null
       and (fold(name) = fold($2) or campaign_id = $3::bigint) order by fold(name) = fold($2) desc limit 1`,
    [accountId, campaign.trim(), campaignIdIn(campaign) ?? null]
  )
  return row?.campaign_id
}

export const searchLeads = async (pool: pg.Pool, accountId: number, filter: SearchFilter, page: SearchPage) => {
  const { text, values } = searchStatement(AccountId.make(accountId), filter, page)
  const { leads, total } = splitTotal(await rowsOf<RowWithTotal<LeadSummary>>(pool, text, values))
  return { leads, page: page.page, page_size: page.pageSize, total }
}

const countryOf = async (pool: pg.Pool, accountId: number) => {
  const [row] = await rowsOf<{ readonly phone: string | null; readonly languageKey: string }>(
    pool,
    `select phone, language_key as "languageKey" from account where account_id = $1`,
    [accountId]
  )
  return row === undefined ? "BR" : countryOfAccount(row)
}

/** A refusal of a tool, by its `reason`. */
export class ToolRefused extends Error {
  readonly reason: string
  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

export const registerLead = async (pool: pg.Pool, accountId: number, lead: NewLead) => {
  const country = needsCountry(lead) ? await countryOf(pool, accountId) : "BR"
  const checked = checkNewLead(lead, country)
  if (Either.isLeft(checked)) throw new ToolRefused(checked.left.reason)
  const { campaign, company, email, name, phone, status } = checked.right
  const values = [accountId, name, email ?? null, phone ?? null, company ?? null, status]
  for (let attempt = 0; attempt < 5; attempt++) {
    const [row] = await (campaign === undefined
      ? rowsOf<Registration>(pool, withoutCampaign, values)
      : rowsOf<Registration>(pool, withCampaign, [...values, campaign.trim(), campaignIdIn(campaign) ?? null]))
    if (row === undefined || row.is_erased) throw new ToolRefused("lead_erased")
    if (campaign !== undefined && !row.is_campaign_found) return undefined
    if (row.lead_id === null) continue
    return {
      lead_id: row.lead_id,
      created: row.created,
      status: row.status,
      pipeline_state: row.pipeline_state,
      ...blocksIn({ pipeline: row.pipeline_state, isUnsubscribed: row.is_unsubscribed }, row),
      // The benchmark registers no one a second time with more than was known.
      filled: [],
      not_filled: []
    }
  }
  throw new Error("The same lead is being registered and removed elsewhere.")
}
