/** A statement that may use several nodes of a cluster, recognised by a part of its text with single blanks. */
interface Purpose {
  readonly why: string
  readonly says: ReadonlyArray<string>
}

/**
 * All statements of the product that concern more than one account, by purpose. Any other statement that uses several
 * nodes is a mistake: one of its tables lacks the account.
 */
export const manyNodes: ReadonlyArray<Purpose> = [
  {
    why: "looks, without locks, whose turn it is; what is found is done account by account, or judged once more where it is taken",
    says: [
      // Ads
      'select c.account_id as "accountId", a.plan, c.ads_campaign_id as id from ads_campaign c join account a',
      'select c.account_id as "accountId", a.plan, c.ads_campaign_id as id from ads_audience u',
      "from ads_campaign c join account a on a.account_id = c.account_id where c.due_at is not null",
      // Calendar
      "update calendar_mirror m set due_at =",
      // Companies
      'select a.account_id as "accountId" from prospecting_config p join account a on a.account_id = p.account_id',
      // Crm
      'select i.account_id as "accountId", i.crm, a.plan from crm_integration i',
      "select min(1000 * extract(epoch from greatest(i.at, i.leased_until, i.resumes_at) -",
      // Events
      "with waiting as ( select s.account_id, s.webhook_subscription_id, first.next_attempt_at",
      // Leads
      "from lead_change where",
      "with taken as ( select account_id, lead_id, lead_change_id from lead_change where",
      // LeadSource
      "from lead_source s join account a on a.account_id = s.account_id join connection c",
      // Meetings
      "with due as ( select account_id, meeting_id from meeting where reminded_at is null",
      "from meeting m join lead l using (account_id, lead_id) where m.status in ('scheduled', 'confirmed') and m.starts_at >",
      "with announced as ( select m.account_id, m.meeting_id, m.starts_at, 'meeting_booked' as notice",
      // Outreach
      "with first as ( select distinct account_id from ( select d.account_id from dispatch_queue",
      "from dispatch_queue d join account a on a.account_id = d.account_id where a.clock",
      'select p.account_id as "accountId" from prospecting_config p where p.account_id = any',
      // Scheduler
      'select s.account_id as "accountId", a.plan from scheduler_account s'
    ]
  },
  {
    why: "does for the work of several accounts that was taken together what is done for one",
    says: [
      "held (account_id, webhook_subscription_id, lease_number)",
      // The steps of the statement above: the attempts and the subscriptions.
      'with outcome as (select (cells->>0)::bigint as "account_id", (cells->>1)::bigint as "webhook_subscription_id",'
    ]
  },
  {
    why: "by the clock: finds or ends what has waited too long, or lists the accounts that something is made for",
    says: [
      // ChatApp
      'select account_id as "accountId", chatapp_message_id as "chatAppMessageId" from chatapp_message where status =',
      'select m.account_id as "accountId", m.chatapp_message_id as "chatAppMessageId" from chatapp_message m',
      "update chatapp_message m set status = 'cancelled', failure_reason = 'text_outcome_unknown'",
      // Knowledge, Learnings
      'select account_id as "accountId" from business_profile where',
      'select p.account_id as "accountId" from prospecting_config p',
      // Leads
      "update lead l set next_check_in_at = greatest(l.check_ins_snoozed_until",
      "update lead l set next_check_in_at = case when",
      "with ranked as ( select l.account_id, l.lead_id, row_number() over (partition by l.account_id",
      "select account_id from lead_counter group by account_id",
      "select account_id from sector_counter group by account_id",
      // Mail
      '(select account_id as "accountId", email_message_id as "emailMessageId" from email_message where status =',
      // Outcomes
      "update lead_answer_delivery d set status = 'expired' from lead_answer a",
      // Outreach
      "update touch set status = 'failed', reason = 'not_written', finished_at =",
      "\"touchId\" from touch where status = 'writing' and created_at <",
      "select l.account_id, l.lead_id from lead l where l.pipeline_state = 'in_pipeline' and l.next_touch_at is null",
      // Reports
      "from prospecting_config p join account a using (account_id) where extract(hour from",
      'select a.account_id as "accountId" from lead_past_follower a where',
      'select a.account_id as "accountId" from prospecting_config a where',
      'select p.account_id as "accountId" from prospecting_config p where exists (select from report_day d',
      // SenderDomains
      "from sender_domain where kind = 'subdomain' order by account_id",
      'select d.account_id as "accountId", d.sender_domain_id as "senderDomainId" from sender_domain d where',
      "count(*) filter (where m.status in ('sent', 'failed')) as sent",
      // Voice
      "from voice_call v where v.status in ('dialing', 'in_progress') and v.dialed_at <",
      "from voice_call v where v.status = 'queued' and v.created_at <"
    ]
  },
  {
    why: "looks for the account that is meant, by an address or a number that others have too",
    says: [
      // Mail: the recipient of incoming mail.
      "from account a join prospecting_config p using (account_id) where a.handle = any",
      "from sender_domain d join account a on a.account_id = d.account_id where d.domain = any",
      // Voice: the next call to a number, and the call of a provider's notice without our reference.
      "from voice_call where phone_key(phone) = phone_key(",
      "from voice_call where provider =",
      // Leads: numbers that the account dialed are placed by the number, and a person has several.
      'from "dialed_number" where account_id ='
    ]
  },
  {
    why: "reads together what callers of several accounts ask for at once",
    says: [
      "select a.account_id, name, phone, a.email, language_key as language",
      // Accounts: what each gateway counted in this minute.
      "select account_id, access_token_id, calls from call_count where account_id = any"
    ]
  },
  {
    why: "reads on where it stopped, whoever's it is: what messages mean is kept one by one",
    says: [
      "from email_message where email_message_id > coalesce((select last_id from embedding_progress",
      "from chatapp_message where chatapp_message_id > coalesce((select last_id from embedding_progress",
      "from agent_message where agent_message_id > coalesce((select last_id from embedding_progress"
    ]
  },
  {
    why: "is asked by the operator of the platform",
    says: [
      "select count(*) as reports from website_report where closed_at is null",
      "from support_request r join account a on a.account_id = r.account_id where",
      'select r.account_id as "accountId", r.website_report_id as "reportId"'
    ]
  },
  {
    why: "removes what is over",
    says: [
      "delete from call_count where minute <",
      "delete from webhook_replay where created_at <",
      "delete from crawled_page where fetched_at <",
      "delete from website_access_try where created_at <",
      "delete from customer_file where completed_at is null and created_at <",
      "delete from webhook_subscription s where s.deleted_at <",
      "update website_traffic_day set sketch = null where sketch is not null and day <",
      'with dropped as ( delete from "site_',
      // Accounts: where the chains continue whose oldest entries are dropped.
      'select distinct on (e.account_id) e.account_id as "accountId", e.position, e.link from',
      "insert into audit_checkpoint as c",
      "with old as ( (select account_id, webhook_delivery_id from webhook_delivery where created_at <"
    ]
  },
  {
    why: "the platform as a whole: how providers do, and what is usual among paying accounts",
    says: [
      "select 'mail' as component, 'Mail' as name",
      "select status, count(*) from background_job group by status",
      "from account a join prospecting_config c on c.account_id = a.account_id where a.plan = 'paid'",
      // Timing
      "with zone as materialized (select name from pg_timezone_names), reply as (",
      "select p.account_id, r.at, coalesce((select name from zone where name = l.time_zone)"
    ]
  }
]

export const isListed = (statement: string): boolean =>
  manyNodes.some(({ says }) => says.some((piece) => statement.includes(piece)))
