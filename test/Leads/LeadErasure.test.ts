import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, layer, it as plainIt } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { rooms } from "../../src/Layers/App.ts"
import { AccountEventsPostgres } from "../../src/Layers/Events/AccountEventsPostgres.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { AccountEvents } from "../../src/Services/Events/AccountEvents.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
import { CustomerFiles } from "../../src/Services/Files/CustomerFiles.ts"
import { JobId } from "../../src/Services/Jobs/Ids.ts"
import { LeadExports } from "../../src/Services/LeadFiles/LeadExports.ts"
import { tracePatterns } from "../../src/Services/Leads/Erasure/LeadErasure.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { isNeverOfLead, rowsOfLead } from "../support/AllRecords.ts"
import { insertLead, leadServicesWith } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const Services = AccountEventsPostgres.pipe(Layer.provideMerge(leadServicesWith(rooms.personalData)))

const person = { name: "Zulmira Quaresma", email: "zulmira@q.example", phone: "+5511912345678" }
const saying = "Fale com Zulmira Quaresma, zulmira@q.example ou (11) 91234-5678."
const traces = /zulmira|quaresma|12345678|1234-5678/i

const erase = (leadId: LeadId) =>
  Effect.flatMap(UnitOfWork, (unit) => unit.write(Effect.flatMap(Leads, (leads) => leads.erase(leadId, undefined))))

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
}

/** All columns of the whole database that contain the person's data, as `table.column`. */
const columnsWithTraces = Effect.gen(function* () {
  const sql = yield* SqlClient
  const columns = yield* sql<Column>`
    select quote_ident(c.table_schema) || '.' || quote_ident(c.table_name) as table, quote_ident(c.column_name) as column,
      c.data_type as type
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')
      and c.data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY', 'tsvector', 'USER-DEFINED')`
  assert.isAbove(columns.length, 150)
  const columnsFound: Array<string> = []
  for (const { column, table, type } of columns) {
    const text = type === "bytea" ? `encode(${column}, 'escape')` : `${column}::text`
    const rows = yield* sql.unsafe<{ readonly value: string | null }>(`select ${text} as value from ${table}`)
    if (rows.some(({ value }) => value !== null && traces.test(value))) columnsFound.push(`${table}.${column}`)
  }
  return columnsFound
})

/** All text columns of accounts' tables, except those with listed or computed values. */
const freeColumns = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly place: string }>`
    select n.nspname || '.' || c.relname || '.' || a.attname as place
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = 'public' and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'json'::regtype, 'jsonb'::regtype, 'text[]'::regtype)
      and exists (select from pg_attribute o
        where o.attrelid = c.oid and o.attname = 'account_id' and not o.attisdropped)
      and not exists (select from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey)
          and pg_get_constraintdef(k.oid) ~ 'ANY|::text')
    order by 1`
  return rows.map(({ place }) => place)
})

const inserted = (table: string, id: string, row: object) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly id: number }>`
      insert into ${sql(table)} ${sql.insert({ account_id: accountId, ...row })} returning ${sql(id)} as id`
    return rows[0]?.id ?? 0
  }).pipe(Effect.orDie)

const file = (name: string, text: string) =>
  Effect.flatMap(CustomerFiles, (files) =>
    files.write({ fileName: name, bytes: Stream.make(Buffer.from(text, "utf8")) })
  ).pipe(Effect.map(({ customer_file_id }) => customer_file_id))

let mails = 0
const mail = (leadId: LeadId | null, row: object = {}) =>
  inserted("email_message", "email_message_id", {
    lead_id: leadId,
    direction: "inbound",
    status: "received",
    message_id: `<${++mails}@client.example>`,
    from_address: person.email,
    to_address: "account@mail.example",
    subject: `Zulmira Quaresma`,
    body_text: saying,
    reply_text: saying,
    body_html: `<p>${saying}</p>`,
    ...row
  })

