import { Effect, Layer, Option } from "effect"
import { permanent } from "../../Errors.ts"
import {
  AccountProfile,
  type AccountProfileView,
  prospectingEligibility
} from "../../Services/Accounts/AccountProfile.ts"
import type { AccountId, Plan } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { makeLookupBatcher } from "../Platform/Postgres/grouped/LookupBatcher.ts"
import { identityColumns, offsetHours } from "./Sql.ts"

export interface AccountRow {
  readonly account_id: AccountId
  readonly name: string
  readonly phone: string | null
  readonly email: string | null
  readonly language: string
  readonly timezone_offset_utc_hours: number
  readonly plan: Plan
  readonly is_prospecting_active: boolean
  readonly business_name: string | null
  readonly mail_display_name: string | null
  readonly has_campaign_identity: boolean
}

export const viewOf = ({
  business_name,
  has_campaign_identity,
  is_prospecting_active,
  mail_display_name,
  ...row
}: AccountRow): AccountProfileView => ({
  ...row,
  prospecting_eligibility: prospectingEligibility({
    isProspectingActive: is_prospecting_active,
    businessName: business_name,
    senderName: mail_display_name,
    hasCampaignIdentity: has_campaign_identity
  })
})

/** The select of account profiles, without the condition. */
export const accounts = `
  select a.account_id, name, phone, a.email, language_key as language, ${offsetHours()} as timezone_offset_utc_hours, plan,
    is_prospecting_active, ${identityColumns}
  from prospecting_config p join account a on a.account_id = p.account_id
    left join business_profile b on b.account_id = p.account_id`

const closed = permanent("account_closed", "The account was closed.", "Contact support if this is not expected.")

const make = Effect.gen(function* () {
  // Every agent reads the profile first and often, so the calls of one turn of the event loop share a statement.
  const profiles = yield* makeLookupBatcher({
    maximumKeys: 100,
    accountOf: (accountId: AccountId) => accountId,
    text: `${accounts} where p.account_id = any($1)`,
    values: (accountIds: ReadonlyArray<AccountId>) => [[...new Set(accountIds)]],
    found: (accountIds, rows: ReadonlyArray<AccountRow>) => {
      const found = new Map(rows.map((row) => [row.account_id, viewOf(row)]))
      return accountIds.map((accountId) => Option.fromNullable(found.get(accountId)))
    }
  })

  return AccountProfile.of({
    get: Effect.flatMap(Caller, ({ accountId }) =>
      Effect.flatMap(profiles.get(accountId), (found) =>
        Option.isSome(found) ? Effect.succeed(found.value) : Effect.fail(closed)
      )
    )
  })
})

export const AccountProfilePostgres = Layer.effect(AccountProfile, make)
