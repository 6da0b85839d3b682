import { assert, describe, it } from "@effect/vitest"
import { foreignReads, foreignWrites, ownersOf, type SourceFile, sources } from "./tableUse.ts"

/** Which rooms read another room's tables. */
const readers: { readonly [table: string]: ReadonlyArray<string> } = {
  access_token: ["Console", "Members", "Reports"],
  account: [
    "Ads",
    "Calendar",
    "Campaigns",
    "ChatApp",
    "Companies",
    "Connections",
    "Console",
    "Conversations",
    "Crm",
    "Events",
    "Jobs",
    "Knowledge",
    "LeadFiles",
    "LeadSource",
    "Leads",
    "Learnings",
    "Mail",
    "Mcp",
    "Members",
    "Outcomes",
    "Outreach",
    "Platform",
    "Presentations",
    "Prospecting",
    "Reference",
    "Replies",
    "Reports",
    "Scheduler",
    "SenderDomains",
    "Simulated",
    "Simulation",
    "Support",
    "TestAccounts",
    "TestGateways",
    "Timing",
    "Voice",
    "WebSearch",
    "Websites"
  ],
  account_event: ["Mcp"],
  acquired_company: ["Outreach"],
  account_seal: ["Platform"],
  ads_campaign: ["Events"],
  agent_message: ["Conversations"],
  background_job: ["ChatApp", "Files", "LeadFiles", "Mcp", "Media", "Platform", "Reports", "WebSearch", "Websites"],
  blacklist_entry: ["Ads"],
  business_file: ["Presentations"],
  business_passage: ["Presentations"],
  business_profile: ["Accounts", "Ads", "Calendar", "Leads", "Outreach", "Prospecting"],
  campaign: [
    "Accounts",
    "Calendar",
    "Companies",
    "Crm",
    "Events",
    "Knowledge",
    "LeadFiles",
    "Leads",
    "Learnings",
    "Mail",
    "Outreach",
    "Prospecting",
    "ProspectingFiles",
    "Reports",
    "Simulated",
    "Simulation"
  ],
  calendar_mirror: ["Outreach"],
  call_usage: ["Reports"],
  chatapp_budget: ["Reports"],
  chatapp_line: ["Leads", "Outreach"],
  chatapp_message: [
    "Conversations",
    "Crm",
    "Leads",
    "Learnings",
    "Members",
    "Outcomes",
    "Outreach",
    "ProspectingFiles",
    "Replies",
    "Reports",
    "Sample",
    "Support",
    "Timing"
  ],
  chatapp_spend: ["Reports"],
  connection: ["Calendar", "Crm", "Events", "LeadSource", "Outreach", "Scheduler"],
  customer_file: ["LeadFiles", "Media", "Outreach", "Presentations", "Reports"],
  customer_file_chunk: ["LeadFiles"],
  email_message: [
    "Conversations",
    "Crm",
    "Events",
    "Leads",
    "Learnings",
    "Members",
    "Outcomes",
    "Outreach",
    "ProspectingFiles",
    "Replies",
    "Reports",
    "Sample",
    "SenderDomains",
    "Support",
    "TestGateways",
    "Timing"
  ],
  email_suppression: ["Ads", "Leads", "Outreach", "SenderDomains"],
  language_usage: ["Reports"],
  lead: [
    "Ads",
    "Calendar",
    "Campaigns",
    "ChatApp",
    "Conversations",
    "Crm",
    "Events",
    "Knowledge",
    "LeadFiles",
    "Learnings",
    "Mail",
    "Meetings",
    "Outcomes",
    "Outreach",
    "Presentations",
    "Prospecting",
    "Reference",
    "Replies",
    "Reports",
    "Sample",
    "Scheduler",
    "Simulated",
    "TestGateways",
    "Timing",
    "Voice"
  ],
  lead_answer: ["Knowledge", "Outreach", "Presentations"],
  lead_answer_delivery: ["Outreach"],
  lead_capture: ["Crm", "Outreach"],
  lead_counter: ["Campaigns", "Reports"],
  lead_erasure: ["LeadFiles"],
  lead_import: ["Files", "Jobs", "Outreach"],
  lead_lifecycle_event: ["Ads", "Campaigns", "Crm", "Events", "Outcomes", "Reports"],
  lead_tombstone: ["ChatApp", "LeadFiles"],
  media_generation: ["Ads"],
  meeting: [
    "Ads",
    "Calendar",
    "Campaigns",
    "Crm",
    "Events",
    "Leads",
    "Outreach",
    "Replies",
    "Reports",
    "Sample",
    "Scheduler",
    "Simulated"
  ],
  member: ["Console", "Crm", "Mail", "Reports", "Websites"],
  member_welcome: ["Mail"],
  model_outage: ["Events", "Outreach", "Replies", "Support"],
  notification: ["Calendar", "Replies"],
  notification_address: ["Mail", "Members"],
  open_question: ["Events", "Knowledge", "Outreach", "Sample"],
  open_question_lead: ["Outreach", "Presentations"],
  dispatch_queue: ["Outreach"],
  prospecting_config: [
    "Accounts",
    "ChatApp",
    "Companies",
    "Knowledge",
    "Leads",
    "Learnings",
    "Mail",
    "Members",
    "Outreach",
    "Reports",
    "Timing"
  ],
  prospecting_file: ["Knowledge"],
  prospecting_optimization: ["Reports"],
  sector_counter: ["Campaigns", "Reports"],
  sandbox_chatapp_message: ["Sample"],
  sandbox_mail: ["Sample", "TestGateways"],
  scheduler_booking: ["Calendar"],
  sender_domain: ["Accounts", "Events", "Mail"],
  touch: ["Calendar", "Conversations", "Leads", "Learnings", "Meetings"],
  voice_call: ["Conversations", "Crm", "Leads", "Learnings", "Outreach", "Reports", "Sample", "Support"],
  webhook_delivery: ["Platform", "Support"],
  webhook_subscription: ["Support", "TestGateways"],
  website_picture: ["Files"]
}

