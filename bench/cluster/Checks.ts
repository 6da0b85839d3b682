import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import type { Ledger } from "./Work.ts"

/** What the database contains of the acknowledged work. */
export interface Found {
  readonly lostLeads: number
  readonly twiceLeads: number
  readonly lostMails: number
  readonly twiceMails: number
  readonly unsentMails: number
  readonly lostRows: number
  readonly unfinishedImports: number
  readonly givenUpTasks: number
}

const settled = `
select
  (select count(*) from email_message where status in ('queued', 'sending'))
  + (select count(*) from lead_import where told_at is null)::int
  + (select count(*) from graphile_worker.jobs where attempts < max_attempts and run_at <= now()
      and task_identifier ~ '^(send_|background|import)')::int as open`

const count = async (client: pg.Client, text: string, values: ReadonlyArray<unknown> = []): Promise<number> => {
  const { rows } = await client.query<{ readonly found: number }>(text, [...values])
  return Number(rows[0]?.found ?? 0)
}

/** Waits until the work is done, and compares the ledger with the rows. */
export const check = async (database: pg.ClientConfig, ledger: Ledger, seconds: number): Promise<Found> => {
  const client = new pg.Client(database)
  await client.connect()
  try {
    for (let tries = 0; tries < seconds * 4; tries++) {
      const { rows } = await client.query<{ readonly open: number }>(settled)
      if (Number(rows[0]?.open ?? 0) === 0) break
      await pause(250)
    }
    const acknowledgedEmails = [[...ledger.leads.keys()]]
    const mails = [[...ledger.mails]]
    const rows = [[...ledger.imports.values()].flat()]
    const missing = (table: string, column: string) =>
      `select count(*) as found from unnest($1::text[]) told where not exists (select from ${table} t where t.${column} = told)`
    return {
      lostLeads: await count(client, missing("lead", "email"), acknowledgedEmails),
      twiceLeads: await count(
        client,
        "select count(*) as found from (select from lead group by account_id, email having count(*) > 1) twice"
      ),
      lostMails: await count(client, missing("email_message", "subject"), mails),
      twiceMails: await count(
        client,
        `select count(*) as found from (
          select from email_message where subject like 'Mail w%' group by subject having count(*) > 1
          union all
          select from sandbox_mail where subject like 'Mail w%' and direction = 'outbound' group by subject having count(*) > 1
        ) twice`
      ),
      unsentMails: await count(
        client,
        `select count(*) as found from unnest($1::text[]) told
         where not exists (select from sandbox_mail t where t.subject = told and t.direction = 'outbound')`,
        mails
      ),
      lostRows: await count(client, missing("lead", "email"), rows),
      unfinishedImports: await count(client, "select count(*) as found from lead_import where told_at is null"),
      givenUpTasks: await count(
        client,
        "select count(*) as found from graphile_worker.jobs where attempts >= max_attempts"
      )
    }
  } finally {
    await client.end()
  }
}
