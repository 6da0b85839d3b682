import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { type HashedPerson, hashedPerson, hashesOf } from "../../../Services/Ads/AudienceMembers.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import type { AdsSettingsShape } from "../AdsSettings.ts"
import type { AdsPlatform } from "../Calling/AdsPlatform.ts"
import type { Place } from "./PlatformContent.ts"

/** The names of a person's identifiers in the two interfaces of the platform. */
const names = {
  dataManager: { email: "emailAddress", phone: "phoneNumber" },
  offlineJob: { email: "hashedEmail", phone: "hashedPhoneNumber" }
} as const

/** A person's identifiers in the shape of the platform's Data Manager, or of its older offline jobs. */
export const userIdentifiers = ({ email, phone }: HashedPerson, way: keyof typeof names = "dataManager") => [
  ...(email === undefined ? [] : [{ [names[way].email]: email }]),
  ...(phone === undefined ? [] : [{ [names[way].phone]: phone }])
]

export const consentOf = ({ audience }: AdsSettingsShape) => ({
  adUserData: audience.adUserData,
  adPersonalization: audience.adPersonalization
})

/** The destination of an upload to the Data Manager: a user list, or a conversion action. */
export const destinationsOf = ({ managerId }: AdsPlatform, { customerId }: Place, productDestinationId: string) => ({
  destinations: [
    {
      operatingAccount: { accountType: "GOOGLE_ADS", accountId: customerId },
      loginAccount: { accountType: "GOOGLE_ADS", accountId: managerId },
      productDestinationId
    }
  ]
})

type WhyNot = "unsubscribed" | "blacklisted" | "suppressed"

/** SQL for the opt-out because of which no data of a lead `l` may be sent to the platform. Null if data may be sent. */
export const optOutReasonSql = (sql: SqlClient, accountId: AccountId) => sql`
  case when l.unsubscribed_at is not null then 'unsubscribed'
    when exists (select from blacklist_entry e where e.account_id = ${accountId}
      and (e.kind = 'email' and e.value = lower(l.email) or e.kind = 'phone' and e.value = l.phone
        or e.kind = 'domain' and e.value = substring(lower(l.email) from '@([^@]*)$'))) then 'blacklisted'
    when l.email_failed_at is not null or exists (select from email_suppression s where s.account_id = ${accountId}
      and s.email = lower(l.email)) then 'suppressed' end`

interface LeadContact {
  readonly email: string | null
  readonly phone: string | null
  readonly why: WhyNot | null
}

/** The people in an account's audience, and how many were left out. */
export interface Candidates {
  readonly people: ReadonlyArray<HashedPerson>
  readonly withoutEmail: number
  readonly unsubscribed: number
  readonly blacklisted: number
  readonly suppressed: number
}

export const noCandidates: Candidates = { people: [], withoutEmail: 0, unsubscribed: 0, blacklisted: 0, suppressed: 0 }

/** The leads that may be sent to the platform: none who opted out in any way. */
export const candidatesOf = Effect.fnUntraced(function* (sql: SqlClient, accountId: AccountId) {
  const leads = yield* sql<LeadContact>`
    select l.email, l.phone, ${optOutReasonSql(sql, accountId)} as why from lead l
    where l.account_id = ${accountId} order by l.lead_id`.pipe(fromSql())
  const count = (isMeant: (lead: LeadContact) => boolean) => leads.filter(isMeant).length
  const candidates: Candidates = {
    people: leads
      .filter(({ why }) => why === null)
      .map(({ email, phone }) => hashedPerson(email, phone))
      .filter((person) => hashesOf(person).length > 0),
    withoutEmail: count(({ email, why }) => email === null && why === null),
    unsubscribed: count(({ why }) => why === "unsubscribed"),
    blacklisted: count(({ why }) => why === "blacklisted"),
    suppressed: count(({ why }) => why === "suppressed")
  }
  return candidates
})
