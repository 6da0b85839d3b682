import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Embeddings of messages, for the search over conversations. */
export const conversationsMigration: Migration = {
  name: "conversations",
  sql: `
-- The embedding of a message, if there is a service: float32 numbers of a vector of length one, little-endian.
create table message_embedding (
  account_id bigint not null references account on delete cascade,
  message_embedding_id bigint generated always as identity,
  model text not null,
  email_message_id bigint,
  chatapp_message_id bigint,
  agent_message_id bigint,
  vector bytea not null,
  primary key (account_id, message_embedding_id),
  check (num_nonnulls(email_message_id, chatapp_message_id, agent_message_id) = 1),
  foreign key (account_id, email_message_id) references email_message on delete cascade,
  foreign key (account_id, chatapp_message_id) references chatapp_message on delete cascade,
  foreign key (account_id, agent_message_id) references agent_message on delete cascade
);
create unique index message_embedding_email on message_embedding (account_id, email_message_id, model)
  where email_message_id is not null;
create unique index message_embedding_chatapp on message_embedding (account_id, chatapp_message_id, model)
  where chatapp_message_id is not null;
create unique index message_embedding_agent on message_embedding (account_id, agent_message_id, model)
  where agent_message_id is not null;

-- Up to which id the messages of all accounts are embedded.
create table embedding_progress (
  source text not null,
  model text not null,
  last_id bigint not null,
  primary key (source, model)
);
`
}