const sandboxMail = (emailMessageId: number) =>
  inserted("sandbox_mail", "sandbox_mail_id", {
    email_message_id: emailMessageId,
    direction: "inbound",
    from_address: person.email,
    to_address: "account@mail.example",
    subject: "Zulmira Quaresma",
    body_text: saying,
    raw: Buffer.from(saying)
  })

const classification = JSON.stringify({ class: "referral", contact: person })

const chat = (leadId: LeadId | null, row: object = {}) =>
  inserted("chatapp_message", "chatapp_message_id", {
    lead_id: leadId,
    direction: "inbound",
    kind: "text",
    status: "received",
    phone: leadId === null ? person.phone : "+5511900000000",
    body: saying,
    reply_text: saying,
    classification,
    ...row
  })

const call = (leadId: LeadId | null, row: object = {}) =>
  inserted("voice_call", "voice_call_request_id", {
    lead_id: leadId,
    kind: "goal_driven",
    phone: leadId === null ? "+5511912345678" : "+5511900000000",
    goal: saying,
    context: saying,
    summary: saying,
    status: "completed",
    transcript: JSON.stringify([{ role: "person", text: saying, at_seconds: 1 }]),
    ...row
  })

/** A simulation for each place that may contain the person's name. */
const simulations = Effect.gen(function* () {
  const inJson = JSON.stringify([saying])
  const lead = (row: object = {}) =>
    inserted("simulation_lead", "simulation_lead_id", { profile: "{}", state: "{}", ...row })
  yield* lead({ profile: inJson })
  yield* lead({ state: inJson })
  yield* lead({ silent_reason: saying })
  for (const row of [{ body: saying }, { subject: saying }, { reading: inJson }, { rests_on: inJson }]) {
    yield* inserted("simulation_message", "sequence", {
      simulation_lead_id: yield* lead(),
      sequence: 1,
      channel: "email",
      author: "lead",
      body: "Oi.",
      at: "2026-01-02T10:00:00Z",
      ...row
    })
  }
  yield* inserted("simulation_effect", "sequence", {
    simulation_lead_id: yield* lead(),
    sequence: 1,
    kind: "referral",
    detail: saying,
    at: "2026-01-02T10:00:00Z"
  })
})

/** A link to a CRM with the text sent about a lead. */
const atCrm = (leadId: LeadId) =>
  Effect.gen(function* () {
    yield* inserted("crm_lead", "lead_id", {
      crm: "pipedrive",
      lead_id: leadId,
      state: "synced",
      due_at: "2026-01-02T10:00:00Z"
    })
    yield* inserted("crm_activity", "lead_id", {
      crm: "pipedrive",
      crm_account: "1",
      lead_id: leadId,
      event: "reply",
      state: "made",
      external_id: "1"
    })
    yield* inserted("crm_link", "lead_id", {
      crm: "pipedrive",
      crm_account: "1",
      lead_id: leadId,
      kind: "deal",
      state: "linked",
      external_id: "7",
      written: JSON.stringify({ "=notes": saying })
    })
  })

const exportAll = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const exports = yield* LeadExports
  const unit = yield* UnitOfWork
  const { jobId, leadExportId } = yield* unit.write(exports.start({}))
  const job = { accountId, jobId, subjectId: undefined, attempt: 1, setProgress: () => Effect.void }
  const write = (checkpoint: Effect.Effect<void> = Effect.void) => exports.write({ ...job, checkpoint })
  const fileOf = sql<{ readonly file: number | null }>`
    select customer_file_id as file from lead_export
    where account_id = ${accountId} and lead_export_id = ${leadExportId}`.pipe(Effect.map((rows) => rows[0]?.file))
  return { write, fileOf }
})

/**
 * Columns that no lead's text can reach: the owner's own texts, the platform's, codes, ids and names of settings. A new
 * column of another table must be planted, or be listed in `neverOfLead` of its room's records.
 */