const files = (sql: { readonly [name: string]: string }): ReadonlyArray<SourceFile> =>
  Object.entries(sql).map(([file, text]) => ({ room: file.split("/")[0] ?? "", name: file.split("/")[1] ?? "", text }))

describe("tables", () => {
  it("are made by one room each", () => {
    const migrations = sources
      .filter(({ name }) => /Migrations?\.ts$/.test(name))
      .flatMap(({ text }) => [...text.matchAll(/create (?:unlogged )?table (\w+)/g)].map(([, table]) => table))
    assert.deepStrictEqual([...migrations].sort(), [...ownersOf(sources).keys()].sort())
    assert.isAbove(migrations.length, 50)
  })

  // Other rooms do not write them: an earlier room uses a service of the owner, a later one a statement in its Sql.ts.
  it("are written by their room alone", () => {
    assert.deepStrictEqual(foreignWrites(sources), [])
  })

  it("are read by the rooms on the list", () => {
    const expected = Object.entries(readers).flatMap(([table, rooms]) => rooms.map((room) => `${room} ${table}`))
    assert.deepStrictEqual(foreignReads(sources), expected.sort())
  })

  it("that are written or read by a stranger are found", () => {
    const planted = files({
      "Mail/Migrations.ts": "create table letter (id bigint)",
      "Mail/Letters.ts": "insert into letter select * from letter",
      "Voice/Calls.ts": "update letter set id = 1",
      "Files/Sweep.ts": "delete from only letter",
      "Leads/PersonalData.ts": 'redact(sql, { table: "letter", texts: [] })',
      "Timing/Hours.ts": "select 1 from account a\n  join letter l using (id)"
    })
    assert.deepStrictEqual(foreignWrites(planted), ["Files letter", "Leads letter", "Voice letter"])
    assert.deepStrictEqual(foreignReads(planted), ["Timing letter"])
  })
})
