/**
 * SQL for the time when a message was sent or received, or else written. `m` is the table or its alias. Lists of
 * e-mails are sorted by this time.
 */
export const emailTime = (m: string): string => `coalesce(${m}.occurred_at, ${m}.created_at)`

/** A timestamp column in the format of JSON answers. */
export const timestampJson = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/** A row of `email_message m` as the JSON of a `LeadEmail`. */
export const emailJson = (m: string, options: { readonly withBody: boolean }): string => `json_build_object(
  'email_message_id', ${m}.email_message_id, 'direction', ${m}.direction, 'message_type', ${m}.message_type,
  'status', ${m}.status, 'failure_reason', ${m}.failure_reason, 'from_address', ${m}.from_address,
  'to_address', ${m}.to_address, 'subject', ${m}.subject,
  'attachment_names', jsonb_path_query_array(${m}.attachments, '$[*].file_name'),
  'created_at', ${timestampJson(`${m}.created_at`)}, 'occurred_at', ${timestampJson(`${m}.occurred_at`)}
  ${options.withBody ? `, 'body', ${m}.body_text` : ""})`
