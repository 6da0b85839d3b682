import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The tables of accounts' CRMs, of links between leads and their records, and of the simulated CRMs. */
export const crmMigration: Migration = {
  name: "crm",
  sql: `
create table crm_setting (
  account_id bigint primary key references account on delete cascade,
  minimum_status text not null
);

create table crm_custom_field (
  account_id bigint not null references account on delete cascade,
  field_id bigint generated always as identity,
  field_name text not null,
  field_value text not null,
  primary key (account_id, field_id)
);

create table crm_integration (
  account_id bigint not null references account on delete cascade,
  crm text not null,
  -- Which account at the CRM: links belong to it.
  crm_account text not null,
  -- Fields that the CRM does not have, or not of the right type.
  warnings jsonb not null default '[]',
  last_sync_at timestamptz,
  -- Deals that were closed there are looked for from then on.
  polled_until timestamptz not null default instant(),
  polled_at timestamptz not null default instant(),
  -- What the gateway's address is registered under there.
  webhook_ids jsonb not null default '[]',
  -- One process at a time works for an account at a CRM.
  leased_by uuid,
  leased_until timestamptz,
  -- The CRM takes no more calls until then.
  resumes_at timestamptz,
  -- Turns in a row that ended by an error of the gateway itself.
  defects integer not null default 0,
  primary key (account_id, crm)
);

-- A lead that is or is to be at a CRM.
create table crm_lead (
  account_id bigint not null,
  crm text not null,
  lead_id bigint not null,
  state text not null check (state in ('pending', 'synced', 'stuck')),
  -- Grows with every change, so that one that comes while the lead is being sent is not taken for sent.
  version bigint not null default 1,
  -- Nobody changed it just now: it goes behind those that somebody did.
  can_wait boolean not null default false,
  due_at timestamptz not null,
  attempts integer not null default 0,
  reason text,
  synced_at timestamptz,
  primary key (account_id, crm, lead_id),
  foreign key (account_id, lead_id) references lead on delete cascade,
  check (state <> 'stuck' or reason is not null)
);
create index crm_lead_lead on crm_lead (account_id, lead_id);
create index crm_lead_due on crm_lead (account_id, crm, can_wait, due_at) where state = 'pending';
create index crm_lead_recent on crm_lead (account_id, crm, synced_at desc) where state = 'synced';

-- What a lead is at a CRM: one record of each kind, ever. 'creating' is written before the CRM is asked to make one.
create table crm_link (
  account_id bigint not null,
  crm text not null,
  crm_account text not null,
  lead_id bigint not null,
  kind text not null check (kind in ('company', 'person', 'deal', 'note', 'conversion')),
  state text not null check (state in ('creating', 'linked', 'gone')),
  external_id text,
  -- What was written there last, by field: what differs now is somebody else's.
  written jsonb not null default '{}',
  -- When it was last asked to be made: a CRM's search may not show it for a while.
  began_at timestamptz not null default instant(),
  -- The end of the deal there, registered here once.
  heard_outcome text,
  primary key (account_id, crm, crm_account, lead_id, kind),
  foreign key (account_id, lead_id) references lead on delete cascade,
  check (state <> 'linked' or external_id is not null)
);
create index crm_link_lead on crm_link (account_id, lead_id);
create index crm_link_recent on crm_link (account_id, crm, crm_account, began_at) where kind = 'company';
create index crm_link_external on crm_link (account_id, crm, crm_account, kind, external_id);

-- Notes and meetings of a lead's conversation at a CRM: one for each event, ever. 'creating' is written before the CRM
-- is asked to make one, and stays where it is unknown whether it did.
create table crm_activity (
  account_id bigint not null,
  crm text not null,
  crm_account text not null,
  lead_id bigint not null,
  event text not null,
  state text not null check (state in ('creating', 'made')),
  external_id text,
  began_at timestamptz not null default instant(),
  primary key (account_id, crm, crm_account, lead_id, event),
  foreign key (account_id, lead_id) references lead on delete cascade,
  check (state <> 'made' or external_id is not null)
);
create index crm_activity_lead on crm_activity (account_id, lead_id);

-- Addresses to be removed at CRMs that were disconnected; the credentials are sealed, and go when it is done.
create table crm_webhook_removal (
  account_id bigint not null references account on delete cascade,
  crm text not null,
  secrets bytea not null,
  webhook_ids jsonb not null,
  primary key (account_id, crm)
);

-- A CRM whose contacts become leads.
create table crm_source (
  account_id bigint not null references account on delete cascade,
  crm text not null,
  -- Contacts linked to deals there; without a pipeline all contacts.
  pipeline_id text,
  stage_id text,
  -- Where the reading goes on; null: it begins anew.
  cursor text,
  read_at timestamptz not null default '-infinity',
  -- Why some contacts may be missed, since this reading began.
  warning text,
  created_count integer not null default 0,
  -- Known here, on the blacklist, erased, or without a contact that can be used.
  passed_count integer not null default 0,
  primary key (account_id, crm),
  check (stage_id is null or pipeline_id is not null)
);

-- The simulated CRMs: an account there (tenant) for each key that begins with sandbox-.
create table sandbox_crm (
  account_id bigint not null references account on delete cascade,
  crm text not null,
  tenant text not null,
  is_revoked boolean not null default false,
  slow_until timestamptz,
  calls bigint not null default 0,
  primary key (account_id, crm, tenant)
);

create table sandbox_crm_record (
  account_id bigint not null,
  crm text not null,
  tenant text not null,
  kind text not null,
  record_id bigint generated always as identity,
  body jsonb not null,
  created_at timestamptz not null default instant(),
  updated_at timestamptz not null default instant(),
  primary key (account_id, crm, tenant, kind, record_id),
  foreign key (account_id, crm, tenant) references sandbox_crm on delete cascade
);
`
}
