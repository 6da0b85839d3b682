import { assert, describe, it } from "@effect/vitest"
import { foreignReads, foreignWrites, ownersOf, type SourceFile, sources } from "./tableUse.ts"

/**
 * A table is written by the room that makes it. What is excepted is one statement, or one transaction with few locks, on
 * a path where another round trip would be felt, and says so.
 */
const excepted: { readonly [use: string]: string } = {
  "Accounts business_profile":
    "an account that is made with its business's name gets its profile in the same transaction",
  "Accounts prospecting_config": "an account is made with its configuration, in one transaction",
  "Campaigns campaign_counter": "leads that leave a campaign are counted in the statement that takes them out",
  "Campaigns lead_counter": "the same",
  "Events account_lock": "events of one account wait for each other on its row",
  "Files chatapp_message": "a file that is removed leaves no reference behind, in the same transaction",
  "Files lead": "the same",
  "Files lead_export": "the same",
  "Platform account_lock": "statements take turns on the account's row",
  "Campaigns lead": "a campaign's leads leave it in batches of thousands, without a call for each",
  "ChatApp lead": "the end of a message marks its lead in the transaction that holds both rows",
  "LeadFiles lead":
    "an import inserts thousands of leads in one statement: 166 k rows a second against 3.4 k one by one",
  "LeadFiles lead_lifecycle_event": "in the same statement",
  "Leads chatapp_message": "a lead that stops takes back what is queued for it, under the lead's lock",
  "Leads email_message": "the same; and an e-mail of the owner's own words is queued in one statement",
  "Leads outreach_due": "the directory of accounts with due leads moves with the lead's schedule",
  "Mail lead": "a hard bounce marks every lead of the address, in the transaction that suppresses it",
  "Meetings lead_lifecycle_event": "the lead's history is written in the statement that books",
  "Outcomes lead": "an outcome, and when the owner is asked about a quiet lead, are columns of the lead",
  "Outcomes lead_lifecycle_event": "in the same statement",
  "Outreach chatapp_message": "a touch and its message are one transaction: nothing is sent twice or lost",
  "Outreach email_message": "the same",
  "Outreach lead": "claiming a thousand due leads, and their next touch, is one statement",
  "Outreach lead_lifecycle_event": "why a touch is at its hour is written in the transaction that sets it",
  "Outreach lead_answer_delivery": "an answer is delivered when the touch that tells it is, in one statement",
  "Outreach meeting": "claiming due notices of meetings is one statement",
  "Outreach outreach_due": "see Leads outreach_due",
  "Outreach voice_call": "the same",
  "Platform background_job": "the engine keeps the record of the job that it runs",
  "Presentations lead": "the presentation is a column of the lead",
  "Prospecting account": "whether prospecting is on is a column of the account, read by every claim",
  "Replies chatapp_message": "what was queued before the lead answered is taken back under the lead's lock",
  "Replies email_message": "the same",
  "Replies lead": "a reply's consequences are drawn in the transaction that holds the lead",
  "Replies lead_lifecycle_event": "in the same statement",
  "Replies touch": "the same",
  "Replies voice_call": "the same",
  "Sample account": "the clock of the sample's account is set while its past is made"
}

/** Whose tables are read by whom, beside the room itself. */
const readers: { readonly [table: string]: ReadonlyArray<string> } = {
  access_token: ["Members", "Reports"],
  account: [
    "ChatApp",
    "Companies",
    "Crm",
    "Events",
    "Jobs",
    "Knowledge",
    "LeadFiles",
    "Leads",
    "Learnings",
    "Mail",
    "Members",
    "Outreach",
    "Presentations",
    "Prospecting",
    "Reference",
    "Replies",
    "Reports",
    "Sample",
    "Support",
    "Timing",
    "Voice"
  ],
  account_seal: ["Platform"],
  agent_message: ["Conversations"],
  background_job: ["ChatApp", "Files", "LeadFiles", "Platform", "Reports"],
  business_profile: ["Accounts", "Outreach", "Prospecting"],
  campaign: [
    "Accounts",
    "Companies",
    "Crm",
    "Knowledge",
    "LeadFiles",
    "Leads",
    "Learnings",
    "Mail",
    "Outreach",
    "Prospecting",
    "ProspectingFiles",
    "Reports",
    "Sample"
  ],
  campaign_counter: ["Campaigns"],
  chatapp_budget: ["Reports"],
  chatapp_line: ["Outreach"],
  chatapp_message: [
    "Conversations",
    "Crm",
    "Leads",
    "Learnings",
    "Members",
    "Outreach",
    "ProspectingFiles",
    "Replies",
    "Reports",
    "Sample",
    "Support",
    "Timing"
  ],
  chatapp_spend: ["Reports"],
  connection: ["Crm"],
  customer_file: ["Outreach", "Reports"],
  customer_file_chunk: ["LeadFiles"],
  email_message: [
    "Conversations",
    "Crm",
    "Leads",
    "Learnings",
    "Members",
    "Outreach",
    "ProspectingFiles",
    "Replies",
    "Reports",
    "Sample",
    "Support",
    "Timing"
  ],
  email_suppression: ["Leads", "Outreach"],
  language_usage: ["Reports"],
  lead: [
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
    "Timing",
    "Voice"
  ],
  lead_answer: ["Knowledge", "Outreach", "Presentations"],
  lead_answer_delivery: ["Outreach"],
  lead_counter: ["Campaigns"],
  lead_erasure: ["LeadFiles"],
  lead_import: ["Files", "Leads", "Outreach"],
  lead_lifecycle_event: ["Crm", "Outcomes", "Reports"],
  lead_tombstone: ["ChatApp", "LeadFiles"],
  meeting: ["Crm", "Leads", "Outreach", "Replies", "Reports", "Sample"],
  member: ["Mail", "Reports"],
  model_outage: ["Outreach", "Replies", "Support"],
  notification: ["Replies"],
  notification_address: ["Mail", "Members"],
  open_question: ["Knowledge", "Outreach", "Sample"],
  outreach_due: ["Outreach"],
  prospecting_config: ["ChatApp", "Companies", "Knowledge", "Learnings", "Mail", "Members", "Reports"],
  prospecting_file: ["Knowledge"],
  prospecting_optimization: ["Reports"],
  sandbox_chatapp_message: ["Sample"],
  sandbox_mail: ["Sample"],
  touch: ["Learnings", "Meetings"],
  voice_call: ["Conversations", "Leads", "Learnings", "Outreach", "Reports", "Sample", "Support"],
  webhook_delivery: ["Support"],
  webhook_subscription: ["Support"]
}

const files = (sql: { readonly [name: string]: string }): ReadonlyArray<SourceFile> =>
  Object.entries(sql).map(([file, text]) => ({ room: file.split("/")[0] ?? "", name: file.split("/")[1] ?? "", text }))

describe("tables", () => {
  it("are made by one room each", () => {
    const made = sources
      .filter(({ name }) => /Migrations?\.ts$/.test(name))
      .flatMap(({ text }) => [...text.matchAll(/create (?:unlogged )?table (\w+)/g)].map(([, table]) => table))
    assert.deepStrictEqual([...made].sort(), [...ownersOf(sources).keys()].sort())
    assert.isAbove(made.length, 50)
  })

  // Others ask for it: an earlier room through a service of the owner's, a later one by a statement in its Sql.ts.
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
