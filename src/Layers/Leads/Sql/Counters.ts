/** The columns that the counters of leads depend on. `alias` is the lead's. */
export const countedColumns = (alias: string): string =>
  `${alias}.account_id, ${alias}.lead_id, ${alias}.campaign_id, ${alias}.status,
    ${alias}.linkedin_url is not null as has_linkedin, ${alias}.pipeline_state,
    ${alias}.last_outbound_at is not null as is_contacted, ${alias}.last_inbound_at is not null as has_written, ${alias}.was_interested,
    left(regexp_replace(${alias}.cnae, '[^0-9]', '', 'g'), 2) as division,
    nullif(trim(${alias}.industry), '') as sector, ${alias}.final_outcome as outcome`

const names = [
  "campaign_id",
  "status",
  "has_linkedin",
  "pipeline_state",
  "is_contacted",
  "has_written",
  "was_interested",
  "division",
  "sector",
  "outcome"
]
const facts = names.join(", ")

const counting = (changes: string): string => `
  counter_change as (${changes}),
  counted_lead as (
    insert into lead_counter (account_id, campaign_id, status, has_linkedin, change)
    select account_id, campaign_id, status, has_linkedin, sum(change) from counter_change
    group by account_id, campaign_id, status, has_linkedin having sum(change) <> 0
  ),
  counted_sector as (
    insert into sector_counter (account_id, campaign_id, division, industry, status, pipeline_state, final_outcome,
      is_contacted, has_written, was_interested, change)
    select account_id, coalesce(campaign_id, 0), division, sector, status, pipeline_state, outcome, is_contacted,
      has_written, was_interested, sum(change)
    from counter_change group by account_id, coalesce(campaign_id, 0), division, sector, status, pipeline_state, outcome,
      is_contacted, has_written, was_interested having sum(change) <> 0
  )`

/** The columns by which finished days of leads are grouped. Nulls are replaced, because null equals nothing. */
const group = (alias: string): string =>
  `coalesce(${alias}.campaign_id, 0), coalesce(${alias}.division, '-'), coalesce(${alias}.sector, '-')`

/**
 * Parts of a `with` that update the counters after a change of leads. A statement that changes a lead's status,
 * campaign, pipeline state or first contact includes them. It also needs a part `before`, which locks the leads, and a
 * part `changed`, which returns them, both with `countedColumns`. `changed` must read `before`: otherwise rows could
 * change before they are locked. `is true` keeps the look-up a hash table: as a join, the planner compares every lead
 * with every other while the table has no statistics, and 5000 leads took ten seconds.
 */
export const countChanged = `${counting(`
    select b.account_id, ${names.map((name) => `b.${name}`).join(", ")}, -1 as change
    from before b where ((b.account_id, b.lead_id) in (select account_id, lead_id from changed)) is true
    union all select account_id, ${facts}, 1 from changed`)},
  told_of_past as (
    insert into lead_past_change (account_id, lead_id)
    select c.account_id, c.lead_id from changed c join lead_past_follower f on f.account_id = c.account_id
    where ((c.account_id, c.lead_id, ${group("c")}) in (select account_id, lead_id, ${group("before")} from before)) is not true
  )`

/** Parts of a `with` that update the counters for leads that a part `created` returns. */
export const countCreated = counting(`select account_id, ${facts}, 1 as change from created`)

/** Parts of a `with` that update the counters for leads that a part `removed` returns. */
export const countRemoved = counting(`select account_id, ${facts}, -1 as change from removed`)
