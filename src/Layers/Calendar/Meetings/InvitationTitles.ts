import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { invitationTitle } from "../../../Services/Meetings/MeetingTitles.ts"
import { languageOfLead } from "../../../Services/Text/LeadLanguage.ts"

/** The names in an invitation's title. */
export interface TitleRow {
  readonly leadName: string
  readonly leadLanguage: string | null
  readonly leadCountry: string | null
  readonly leadState: string | null
  readonly leadPhone: string | null
  readonly accountLanguage: string
  readonly business: string
}

/** The columns of `TitleRow`, for a meeting's lead `l`. A campaign may use another business name. */
export const titleColumns = (sql: SqlClient): Fragment => sql`
  l.name as "leadName", l.language as "leadLanguage", l.country as "leadCountry", l.state as "leadState",
  l.phone as "leadPhone",
  (select a.language_key from account a where a.account_id = l.account_id) as "accountLanguage",
  coalesce((select nullif(trim(c.business_name), '') from campaign c
      where c.account_id = l.account_id and c.campaign_id = l.campaign_id),
    (select nullif(trim(p.business_name), '') from business_profile p where p.account_id = l.account_id),
    (select a.name from account a where a.account_id = l.account_id)) as business`

export const titleOf = (row: TitleRow): string =>
  invitationTitle(
    row.business,
    row.leadName,
    languageOfLead(
      { language: row.leadLanguage, country: row.leadCountry, state: row.leadState, phone: row.leadPhone },
      row.accountLanguage
    )
  )
