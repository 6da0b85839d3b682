import type { SqlClient } from "@effect/sql/SqlClient"
import type { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { TokenOwner } from "../../../Services/Websites/Forms/FormTokens.ts"
import type { FormScope, SignInScope } from "../../../Services/Websites/Forms/FormVerdict.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

export interface CountedPlace<S extends FormScope | SignInScope> {
  readonly scope: S
  readonly place: string
  readonly seconds: number
}

/**
 * Adds one to each counter, and returns the counts in the current window. The counters are updated in the given order,
 * which is always the same, so that two transactions cannot wait for each other.
 */
export const countMore = <S extends FormScope | SignInScope>(
  sql: SqlClient,
  { accountId, websiteId }: TokenOwner,
  places: ReadonlyArray<CountedPlace<S>>
): Effect.Effect<
  ReadonlyArray<{ readonly scope: S; readonly count: number; readonly secondsLeft: number }>,
  Transient
> =>
  sql<{ readonly scope: S; readonly count: number; readonly secondsLeft: number }>`
    with counted as (
      insert into site_form_count as c (account_id, website_id, scope, place, count, since, expires_at)
      select ${accountId}, ${websiteId}, g.scope, g.place, 1, instant(), instant() + make_interval(secs => g.seconds)
      from unnest(${places.map(({ scope }) => scope)}::text[], ${places.map(({ place }) => place)}::text[],
        ${places.map(({ seconds }) => seconds)}::int[]) with ordinality g (scope, place, seconds, ordinal)
      order by g.ordinal
      on conflict (account_id, website_id, scope, place) do update set
        count = case when c.expires_at <= excluded.since then 1 else c.count + 1 end,
        since = case when c.expires_at <= excluded.since then excluded.since else c.since end,
        expires_at = case when c.expires_at <= excluded.since then excluded.expires_at else c.expires_at end
      returning scope, count, expires_at
    )
    select scope, count, extract(epoch from expires_at - instant())::float8 as "secondsLeft" from counted`.pipe(
    fromSql()
  )
