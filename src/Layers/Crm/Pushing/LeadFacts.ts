import type { SqlClient } from "@effect/sql/SqlClient"
import type { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { UtmValues } from "../../../Services/Crm/CrmRules.ts"
import type { CrmName } from "../../../Services/Crm/Ids.ts"
import type { LeadId, LeadStatus } from "../../../Services/Leads/Ids.ts"
import { offsetHours } from "../../Accounts/Sql.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

/** The data of a lead that is sent to a CRM. */
export interface CrmLeadFacts {
  readonly leadId: LeadId
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly jobTitle: string | null
  readonly website: string | null
  readonly status: LeadStatus
  readonly goal: string | null
  readonly campaign: string | null
  /** True if the lead is unsubscribed, or every contact is on the blacklist. */
  readonly isKeptBack: boolean
  readonly hasMeeting: boolean
  readonly outcome: "won" | "lost" | "gave_up" | null
  readonly outcomeReason: string | null
  readonly dealValue: string | null
  /** The lead's source: the one stated by its capture, otherwise how it was added. */
  readonly source: string
  readonly utm: UtmValues
  /** The key of the account's language. */
  readonly language: string
  /** The offset of the account's time zone, in hours. */
  readonly offsetHours: number
}

/** The leads as they are now, without deleted ones. */
export const leadFacts = (sql: SqlClient, accountId: AccountId, leadIds: ReadonlyArray<LeadId>) =>
  sql<CrmLeadFacts>`
    select l.lead_id as "leadId", l.name, l.email, l.phone, l.company, l.job_title as "jobTitle", l.website, l.status,
      l.goal, c.name as campaign, a.language_key as language,
      ${sql.literal(offsetHours())} as "offsetHours",
      l.unsubscribed_at is not null or (coalesce(l.email, l.phone) is not null
        and (l.email is null or exists (select from blacklist_match(l.account_id, l.email, null)))
        and (l.phone is null or exists (select from blacklist_match(l.account_id, null, l.phone)))) as "isKeptBack",
      exists (select from meeting m where m.account_id = l.account_id and m.lead_id = l.lead_id
        and m.status in ('scheduled', 'confirmed')) as "hasMeeting",
      l.final_outcome as outcome, o.reason as "outcomeReason", o.data ->> 'deal_value_brl' as "dealValue",
      coalesce(u.utm_source, case when u.is_captured then 'website' when l.lead_import_id is not null then 'import'
        else l.origin end) as source,
      jsonb_build_object('utm_source', coalesce(u.utm_source, ''), 'utm_medium', coalesce(u.utm_medium, ''),
        'utm_campaign', coalesce(u.utm_campaign, ''), 'utm_term', coalesce(u.utm_term, ''),
        'utm_content', coalesce(u.utm_content, '')) as utm
    from lead l join account a on a.account_id = l.account_id
    left join campaign c on c.account_id = l.account_id and c.campaign_id = l.campaign_id and c.archived_at is null
    left join lateral (
      select e.reason, e.data from lead_lifecycle_event e
      where e.account_id = l.account_id and e.lead_id = l.lead_id and l.final_outcome is not null
        and e.event_type = 'outcome_' || l.final_outcome
      order by e.lead_lifecycle_event_id desc limit 1
    ) o on true
    left join lateral (
      select p.utm_source, p.utm_medium, p.utm_campaign, p.utm_term, p.utm_content, true as is_captured
      from lead_capture p where p.account_id = l.account_id and p.lead_id = l.lead_id
      order by p.lead_capture_id desc limit 1
    ) u on true
    where l.account_id = ${accountId} and l.lead_id = any (${leadIds})`.pipe(fromSql())

export interface CrmLink {
  readonly leadId: LeadId
  readonly kind: "company" | "person" | "deal" | "note" | "conversion"
  readonly state: "creating" | "linked" | "gone"
  readonly externalId: string | null
  /** Seconds since the record's creation was last requested. */
  readonly ageSeconds: number
  readonly written: { readonly [field: string]: string }
}

export interface CrmPlace {
  readonly accountId: AccountId
  readonly crm: CrmName
  readonly crmAccount: string
}

export const linksOf = (sql: SqlClient, { accountId, crm, crmAccount }: CrmPlace, leadIds: ReadonlyArray<LeadId>) =>
  sql<CrmLink>`
    select lead_id as "leadId", kind, state, external_id as "externalId", written,
      extract(epoch from instant() - began_at)::float8 as "ageSeconds"
    from crm_link
    where account_id = ${accountId} and crm = ${crm} and crm_account = ${crmAccount}
      and lead_id = any (${leadIds})`.pipe(fromSql())

/** A company whose creation was requested recently. */
export interface RecentCompany {
  readonly leadId: LeadId
  /** The record's id. Null while it is unknown whether the record was created. */
  readonly externalId: string | null
  readonly written: CrmLink["written"]
}

/** Reads the recent companies with one of these names and domains. */
export const recentCompanies = (
  sql: SqlClient,
  { accountId, crm, crmAccount }: CrmPlace,
  seconds: number,
  names: ReadonlyArray<string>,
  domains: ReadonlyArray<string>
) =>
  sql<RecentCompany>`
    select lead_id as "leadId", external_id as "externalId", written from crm_link
    where account_id = ${accountId} and crm = ${crm} and crm_account = ${crmAccount} and kind = 'company'
      and began_at > instant() - make_interval(secs => ${seconds}::float8) and state <> 'gone'
      and (lower(written ->> 'name') = any (${names}) or lower(written ->> 'domain') = any (${domains}))
    order by state desc, began_at`.pipe(fromSql())

/** Records that are stored before and after they are created at the CRM. Notes are handled separately. */
type WrittenKind = Exclude<CrmLink["kind"], "note">

export interface LinkWriter {
  /** Called before the CRM is asked to create the record. */
  readonly begin: (kind: WrittenKind, wanted: CrmLink["written"]) => Effect.Effect<void, Transient>
  /** Called if the record was certainly not created. */
  readonly undo: (kind: WrittenKind) => Effect.Effect<void, Transient>
  readonly settle: (
    kind: WrittenKind,
    externalId: string,
    written: CrmLink["written"]
  ) => Effect.Effect<void, Transient>
  readonly lose: (kind: WrittenKind) => Effect.Effect<void, Transient>
}
