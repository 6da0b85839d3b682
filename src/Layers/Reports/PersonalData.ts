import { Effect } from "effect"
import { pastFollowed } from "../Leads/Sql.ts"
import type { PersonalData } from "../Platform/PersonalData.ts"
import { daysOfLeads } from "./DayFacts.ts"

/** Days that an erased lead was counted on are counted anew: afterwards nobody knows which they were. */
export const reportsPersonalData: PersonalData = {
  forget: (sql, { accountId, leadId }) =>
    Effect.gen(function* () {
      const followed = yield* sql<{ readonly zone: string }>`
        select a.time_zone as zone from account a where a.account_id = ${accountId} and ${pastFollowed(sql, accountId)}`
      for (const { zone } of followed) {
        yield* sql`
          insert into report_stale_day (account_id, day)
          select ${accountId}, d.day from (${daysOfLeads(sql, { accountId, zone }, sql`select ${leadId}::bigint`)}) d`
      }
    })
}
