import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { dropOld, retentions } from "../../src/Layers/Jobs/Retention.ts"
import { TestEngine } from "../Outreach/support/touches.ts"
import { makeAccount } from "../support/TestAccount.ts"

/** Why the rows of the other tables stay, or who deletes them. */
const reasons = {
  history: "The account's own history or work. It stays until the account, the lead or the record is deleted.",
  settings: "What an account or the operator has set up. It doesn't grow with use.",
  figures: "Sums per day, sector or company. They are small, and reports need them.",
  working: "State of work in progress. Each row is replaced or deleted when its work is done or its time is over.",
  swept: "A task of the room deletes old rows.",
  simulated: "What simulated services know. Gateways with real services have no rows."
} as const

const tablesByReason: { readonly [R in keyof typeof reasons]: ReadonlyArray<string> } = {
  history: [
    "account_export",
    "agent_message",
    "business_assessment",
    "business_file",
    "business_passage",
    "calendar_event",
    "calendar_event_name",
    "chatapp_message",
    "chatapp_spend",
    "crm_activity",
    "crm_lead",
    "crm_link",
    "customer_file",
    "customer_file_chunk",
    "daily_report",
    "email_message",
    "email_suppression",
    "lead",
    "lead_answer",
    "lead_answer_delivery",
    "lead_capture",
    "lead_erasure",
    "lead_export",
    "lead_generation_run",
    "lead_import",
    "lead_lifecycle_event",
    "lead_rescheduling",
    "lead_source_contact",
    "lead_tombstone",
    "media_generation",
    "meeting",
    "meeting_invitation",
    "open_question",
    "open_question_lead",
    "prospecting_adjustment",
    "prospecting_learning",
    "prospecting_optimization",
    "scheduler_booking",
    "simulation_effect",
    "simulation_lead",
    "simulation_message",
    "site_record",
    "support_request",
    "touch",
    "voice_call",
    "website_code",
    "website_picture",
    "website_report"
  ],
  settings: [
    "approved_subdomain",
    "access_token",
    "account",
    "account_event",
    "account_phone",
    "account_seal",
    "acquired_company",
    "ads_ad",
    "ads_ad_group",
    "ads_audience",
    "ads_audience_member",
    "ads_campaign",
    "ads_conversion",
    "ads_conversion_action",
    "ads_customer",
    "ads_funding_entry",
    "ads_keyword",
    "ads_keyword_idea",
    "blacklist_entry",
    "business_profile",
    "campaign",
    "chatapp_budget",
    "chatapp_line",
    "chatapp_provider_line",
    "company",
    "confirmed_address",
    "connection",
    "crm_custom_field",
    "crm_integration",
    "crm_setting",
    "crm_source",
    "former_handle",
    "incident",
    "lead_generation_track",
    "lead_source",
    "learning_look",
    "mail_domain",
    "member",
    "notification_address",
    "prospecting_config",
    "prospecting_file",
    "scheduler_account",
    "sender_domain",
    "sender_domain_name",
    "tax_info",
    "website",
    "website_name"
  ],
  figures: [
    "ads_spend_day",
    "call_count",
    "company_city_frequency",
    "company_division_frequency",
    "company_edition",
    "company_frequency",
    "company_year_frequency",
    "lead_counter",
    "named_recipient_count",
    "platform_reply_time",
    "prospecting_trial",
    "report_day",
    "report_figure",
    "report_group",
    "report_stale_day",
    "sector_counter",
    "sender_domain_day",
    "site_form_count",
    "site_record_count",
    "volume_benchmark",
    "website_traffic_day"
  ],
  working: [
    "gateway_migration",
    "account_lock",
    "audit_checkpoint",
    "audit_head",
    "business_passage_embedding",
    "calendar_mirror",
    "cancelled_call",
    "client_question",
    "connection_bucket",
    "console_session",
    "crawled_page",
    "crawled_page_block",
    "crm_webhook_removal",
    "deferred_company",
    "dialed_number",
    "dispatch_queue",
    "embedding_progress",
    "followed_resource",
    "lead_change",
    "lead_follower",
    "lead_past_change",
    "lead_past_follower",
    "lead_place_backlog",
    "mail_access",
    "mail_mailbox",
    "member_welcome",
    "message_embedding",
    "model_outage",
    "model_outage_notice",
    "oauth_code",
    "oauth_refresh",
    "oauth_state",
    "operator_mail",
    "released_company",
    "scheduler_link",
    "site_form_use",
    "site_session",
    "site_sign_in",
    "visitor_salt",
    "website_access_try",
    "worker_heartbeat"
  ],
  swept: [
    "audit_entry",
    "call_usage",
    "keyed_write",
    "mail_recipient",
    "request_entry",
    "test_account",
    "webhook_attempt",
    "webhook_delivery",
    "webhook_replay",
    "webhook_subscription"
  ],
  simulated: [
    "sandbox_ads_account",
    "sandbox_ads_record",
    "sandbox_calendar",
    "sandbox_calendar_channel",
    "sandbox_calendar_event",
    "sandbox_chatapp_line",
    "sandbox_chatapp_media",
    "sandbox_chatapp_message",
    "sandbox_crm",
    "sandbox_crm_record",
    "sandbox_dns_record",
    "sandbox_lead_source",
    "sandbox_lead_source_window",
    "sandbox_mail",
    "sandbox_oauth_code",
    "sandbox_oauth_grant",
    "sandbox_scheduler",
    "sandbox_scheduler_booking",
    "sandbox_scheduler_link",
    "sandbox_scheduler_subscription",
    "sandbox_voice_call",
    "sandbox_voice_script"
  ]
}

layer(TestEngine, { excludeTestServices: true })("retention", (it) => {
  it.effect("each table has an age, or a reason to stay", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* sql<{ readonly name: string }>`
        select c.relname as name from pg_class c
        where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace order by 1`
      const classified = [...retentions.map(({ table }) => table), ...Object.values(tablesByReason).flat()]
      assert.deepStrictEqual(classified.toSorted(), [...new Set(classified)].toSorted(), "a table is classified twice")
      assert.deepStrictEqual(rows.map(({ name }) => name).toSorted(), classified.toSorted())
    })
  )

  it.effect("old rows are deleted, and others stay", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* makeAccount()
      yield* sql`
        insert into background_job (account_id, kind, status, created_at) values
          (${accountId}, 'a', 'finished', now() - interval '91 days'),
          (${accountId}, 'b', 'running', now() - interval '91 days'),
          (${accountId}, 'c', 'finished', now() - interval '89 days')`
      yield* sql`
        insert into language_usage (account_id, day, purpose, model) values
          (${accountId}, current_date - 801, 'write_message', 'm'), (${accountId}, current_date - 799, 'write_message', 'm')`
      yield* sql`
        insert into notification (account_id, kind, message, created_at, processed_at) values
          (${accountId}, 'old', 'x', now() - interval '801 days', now()),
          (${accountId}, 'open', 'x', now() - interval '801 days', null)`
      yield* dropOld
      const left = yield* sql<{ readonly what: string }>`
        select kind as what from background_job where account_id = ${accountId}
        union all select purpose from language_usage where account_id = ${accountId}
        union all select kind from notification where account_id = ${accountId} order by 1`
      assert.deepStrictEqual(
        left.map(({ what }) => what),
        ["b", "c", "open", "write_message"]
      )
    })
  )
})
