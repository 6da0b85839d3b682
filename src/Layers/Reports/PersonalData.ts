import { Effect } from "effect"
import { isPastFollowed } from "../Leads/Sql.ts"
import type { PersonalData } from "../Platform/PersonalData.ts"
import { daysOfLeads } from "./DayFacts.ts"
import { groupKeys } from "./Figures.ts"

/** Marks the days of an erased lead for a new count. After the erasure these days could no longer be found. */
export const reportsPersonalData: PersonalData = {
  forget: (sql, { accountId, leadId }) =>
    Effect.gen(function* () {
      const followed = yield* sql<{ readonly zone: string }>`
        select a.time_zone as zone from account a where a.account_id = ${accountId} and ${isPastFollowed(sql, accountId)}`
      for (const { zone } of followed) {
        yield* sql`
          insert into report_stale_day (account_id, day)
          select ${accountId}, d.day from (${daysOfLeads(sql, { accountId, zone }, sql`select ${leadId}::bigint`)}) d`
        // A sector's name may contain the person's name, so the figures of those days are deleted.
        yield* sql`
          delete from report_group g using lead l
          where g.account_id = ${accountId} and l.account_id = ${accountId} and l.lead_id = ${leadId}
            and (g.state = ${sql.literal(groupKeys.state)} or g.cnae = ${sql.literal(groupKeys.cnae)}
              or g.industry = ${sql.literal(groupKeys.industry)})
            and g.day in (select s.day from report_stale_day s where s.account_id = ${accountId})`
      }
    })
}