const ofNoLead = new RegExp(
  `^public[.](?:${[
    "(?:access_token|account|account_lock|account_phone|acquired_company|background_job|blacklist_entry|campaign)[.].*",
    "(?:business_(?:assessment|file|passage|passage_embedding|profile)|chatapp_line|chatapp_provider_line)[.].*",
    "(?:cancelled_call|client_question|connection|connection_bucket|deferred_company|dialed_number|followed_resource|former_handle|language_usage|oauth_code|oauth_refresh|oauth_state|sandbox_oauth_code|sandbox_oauth_grant)[.].*",
    "(?:lead_counter|sector_counter|report_day|report_figure|report_group|lead_generation_track|media_generation|website|website_code|website_name|website_picture|crawled_page|crawled_page_block|member|member_welcome|notification_address|operator_mail)[.].*",
    "(?:prospecting_(?:adjustment|config|file|learning|optimization)|support_request|webhook_attempt|webhook_replay|webhook_subscription)[.].*",
    "(?:crm_(?:custom_field|integration|setting|source|webhook_removal)|sandbox_crm|sender_domain|sender_domain_name)[.].*",
    "(?:approved_subdomain|confirmed_address)[.].*",
    "(?:lead_source|lead_source_contact|sandbox_lead_source|sandbox_lead_source_window)[.].*",
    "(?:ads_\\w+|sandbox_ads_(?:account|record))[.].*",
    "sandbox_chatapp_line[.].*",
    "(?:scheduler_account|scheduler_booking|scheduler_link|sandbox_scheduler|sandbox_scheduler_link|sandbox_scheduler_subscription)[.].*",
    "sandbox_scheduler_booking[.](?:event_id|holder|invitee_id|new_invitee|old_invitee|slug)",
    "(?:account_event|lead_lifecycle_event)[.]event_type",
    "notification[.]kind",
    "customer_file[.](?:download_key|media_type)",
    "chatapp_message[.]provider_media_id",
    // Hosts and names of campaigns. Something that only looks like a person's address does not count.
    "website_traffic_day[.]parts",
    "email_message[.]message_id",
    "(?:agent|chatapp|email)_message[.]language",
    "crm_(?:lead|link)[.]crm",
    "crm_link[.](?:crm_account|heard_outcome)",
    "message_embedding[.]model",
    "sandbox_crm_record[.](?:crm|kind|tenant)",
    "simulation_effect[.]kind",
    "sandbox_chatapp_media[.]media_id",
    "sandbox_chatapp_message[.]provider_message_id",
    "sandbox_voice_(?:call|script)[.]outcome",
    "lead_erasure[.]reason",
    "lead_export[.]filter",
    "lead_import[.](?:first_message_instructions|instructions|lead_status|prospecting_background|prospecting_goal|source_name)",
    "lead_import_row[.](?:filled|reason)"
  ].join("|")})$`
)

/** Writes the person's data into every text column of all rows that belong to the lead. */
const plantEverywhere = (leadId: LeadId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const columns = yield* sql<{ readonly table: string; readonly column: string; readonly type: string }>`
      select c.relname as table, a.attname as column, a.atttypid::regtype::text as type
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = '' and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'jsonb'::regtype, 'text[]'::regtype)
        and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'lead_id' and not o.attisdropped)
        and exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and f.confrelid = 'lead'::regclass)
        and c.relname <> 'lead_erasure'`
    for (const { column, table, type } of columns) {
      const value =
        type === "jsonb"
          ? sql`${JSON.stringify([saying])}::jsonb`
          : type === "text[]"
            ? sql`${[saying]}::text[]`
            : sql`${saying}`
      // Columns that already have traces, or that refer to a file with traces. Arrays have none, and a cluster refuses
      // a text for them.
      const hasTraces =
        type === "text[]" ? sql`false` : sql`${sql(column)}::text ~* 'zulmira|12345678|customer_file_id|media-1'`
      // A column that a check, a key or an index restricts cannot contain a person's text.
      yield* Effect.ignore(
        sql.withTransaction(sql`update ${sql(table)} set ${sql(column)} = ${value}
          where account_id = ${accountId} and lead_id = ${leadId} and ${sql(column)} is distinct from ${value}
            and (${sql(column)} is null or not ${hasTraces})`)
      )
    }
    // The counters contain the lead's industry, as if the gateway had written it.
    yield* sql`select recount_leads(${accountId})`
  })

