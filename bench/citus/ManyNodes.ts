/** A statement that a cluster may ask several nodes at once: what stands in it, with single blanks, and why. */
export interface ManyNodes {
  readonly says: string
  readonly why: string
}

const claims =
  "takes what is due, whosever it is: one look for all accounts, each row judged once more where it is taken"
const sweeps = "by the clock, for all accounts: finds or removes what is over"
const folds = "by the clock, for all accounts: finds whose counters have become many"

/** All statements of the product that are about more than one account. Any other one that goes to several nodes is a mistake. */
export const manyNodes: ReadonlyArray<ManyNodes> = [
  { says: "with waiting as ( select s.account_id, s.webhook_subscription_id, first.next_attempt_at", why: claims },
  {
    says: "held (account_id, webhook_subscription_id, lease_number)",
    why: "reads and keeps the deliveries that were taken together"
  },
  { says: "with outcome as ( select * from unnest(", why: "notes how deliveries ended that were taken together" },
  { says: "with first as ( select distinct account_id from ( select d.account_id from outreach_due", why: claims },
  { says: "with taken as ( select account_id, lead_id, lead_change_id from lead_change where", why: claims },
  { says: "with due as ( select account_id, meeting_id from meeting where reminded_at is null", why: claims },
  {
    says: "with announced as ( select m.account_id, m.meeting_id, m.starts_at, 'meeting_booked' as notice",
    why: claims
  },
  { says: "from lead_source s join account a on a.account_id = s.account_id join connection c", why: claims },
  { says: "delete from customer_file where completed_at is null and created_at <", why: sweeps },
  { says: "delete from crawled_page where fetched_at <", why: sweeps },
  {
    says: "with old as ( (select account_id, webhook_delivery_id from webhook_delivery where created_at <",
    why: sweeps
  },
  { says: "delete from webhook_subscription s where s.deleted_at <", why: sweeps },
  {
    says: "select l.account_id, l.lead_id from lead l where l.pipeline_state = 'in_pipeline' and l.next_touch_at is null",
    why: "each night, for the operator: leads that nothing is set for"
  },
  { says: "select account_id from lead_counter group by account_id", why: folds },
  { says: "select account_id from sector_counter group by account_id", why: folds }
]
