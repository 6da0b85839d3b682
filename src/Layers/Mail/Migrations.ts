import type { Migration } from "../Platform/Postgres/Migration.ts"

/**
 * Tables of the mail room. An outbound row is written before the message is sent: `queued`, then `sending` after the
 * last check, then the outcome. `unknown` means that the message may have been sent. It is shown, and never sent
 * again.
 */
export const mailMigration: Migration = {
  name: "mail",
  sql: `
create table email_message (
  account_id bigint not null,
  email_message_id bigint generated always as identity,
  lead_id bigint,
  direction text not null check (direction in ('outbound', 'inbound')),
  -- What kind of message an outbound one is: first_contact, follow_up, response, direct or user_written.
  message_type text,
  status text not null check (status in ('queued', 'sending', 'sent', 'unknown', 'failed', 'cancelled', 'received',
    -- It came in, and the server that received it says that it is not from who it says.
    'unauthenticated')),
  failure_reason text,
  message_id text not null,
  from_address text not null,
  to_address text not null,
  -- The domain of the account's own that it leaves under; null for the platform's. No key: mail outlives the domain.
  sender_domain_id bigint,
  subject text not null,
  body_text text not null,
  attachments jsonb not null default '[]',
  created_at timestamptz not null default instant(),
  occurred_at timestamptz,
  touch_id bigint,
  body_html text,
  -- Message-ID of the message answered, and of the whole thread, oldest first.
  in_reply_to text,
  thread_references text[] not null default '{}',
  -- What the sender wrote, without the quoted message and the signature.
  reply_text text,
  classification jsonb,
  -- Of an outbound message: what calendar programs read of it.
  invitation text,
  -- No person's reply: a machine wrote it, or nobody knows who.
  is_auto_reply boolean not null default false,
  -- When it was decided whether the owner is told of an inbound message at once.
  judged_at timestamptz,
  -- Of an inbound message: it answers one of ours, or its sender was authenticated.
  is_sender_proven boolean not null default false,
  provider_response text,
  sending_at timestamptz,
  -- Names the attempt that sends: one that was given up for dead and wakes up finds another's here, and stops.
  sending_claim uuid,
  -- When the provider had all but the end of the message. Before it, nothing can have been sent.
  handed_over_at timestamptz,
  sent_at timestamptz,
  -- How often the recipient's server said that it cannot take the message for now.
  soft_bounces smallint not null default 0,
  -- Of an inbound message: tells a second delivery from another message under the same Message-ID.
  content_digest bytea,
  -- The language of its words; null if the text does not tell.
  language text check (language in ('pt-BR', 'en', 'es')),
  stems tsvector generated always as
  (text_stems(language, subject || E'\\n' || coalesce(reply_text, body_text))) stored,
  primary key (account_id, email_message_id),
  unique (account_id, message_id),
  foreign key (account_id, lead_id) references lead on delete cascade,
  foreign key (account_id, touch_id) references touch
);
create index email_message_lead on email_message
  (account_id, lead_id, direction, (coalesce(occurred_at, created_at)) desc, email_message_id desc);
create index email_message_queued on email_message (email_message_id) where status = 'queued';
create index email_message_sender on email_message (account_id, from_address, created_at) where direction = 'inbound';
create index email_message_sent on email_message (account_id, occurred_at desc);
create index email_message_touch on email_message (account_id, touch_id) where touch_id is not null;
create index email_message_of_no_lead on email_message (account_id, to_address)
  where lead_id is null and direction = 'outbound';
create index email_message_sender_domain on email_message (account_id, sender_domain_id, sending_at)
  where sender_domain_id is not null;
create index email_message_unsettled on email_message (sending_at) where status = 'sending';

-- Addresses that no message may go to, whoever they belong to; kept as digests after a lead is erased.
create table email_suppression (
  account_id bigint not null references account on delete cascade,
  email text not null,
  reason text not null check (reason in ('unsubscribed', 'hard_bounce', 'complaint')),
  created_at timestamptz not null default instant(),
  primary key (account_id, email)
);

-- Addresses that calls named for their results, on the last day (UTC) on which one did.
create table named_recipient_count (
  account_id bigint primary key references account on delete cascade,
  day date not null,
  addresses integer not null
);

-- How far each mailbox was read, and which gateway reads it now.
create table mail_mailbox (
  mailbox text primary key,
  -- 0 until it was opened for the first time.
  uid_validity bigint not null default 0,
  last_uid bigint not null default 0,
  -- What was there when it was opened first: messages up to this UID, or, once the server made it anew, from before.
  history_until bigint not null default 0,
  opened_at timestamptz,
  is_remade boolean not null default false,
  held_by text,
  held_until timestamptz
);

-- What a gateway without a mail server did: its outbox, and what a developer put into its inbox.
create table sandbox_mail (
  account_id bigint not null references account on delete cascade,
  sandbox_mail_id bigint generated always as identity,
  email_message_id bigint,
  direction text not null check (direction in ('outbound', 'inbound')),
  message_id text,
  from_address text not null,
  to_address text not null,
  subject text not null,
  body_text text not null,
  raw bytea not null,
  created_at timestamptz not null default instant(),
  primary key (account_id, sandbox_mail_id),
  foreign key (account_id, email_message_id) references email_message on delete cascade
);
create unique index sandbox_mail_sent on sandbox_mail (account_id, message_id) where direction = 'outbound';
create index sandbox_mail_message on sandbox_mail (account_id, email_message_id);
-- Not compressed, because that takes 12 ms for a mail of 150 kB.
alter table sandbox_mail alter column body_text set storage external;
alter table sandbox_mail alter column raw set storage external;
create index email_message_stems on email_message using gin (account_id, stems);

-- The newest messages, which are compared with a query letter by letter.
create index email_message_recent on email_message (account_id, (coalesce(occurred_at, created_at)) desc)
  where lead_id is not null and status <> 'cancelled';
create index email_message_number on email_message (email_message_id);
`
}

/** The table that counts mails to unconfirmed addresses, over all accounts. */
export const mailRecipientsMigration: Migration = {
  name: "mail_recipients",
  releases: 1,
  sql: `
create table mail_recipient (
  -- SHA-256 of the address in lower case.
  address_digest bytea primary key check (length(address_digest) = 32),
  -- The last day (UTC) with mail, how many mails on it, and digests of their texts.
  day date,
  mails integer not null,
  texts text[] not null default '{}',
  -- When the reader said that the mail was not for them.
  stopped_at timestamptz
);
`
}

/** The operator's OAuth consents for mailboxes. */
export const mailAccessMigration: Migration = {
  name: "mail_access",
  releases: 1,
  sql: `
-- The lasting access to the operator's mailbox, sealed.
create table mail_access (
  provider text primary key,
  secret bytea not null,
  updated_at timestamptz not null
);
`
}