layer(Services, { excludeTestServices: true })("erasing a lead", (it) => {
  it.effect("leaves nothing of the person in any column of any table", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const otherLead = yield* me(insertLead({ name: "Rui Prado", background: saying }))
      const lead = yield* me(insertLead({ ...person, referred_by_lead_id: otherLead, background: saying }))
      const friend = yield* me(insertLead({ name: "Eva Reis", referred_by_lead_id: lead, owner_context: saying }))

      // What belongs to the lead.
      const [presentation, picture, attachment] = yield* me(
        Effect.all([file("Zulmira Quaresma.txt", saying), file("photo.txt", saying), file("zulmira.txt", saying)])
      )
      yield* sql`update lead /* of a test */ set presentation_file_id = ${presentation} where lead_id = ${lead}`
      const attachments = JSON.stringify([{ customer_file_id: attachment, file_name: "zulmira.txt" }])
      yield* me(sandboxMail(yield* me(mail(lead, { attachments }))))
      yield* me(chat(lead, { customer_file_id: picture, provider_media_id: "media-1" }))
      yield* me(
        inserted("sandbox_chatapp_media", "media_id", {
          media_id: "media-1",
          file_name: "zulmira.txt",
          bytes: Buffer.from(saying)
        })
      )
      yield* me(call(lead))
      yield* me(
        inserted("meeting", "meeting_id", {
          lead_id: lead,
          title: "Reunião com Zulmira Quaresma",
          starts_at: "2026-01-02T10:00:00Z",
          ends_at: "2026-01-02T11:00:00Z",
          booked_through: "conversation"
        })
      )
      yield* me(
        inserted("lead_lifecycle_event", "lead_lifecycle_event_id", {
          lead_id: lead,
          event_type: "stopped",
          actor: "owner",
          reason: saying
        })
      )

      // Mail from before it was a lead.
      const early = yield* me(mail(null))
      yield* me(sandboxMail(early))
      yield* me(chat(null, { customer_file_id: yield* me(file("early.txt", saying)) }))
      yield* me(call(null))
      yield* me(
        inserted("sandbox_voice_script", "phone", { phone: "+5511912345678", outcome: "agrees", person_says: [saying] })
      )

      // What the account stores about the person elsewhere.
      const notifications = yield* Notifications
      const events = yield* AccountEvents
      const unit = yield* UnitOfWork
      yield* me(
        unit.write(
          Effect.gen(function* () {
            yield* notifications.notify({ kind: "lead_check_in", message: saying, data: { lead_id: lead, of: saying } })
            yield* events.appendMany([
              { type: "lead_replied_email", data: { lead_id: lead, email_message_id: 1, subject: saying } },
              {
                type: "email_received",
                data: { lead_id: null, email_message_id: early, from_address: person.email, subject: saying }
              }
            ])
          })
        )
      )
      // The same person in conversations of others, and in a notification about a call without a lead.
      const stranger = yield* me(insertLead({ name: "Otto Lima" }))
      yield* me(sandboxMail(yield* me(mail(stranger))))
      yield* me(mail(otherLead))
      yield* me(
        mail(friend, { direction: "outbound", status: "failed", to_address: person.email, provider_response: saying })
      )
      yield* me(
        inserted("touch", "touch_id", {
          lead_id: friend,
          touch_number: 1,
          status: "done",
          carries: JSON.stringify({ answer_id: null, context: saying, instructions: null })
        })
      )
      yield* me(
        unit.write(
          Effect.gen(function* () {
            yield* notifications.notify({
              kind: "voice_call_finished",
              message: "The call you asked for is finished.",
              data: { voice_call_request_id: 1, summary: saying }
            })
            yield* events.appendMany([
              {
                type: "email_received",
                data: { lead_id: stranger, email_message_id: 1, from_address: person.email, subject: saying }
              }
            ])
          })
        )
      )
      yield* me(inserted("agent_message", "agent_message_id", { role: "agent", body: `E Zulmira Quaresma?` }))
      const question = yield* me(
        inserted("open_question", "open_question_id", { question_text: "Aqui é a Zulmira. Qual é o prazo?" })
      )
      yield* me(inserted("open_question_lead", "lead_id", { open_question_id: question, lead_id: lead }))
      yield* me(
        inserted("lead_answer", "answer_id", {
          open_question_id: question,
          question_text: "Aqui é a Zulmira. Qual é o prazo?",
          answer_text: "São 15 dias, Zulmira.",
          is_reusable: true
        })
      )
      const { fileOf, write } = yield* me(exportAll)
      yield* me(write())
      const jobId = JobId.make(
        (yield* sql<{ readonly id: string }>`
          insert into background_job (account_id, kind, status)
          select account_id, 'lead_import', 'cancelled' from lead where lead_id = ${lead} returning job_id as id`)[0]
          ?.id ?? ""
      )
      const leadImport = yield* me(
        inserted("lead_import", "lead_import_id", {
          job_id: jobId,
          source_name: "inline rows",
          inline_rows: JSON.stringify([person]),
          columns: JSON.stringify([{ column: "A", header: "Nome", taken_for: "name", samples: [person.name, "Rui"] }]),
          lead_status: "Cold"
        })
      )
      const furtherEmail = JSON.stringify([{ field: "email", reason: "further_email", value: person.email }])
      for (const [index, lead_id] of [lead, otherLead].entries()) {
        const importedRow = { lead_import_id: leadImport, row_number: index + 1, outcome: "created", lead_id }
        yield* me(
          inserted("lead_import_row", "row_number", {
            ...importedRow,
            warnings: furtherEmail,
            not_filled: furtherEmail
          })
        )
      }
      yield* me(inserted("email_suppression", "email", { email: person.email, reason: "unsubscribed" }))
      yield* sql`
        update lead set company = 'Quaresma Ltda', city = 'Quaresma', job_title = 'Zulmira', industry = 'Quaresma',
          website = 'https://zulmira.example', linkedin_url = 'https://linkedin.example/zulmira'
        where lead_id = ${lead}`

      // What others wrote about the person, and what they received.
      for (const other of [otherLead, friend]) {
        const from_address = `lead${other}@example.com`
        const mailId = yield* me(mail(other, { from_address, classification }))
        yield* me(sandboxMail(mailId))
        yield* me(
          inserted("message_embedding", "model", { model: "m", email_message_id: mailId, vector: Buffer.of(1) })
        )
        yield* me(chat(other))
        yield* me(call(other))
        yield* me(
          inserted("lead_lifecycle_event", "lead_lifecycle_event_id", {
            lead_id: other,
            event_type: "stopped",
            actor: "owner",
            reason: saying
          })
        )
        yield* me(atCrm(other))
      }
      yield* me(atCrm(lead))
      yield* me(simulations)
      yield* me(inserted("simulation_lead", "simulation_lead_id", { profile: `["Rui Prado"]`, state: "{}" }))

      // The work of a gateway without providers for all of these leads.
      const { accountId } = yield* me(Caller)
      yield* sql`
        insert into sandbox_chatapp_message (account_id, client_reference, provider_message_id, phone, content)
        select account_id, client_reference, 'wamid.' || chatapp_message_id,
          case when lead_id is null or lead_id = ${lead} then ${person.phone} else phone end, to_jsonb(${saying}::text)
        from chatapp_message where account_id = ${accountId}`
      yield* sql`
        insert into sandbox_voice_call (account_id, client_reference, call_order, outcome, person_says)
        select account_id, client_reference, to_jsonb(${saying}::text), 'agrees', array[${saying}::text]
        from voice_call where account_id = ${accountId}`
      yield* me(
        inserted("sandbox_mail", "sandbox_mail_id", {
          email_message_id: yield* me(mail(lead, { direction: "outbound", status: "sent", message_type: "follow_up" })),
          direction: "outbound",
          message_id: "<zulmira@mail.example>",
          from_address: "account@mail.example",
          to_address: person.email,
          subject: saying,
          body_text: saying,
          raw: Buffer.from(saying)
        })
      )
      const tenant = { crm: "pipedrive", tenant: "sandbox-a" }
      yield* me(inserted("sandbox_crm", "calls", tenant))
      yield* me(
        inserted("sandbox_crm_record", "record_id", {
          ...tenant,
          kind: "person",
          body: JSON.stringify({ name: saying })
        })
      )
      const site = yield* me(
        inserted("website", "website_id", {
          application_type: "Website",
          description: "",
          title: "",
          language: "pt-br",
          editor_key: "key"
        })
      )
      yield* me(
        inserted("website_report", "website_report_id", {
          website_id: site,
          reason: "other",
          message: saying,
          contact: person.email,
          network_hash: Buffer.of(1)
        })
      )
      const inList = JSON.stringify([saying])
      yield* me(
        inserted("online_search", "online_search_id", {
          query: saying,
          type: "Fast",
          failure_reason: saying,
          result: saying,
          send_to: inList,
          sources: inList,
          queries: inList,
          job_id: yield* me(inserted("background_job", "job_id", { kind: "online_search" }))
        })
      )
      yield* me(inserted("sandbox_calendar", "calls", { calls: 1 }))
      yield* me(
        inserted("sandbox_calendar_event", "version", {
          event_id: "gate1",
          version: 1,
          body: JSON.stringify({ summary: saying })
        })
      )
      const noon = "2026-03-05T12:00:00Z"
      yield* me(
        inserted("sandbox_scheduler_booking", "invitee_id", {
          invitee_id: "invitee",
          event_id: "event",
          holder: "owner@mail.example",
          slug: "demonstracao",
          starts_at: noon,
          created_at: noon,
          updated_at: noon,
          body: JSON.stringify({ name: saying, email: person.email })
        })
      )
      yield* me(
        Effect.zipRight(
          Effect.flatMap(SqlClient, (sql) =>
            sql`create table keyed_write_19700101 partition of keyed_write
              for values from ('1970-01-01') to ('1970-01-02')`.pipe(Effect.orDie)
          ),
          inserted("keyed_write", "account_id", {
            key_mark: Buffer.alloc(32),
            call_mark: Buffer.alloc(32),
            begun_on: "1970-01-01",
            begun_at: new Date(0),
            is_running: false,
            answer: Buffer.from(JSON.stringify({ name: person.name }))
          })
        )
      )
      yield* me(inserted("touch", "touch_id", { lead_id: lead, touch_number: 1, status: "done" }))
      yield* Effect.flatMap(Caller, (caller) => rowsOfLead(caller, lead)).pipe(me)
      yield* me(plantEverywhere(lead))
      const before = yield* columnsWithTraces
      const isNever = yield* isNeverOfLead
      const unplanted = (yield* freeColumns).filter(
        (place) => !before.includes(place) && !ofNoLead.test(place) && !isNever(place.replace(/^public\./, ""))
      )
      assert.deepStrictEqual(unplanted, [])
      for (const place of [
        "public.lead.email",
        "public.customer_file_chunk.bytes",
        "public.sandbox_mail.raw",
        "public.account_event.data",
        "public.notification.data",
        "public.email_message.stems",
        "public.voice_call.transcript",
        "public.lead_import.inline_rows"
      ]) {
        assert.include(before, place)
      }
      assert.isNotNull(yield* me(fileOf))

      yield* me(erase(lead))

      assert.deepStrictEqual(yield* columnsWithTraces, [])
      assert.isNull(yield* me(fileOf))
      const tombstones = yield* sql`
        select from lead_tombstone t join account a using (account_id)
        where contact_digest in (contact_digest(a.tombstone_key, 'email', ${person.email}),
          contact_digest(a.tombstone_key, 'phone', ${person.phone}))`
      assert.lengthOf(tombstones, 2)
      // The others keep the rest of their texts.
      const others = yield* sql<{ readonly body: string; readonly of: string }>`
        select body_text as body, classification ->> 'class' as "of" from email_message where lead_id = ${otherLead} and classification is not null`
      assert.deepStrictEqual(others, [{ body: "Fale com [erased], [erased] ou [erased].", of: "referral" }])
      const links = yield* sql<{ readonly written: object }>`select written from crm_link where lead_id = ${friend}`
      assert.deepStrictEqual(links, [{ written: { "=notes": "Fale com [erased], [erased] ou [erased]." } }])
      const simulated = yield* sql`select profile from simulation_lead where account_id = ${accountId}`
      assert.deepStrictEqual(simulated, [{ profile: ["Rui Prado"] }])
      const answers = yield* sql`select answer_text as answer from lead_answer where open_question_id = ${question}`
      assert.deepStrictEqual(answers, [{ answer: "São 15 dias, [erased]." }])
    })
  )

  it.effect("keeps exports without the person, and of a running one nothing that was written before", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const first = yield* me(insertLead())
      const untouched = yield* me(exportAll)
      yield* me(untouched.write())
      const lead = yield* me(insertLead(person))
      const running = yield* me(exportAll)
      const context = yield* Effect.context<UnitOfWork | Leads>()
      let isErased = false
      const failure = yield* Effect.flip(
        me(
          running.write(
            // The first page is read, and then the lead is erased.
            Effect.suspend(() => {
              if (isErased) return Effect.void
              isErased = true
              return erase(lead).pipe(me, Effect.provide(context), Effect.asVoid, Effect.orDie)
            })
          )
        )
      )
      assert.deepInclude(failure, { _tag: "Transient", reason: "lead_erased" })
      assert.isNull(yield* me(running.fileOf))
      assert.deepStrictEqual(yield* columnsWithTraces, [])
      yield* me(running.write())
      assert.isNotNull(yield* me(running.fileOf))
      assert.isNotNull(yield* me(untouched.fileOf))
      yield* me(erase(first))
      assert.isNull(yield* me(untouched.fileOf))
    })
  )

  it.effect("changes nothing of another account, and nothing of people with part of the name", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const other = as(yield* makeAccount())
      const me = as(yield* makeAccount())
      yield* other(mail(yield* other(insertLead(person))))
      const lead = yield* me(insertLead({ ...person, name: "Ana" }))
      const body = "Ligar para Anastácia e Mariana, e para a Ana, amanhã."
      yield* me(inserted("agent_message", "agent_message_id", { role: "owner", body }))
      yield* me(erase(lead))
      assert.lengthOf(yield* sql`select from email_message where from_address = ${person.email}`, 1)
      assert.deepStrictEqual(yield* sql`select body from agent_message where body like 'Ligar%'`, [
        { body: "Ligar para Anastácia e Mariana, e para a [erased], amanhã." }
      ])
      yield* sql`delete from lead where email = ${person.email}`
    })
  )
})

describe("the traces of a person", () => {
  plainIt("whose name is nothing are the contacts alone", () => {
    assert.strictEqual(tracePatterns({ name: " ", email: null, phone: null }).person, "(?!)")
    assert.strictEqual(
      tracePatterns({ name: "-", email: "a.b@c.example", phone: null }).words,
      "(?<![[:alnum:]._%+-])a\\.b\\@c\\.example(?![[:alnum:]-]|[.][[:alnum:]])"
    )
    assert.strictEqual(tracePatterns({ name: "null", email: null, phone: null }).json, "(?!)")
  })
})
