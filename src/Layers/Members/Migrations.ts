import type { Migration } from "../Platform/Postgres/Migration.ts"

/** The tables of the people who share an account with its owner, and of their welcomes. */
export const membersMigration: Migration = {
  name: "members",
  sql: `
create table member (
  account_id bigint not null references account on delete cascade,
  member_id bigint generated always as identity,
  name text not null,
  phone text not null,
  email text,
  created_at timestamptz not null,
  primary key (account_id, member_id),
  unique (account_id, phone)
);

-- What became of a welcome stands with its message.
create table member_welcome (
  account_id bigint not null,
  member_welcome_id bigint generated always as identity,
  member_id bigint not null,
  channel text not null check (channel in ('Email', 'ChatApp')),
  email_message_id bigint,
  chatapp_message_id bigint,
  -- Why there is no message.
  failure_reason text,
  -- When its link gave an access token.
  used_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, member_welcome_id),
  foreign key (account_id, member_id) references member on delete cascade,
  foreign key (account_id, email_message_id) references email_message on delete cascade,
  foreign key (account_id, chatapp_message_id) references chatapp_message on delete cascade
);
create index member_welcome_latest on member_welcome (account_id, member_id, channel, member_welcome_id desc);
create index member_welcome_email on member_welcome (account_id, email_message_id) where email_message_id is not null;
create index member_welcome_chatapp on member_welcome (account_id, chatapp_message_id) where chatapp_message_id is not null;

-- Access tokens that members made, which end with their membership.
create table member_token (
  account_id bigint not null,
  access_token_id bigint not null,
  member_id bigint not null,
  primary key (account_id, access_token_id),
  foreign key (account_id, access_token_id) references access_token on delete cascade,
  foreign key (account_id, member_id) references member on delete cascade
);
create index member_token_member on member_token (account_id, member_id);
`
}

/**
 * Adds the limits that members and links inherit from the token that made them. For tokens, the row itself has its
 * maker.
 */
export const memberMakersMigration: Migration = {
  name: "member_makers",
  releases: 1,
  sql: `
alter table member add column confirmation text not null default 'when_possible';
-- The member who added this one; null for the owner. No key: that one may be removed first.
alter table member add column added_by_member_id bigint;
alter table member_welcome add column confirmation text not null default 'when_possible';
alter table member_welcome add column token_ends_at timestamptz;
alter table member_welcome add column sent_by_member_id bigint;
update access_token k set made_by = 'member', member_id = t.member_id from member_token t
  where t.account_id = k.account_id and t.access_token_id = k.access_token_id;
drop table member_token;
`
}

/** Marks numbers whose holders have opened a link that was sent to them. */
export const provedMembersMigration: Migration = {
  name: "proved_members",
  releases: 1,
  sql: `
update account_phone p set proved_at = instant() from member m where m.account_id = p.account_id and m.phone = p.phone
  and p.proved_at is null and exists (select from member_welcome w where w.account_id = m.account_id
    and w.member_id = m.member_id and w.channel = 'ChatApp' and w.used_at is not null);
`
}

/** Records which links were opened. Links of a removed member count as used without that. */
export const openedWelcomesMigration: Migration = {
  name: "opened_welcomes",
  releases: 1,
  sql: `
alter table member_welcome add column opened_at timestamptz;
update member_welcome w set opened_at = w.used_at where w.used_at is not null and (w.sent_by_member_id is null
  or exists (select from member m where m.account_id = w.account_id and m.member_id = w.sent_by_member_id));
`
}
