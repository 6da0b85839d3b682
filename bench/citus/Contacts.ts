import type pg from "pg"
import type { SampleAccount } from "../support/SampleLeads.ts"

/** The outreach engine's work for accounts during other calls. */

/** Due leads per account. */
const dueOfEach = 5

const idsOf = (accounts: ReadonlyArray<SampleAccount>) => accounts.map(({ accountId }) => accountId)

/** The number of due leads of these accounts. */
export const dueOf = (accounts: ReadonlyArray<SampleAccount>): number =>
  accounts.reduce((sum, { leads }) => sum + Math.min(leads, dueOfEach), 0)

/** Makes some leads of each account due in a number of seconds, after setting the sender. */
export const makeDue = async (client: pg.Client, accounts: ReadonlyArray<SampleAccount>, seconds: number) => {
  await client.query(
    "update account set is_prospecting_active = true, mail_display_name = 'Bench' where account_id = any ($1::bigint[])",
    [idsOf(accounts)]
  )
  for (const { accountId, firstLeadId } of accounts) {
    await client.query(
      "insert into business_profile (account_id, business_name) values ($1, 'Bench') on conflict do nothing",
      [accountId]
    )
    await client.query(
      `update lead set pipeline_state = 'in_pipeline', next_touch_at = now() + make_interval(secs => $2)
       where account_id = $1 and lead_id between $3::bigint and $3::bigint + $4 - 1`,
      [accountId, seconds, firstLeadId, dueOfEach]
    )
    await client.query(
      "insert into dispatch_queue (account_id, due_at) select $1::bigint, now() + make_interval(secs => $2)",
      [accountId, seconds]
    )
  }
}

/** How many of these leads got a message so far. */
export const writtenOf = async (client: pg.Client, accounts: ReadonlyArray<SampleAccount>): Promise<number> => {
  let writtenLeads = 0
  for (const { accountId, firstLeadId } of accounts) {
    const { rows } = await client.query<{ readonly written: number }>(
      `select count(distinct lead_id)::int as written from touch
       where account_id = $1 and lead_id between $2::bigint and $2::bigint + $3 - 1 and status <> 'writing'`,
      [accountId, firstLeadId, dueOfEach]
    )
    writtenLeads += rows[0]?.written ?? 0
  }
  return writtenLeads
}
