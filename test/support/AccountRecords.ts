import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Caller } from "../../src/Services/Core/Caller.ts"

/** Makes one record of each kind in the caller's account; answers their ids by the parameter that takes them. */
export const recordsOfAccount = (caller: Caller["Type"]) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const account = caller.accountId
    const idOf = (rows: ReadonlyArray<{ readonly id: number }>): number => rows[0]?.id ?? 0

    const lead = idOf(
      yield* sql<{ readonly id: number }>`
      insert into lead (account_id, name, email, status, pipeline_state)
      values (${account}, 'Ana Souza', ${`ana${account}@example.com`}, 'Cold', 'in_pipeline')
      returning lead_id as id`
    )
    const token = idOf(
      yield* sql<{ readonly id: number }>`
      insert into access_token (account_id, token_hash) values (${account}, sha256(${`t${account}`}::bytea))
      returning access_token_id as id`
    )
    const file = idOf(
      yield* sql<{ readonly id: number }>`
      insert into customer_file (account_id, file_name, media_type, size_bytes, sha256, download_key)
      values (${account}, 'leads.csv', 'text/csv', 0, sha256(''::bytea), ${`key${account}`})
      returning customer_file_id as id`
    )
    const notification = idOf(
      yield* sql<{ readonly id: number }>`
      insert into notification (account_id, kind, message) values (${account}, 'test', 'A message.')
      returning notification_id as id`
    )
    const leadImport = idOf(
      yield* sql<{ readonly id: number }>`
      with job as (insert into background_job (account_id, kind) values (${account}, 'lead_import') returning job_id)
      insert into lead_import (account_id, job_id, source_name, lead_status)
      select ${account}, job_id, 'leads.csv', 'Cold' from job
      returning lead_import_id as id`
    )

    const [delivery] = yield* sql<{ readonly subscription: number; readonly delivery: number }>`
      with subscription as (
        insert into webhook_subscription (account_id, url, secret)
        values (${account}, 'https://hooks.client.example', sha256('secret'::bytea))
        returning account_id, webhook_subscription_id
      )
      insert into webhook_delivery (account_id, webhook_subscription_id, ping_key, event_type)
      select account_id, webhook_subscription_id, gen_random_uuid(), 'ping' from subscription
      returning webhook_subscription_id as subscription, webhook_delivery_id as delivery`

    const voiceCall = idOf(
      yield* sql<{ readonly id: number }>`
      insert into voice_call (account_id, kind, phone, goal) values (${account}, 'goal_driven', '+5511999990000', 'Ask')
      returning voice_call_request_id as id`
    )
    const meeting = idOf(
      yield* sql<{ readonly id: number }>`
      insert into meeting (account_id, lead_id, title, starts_at, ends_at, booked_through)
      values (${account}, ${lead}, 'A call', instant(), instant() + interval '30 minutes', 'conversation')
      returning meeting_id as id`
    )

    const question = idOf(
      yield* sql<{ readonly id: number }>`
      insert into open_question (account_id, question_text) values (${account}, 'Do you deliver?')
      returning open_question_id as id`
    )
    const answer = idOf(
      yield* sql<{ readonly id: number }>`
      insert into lead_answer (account_id, open_question_id, question_text, answer_text, is_reusable)
      values (${account}, ${question}, 'Do you deliver?', 'Yes.', false) returning answer_id as id`
    )

    const records: { readonly [parameter: string]: number } = {
      lead_id: lead,
      after_lead_id: lead,
      referring_lead_id: lead,
      token_id: token,
      customer_file_id: file,
      imported_from_file_id: file,
      notification_id: notification,
      lead_import_id: leadImport,
      voice_call_request_id: voiceCall,
      meeting_id: meeting,
      open_question_id: question,
      expected_answer_id: answer,
      subscription_id: delivery?.subscription ?? 0,
      delivery_id: delivery?.delivery ?? 0
    }
    return records
  })
