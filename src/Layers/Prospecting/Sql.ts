import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/**
 * The start of an insert into the dispatch queue. The rest of the statement selects accounts and the time at which they
 * have a lead to contact.
 */
export const insertDue = "insert into dispatch_queue (account_id, due_at)"

/** A part of a statement: deletes the entries that its part `taken` has locked. */
export const takeDue = `delete from dispatch_queue d using taken
    where d.account_id = taken.account_id and d.dispatch_queue_id = taken.dispatch_queue_id`

/**
 * Records that the account has a lead to contact at a time, by default now. The dispatcher only checks accounts with
 * such an entry, so call it after setting a lead's next touch or lifting a block. Entries for soon are always new, so
 * that a claim that cannot see the lead yet does not remove them. Later entries are shared per five minutes.
 */
export const wakeDispatcher = (
  sql: SqlClient,
  accountId: number,
  at?: Timestamp | null
): Effect.Effect<void, Transient> => (at === null ? Effect.void : insertDueTimes(sql, [{ accountId, at: at ?? null }]))

type Due = ReadonlyArray<{ readonly accountId: number; readonly at: Timestamp | null }>

/** Wakes the dispatcher for several accounts. Null means now. */
export const wakeDispatcherForAll = (
  sql: SqlClient,
  unit: UnitOfWork["Type"],
  due: Due
): Effect.Effect<void, Transient> =>
  due.length === 0
    ? Effect.void
    : Effect.suspend(() =>
        Effect.forEach(unit.perAccount(due), (batch) => insertDueTimes(sql, batch), { discard: true })
      )

const insertDueTimes = (sql: SqlClient, due: Due): Effect.Effect<void, Transient> => {
  const accounts = due.map(({ accountId }) => accountId)
  return sql`
    insert into dispatch_queue (account_id, due_at)
    select account_id, at from (
      select distinct account_id,
        coalesce(case when wanted > instant() + interval '10 minutes' then date_bin('5 minutes', wanted, 'epoch')
          else greatest(wanted, instant()) end, instant()) as at
      from unnest(${accounts}::bigint[], ${due.map(({ at }) => at)}::timestamptz[]) as w (account_id, wanted)
    ) entry
    where at < instant() + interval '5 minutes'
      or not exists (select from dispatch_queue d where d.account_id = entry.account_id and d.due_at = entry.at)`.pipe(
    fromSql(),
    Effect.asVoid
  )
}

/** The columns of the targeting, equal for an account and its campaigns. */
export const targetingColumns = `
  cnae_filter text[] not null default '{}',
  cnae_exclusion_filter text[] not null default '{}',
  uf_filter text[] not null default '{}',
  city_filter text[] not null default '{}',
  country_filter text[] not null default '{}',
  min_employee_count integer check (min_employee_count >= 0),
  max_employee_count integer check (max_employee_count >= 0),
  min_annual_revenue double precision check (min_annual_revenue >= 0),
  max_annual_revenue double precision check (max_annual_revenue >= 0),
  company_size_filter text[] not null default '{}'
    check (company_size_filter <@ array['Micro', 'Small', 'Medium', 'Large']),
  company_type_filter text[] not null default '{}'
    check (company_type_filter <@ array['Private', 'Individual', 'Government', 'StateOwned', 'NonProfit']),
  company_audience_filter text[] not null default '{}'
    check (company_audience_filter <@ array['B2B', 'B2C', 'B2BAndB2C', 'Government', 'NonCommercial']),
  min_founding_date date,
  max_founding_date date,
  constraint employee_count_range check (min_employee_count <= max_employee_count),
  constraint annual_revenue_range check (min_annual_revenue <= max_annual_revenue),
  constraint founding_date_range check (min_founding_date <= max_founding_date)`

/** The columns of the instructions to the prospecting agent, equal for an account and its campaigns. */
export const ruleColumns = `
  instructions text,
  email_instructions text,
  chatapp_instructions text,
  voice_instructions text,
  goal text,
  strategy text,
  human_review_criteria text,
  lead_qualification_instructions text`
