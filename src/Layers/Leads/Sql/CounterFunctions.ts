/**
 * Functions of the counters. The first release counted without `was_interested`. A released migration must not change,
 * so both versions come from here.
 */

const orReplace = (isReplaced: boolean): string => (isReplaced ? "or replace " : "")

/** Adds up an account's changes of the counters by sector. */
export const foldSectorCounter = (
  hasInterest: boolean
): string => `create ${orReplace(hasInterest)}function fold_sector_counter(account bigint) returns void language plpgsql as $$
begin
  with taken as (
    delete from sector_counter where account_id = account and sector_counter_id = any (array(
      select sector_counter_id from sector_counter where account_id = account for update skip locked
    )) returning campaign_id, division, industry, status, pipeline_state, final_outcome, is_contacted, has_written,${hasInterest ? "\n      was_interested," : ""} change
  )
  insert into sector_counter (account_id, campaign_id, division, industry, status, pipeline_state, final_outcome,
      is_contacted, has_written,${hasInterest ? " was_interested," : ""} change)
    select account, campaign_id, division, industry, status, pipeline_state, final_outcome, is_contacted, has_written,
      ${hasInterest ? "was_interested, " : ""}sum(change)
    from taken group by 2, 3, 4, 5, 6, 7, 8, 9${hasInterest ? ", 10" : ""} having sum(change) <> 0;
end $$;`

const markInterested = `  update lead l set was_interested = true
  where l.account_id = account and not l.was_interested and exists (
    select from lead_lifecycle_event e
    where e.account_id = account and e.lead_id = l.lead_id and e.event_type in ('status_changed', 'registered')
      and lower(coalesce(e.data ->> 'to_status', e.data ->> 'status')) = 'interested'
      and not (e.event_type = 'registered' and e.actor = 'owner'));
`

/** Counts an account's leads again. */
export const recountLeads = (
  hasInterest: boolean
): string => `create ${orReplace(hasInterest)}function recount_leads(account bigint) returns void language plpgsql as $$
begin
${hasInterest ? markInterested : ""}  delete from lead_counter where account_id = account;
  insert into lead_counter (account_id, campaign_id, status, has_linkedin, change)
    select account, l.campaign_id, l.status, l.linkedin_url is not null, count(*) from lead l
    where l.account_id = account group by 2, 3, 4;
  delete from sector_counter where account_id = account;
  insert into sector_counter (account_id, campaign_id, division, industry, status, pipeline_state, final_outcome,
      is_contacted, has_written,${hasInterest ? " was_interested," : ""} change)
    select account, coalesce(l.campaign_id, 0), left(regexp_replace(l.cnae, '[^0-9]', '', 'g'), 2),
      nullif(trim(l.industry), ''), l.status, l.pipeline_state, l.final_outcome, l.last_outbound_at is not null,
      l.last_inbound_at is not null, ${hasInterest ? "l.was_interested, " : ""}count(*)
    from lead l where l.account_id = account group by 2, 3, 4, 5, 6, 7, 8, 9${hasInterest ? ", 10" : ""};
end $$;`
