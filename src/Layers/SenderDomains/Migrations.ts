import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Domains from which accounts send mail. */
export const senderDomainsMigration: Migration = {
  name: "sender_domains",
  sql: `
create table sender_domain (
  account_id bigint not null references account on delete cascade,
  sender_domain_id bigint generated always as identity,
  kind text not null check (kind in ('custom', 'subdomain')),
  domain text not null,
  -- Null for a subdomain, whose addresses begin with the account's handle.
  email_address text,
  status text not null default 'pending' check (status in ('pending', 'verified', 'lapsed')),
  selector text not null,
  rsa_public text not null,
  ed25519_public text not null,
  -- Both private keys as JSON, sealed.
  sealed_keys bytea not null,
  -- What the last look found, record by record.
  report jsonb,
  verified_at timestamptz,
  -- The first day of the ramp: of the verification, or of the end of a pause.
  ramp_from timestamptz,
  checked_at timestamptz,
  paused_until timestamptz,
  -- What the owner is still to be written of.
  unmailed_news jsonb,
  created_at timestamptz not null,
  primary key (account_id, sender_domain_id),
  unique (account_id, kind)
);

create index sender_domain_by_name on sender_domain (domain);

-- Whose a domain is, over all accounts: a subdomain from its activation on, a custom one from its proof on.
create table sender_domain_name (
  domain text primary key,
  account_id bigint not null references account on delete cascade
);
create index sender_domain_name_account on sender_domain_name (account_id);

create table sender_domain_day (
  account_id bigint not null,
  sender_domain_id bigint not null,
  day date not null,
  sent integer not null default 0,
  primary key (account_id, sender_domain_id, day),
  foreign key (account_id, sender_domain_id) references sender_domain on delete cascade
);

-- The zone that a developer edits where names are not really looked up; null values stand for a server that is away.
create table sandbox_dns_record (
  name text not null,
  type text not null check (type in ('TXT', 'MX', 'A')),
  record_values text[],
  updated_at timestamptz not null,
  primary key (name, type)
);
`
}

/** Names of brands, banks and public bodies that the operator approved for an account. */
export const approvedSubdomainsMigration: Migration = {
  name: "approved_subdomains",
  releases: 1,
  sql: `
create table approved_subdomain (
  account_id bigint not null references account on delete cascade,
  label text not null,
  approved_at timestamptz not null,
  primary key (account_id, label)
);
`
}
