import type { Migration } from "../../Platform/Postgres/Migration.ts"

/** The tables of submissions from visitors, and of visitors who sign in. */
export const formsMigration: Migration = {
  name: "forms",
  sql: `
-- What was sent by a form: of a capture page it is of a lead, else it is a record of one of the site's collections.
create table site_record (
  account_id bigint not null,
  site_record_id bigint generated always as identity,
  website_id bigint not null,
  collection text not null,
  outcome text not null check (outcome in ('stored', 'created', 'known', 'unsubscribed', 'blacklisted', 'erased')),
  lead_id bigint,
  -- Whose it is: the visitor's who was signed in, else the address that the form was given.
  visitor_email text,
  -- By field; nothing of a person who was erased.
  filled jsonb not null,
  page_id text not null,
  variant text not null,
  is_embedded boolean not null,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  referrer text,
  -- The words that were agreed to, as they stood beside the box.
  consent_version text not null,
  consent_text text not null,
  marketing_text text,
  consented_at timestamptz not null,
  was_confirmed boolean not null,
  created_at timestamptz not null default instant(),
  primary key (account_id, site_record_id),
  foreign key (account_id, website_id) references website on delete cascade,
  foreign key (account_id, lead_id) references lead on delete cascade
);
create index site_record_collection on site_record (account_id, website_id, collection, site_record_id desc);
create index site_record_time on site_record (account_id, website_id, created_at);
create index site_record_lead on site_record (account_id, lead_id) where lead_id is not null;
create index site_record_visitor on site_record (account_id, website_id, visitor_email) where visitor_email is not null;

-- Records of collections, so that a quota holds without counting them.
create table site_record_count (
  account_id bigint not null,
  website_id bigint not null,
  records bigint not null,
  -- When the owner heard that there is no more room.
  full_told_at timestamptz,
  primary key (account_id, website_id),
  foreign key (account_id, website_id) references website on delete cascade
);

-- Renderings of forms that were sent, until their tokens expire by themselves.
create table site_form_use (
  account_id bigint not null,
  website_id bigint not null,
  nonce text not null,
  -- Of what was sent: the same thing twice was sent once.
  digest text not null,
  expires_at timestamptz not null,
  primary key (account_id, website_id, nonce),
  foreign key (account_id, website_id) references website on delete cascade
);
create index site_form_use_expired on site_form_use (expires_at);

-- How much came from one place in a window of time; the place as a digest that only the account's secret makes.
create table site_form_count (
  account_id bigint not null,
  website_id bigint not null,
  scope text not null check (scope in ('network', 'page', 'contact', 'sign_in_network', 'sign_in_address', 'sign_in_site')),
  place text not null,
  count integer not null,
  since timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, website_id, scope, place),
  foreign key (account_id, website_id) references website on delete cascade
);
create index site_form_count_expired on site_form_count (expires_at);

-- Codes that were mailed to visitors.
create table site_sign_in (
  account_id bigint not null,
  website_id bigint not null,
  sign_in text not null,
  email text not null,
  code_digest text not null,
  attempts integer not null default 0,
  expires_at timestamptz not null,
  primary key (account_id, website_id, sign_in),
  foreign key (account_id, website_id) references website on delete cascade
);
create index site_sign_in_expired on site_sign_in (expires_at);

create table site_session (
  account_id bigint not null,
  website_id bigint not null,
  session_digest text not null,
  email text not null,
  expires_at timestamptz not null,
  primary key (account_id, website_id, session_digest),
  foreign key (account_id, website_id) references website on delete cascade
);
create index site_session_expired on site_session (expires_at);
`
}
