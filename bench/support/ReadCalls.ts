import { type CallUnderTest, leadAt, wordAt } from "./CallsUnderTest.ts"
import { imports } from "./SampleHistory.ts"
import { firstNames, lastNames, trades } from "./SampleLeads.ts"

/** One of the leads with e-mails, which is every fifth. */
const leadWithMail = (n: number, run: Parameters<CallUnderTest["args"]>[1]): number => {
  const lead = leadAt(n, run)
  return Math.max(run.firstLeadId, lead - (lead % 5))
}

/** A tool without arguments, or always with the same ones. */
const plain = (tool: string, args: ReturnType<CallUnderTest["args"]> = {}): CallUnderTest => ({
  name: tool,
  tool,
  args: () => args
})

const search = (what: string, args: CallUnderTest["args"]): CallUnderTest => ({
  name: `search_leads, ${what}`,
  tool: "search_leads",
  args
})

const ofLead = (tool: string, args: ReturnType<CallUnderTest["args"]> = {}): CallUnderTest => ({
  name: tool,
  tool,
  args: (n, run) => ({ lead_id: leadWithMail(n, run), ...args })
})

/** Distributes consecutive numbers over the ids, of which there is one per `leadsPerRow` leads. */
const idAt = (n: number, { leads }: { readonly leads: number }, leadsPerRow: number): number =>
  1 + ((n * 7919) % Math.floor(leads / leadsPerRow))

/** The prefix of report names. They are measured on the history of ReportHistory.ts. */
export const reportPrefix = "report: "

const report = (tool: string, args: ReturnType<CallUnderTest["args"]> = {}, what = ""): CallUnderTest => ({
  name: `${reportPrefix}${tool}${what}`,
  tool,
  args: () => args
})

/** The reports, each with the default period and with the longest one. */
const reports: ReadonlyArray<CallUnderTest> = [
  report("get_prospecting_report"),
  report("get_prospecting_report", { campaign: "Campanha 1" }, ", one campaign"),
  report("get_performance_trends"),
  report("get_performance_trends", { days: 365 }, ", a year"),
  report("get_funnel_timeline"),
  report("get_funnel_timeline", { days: 365, bucket: "week" }, ", a year"),
  report("get_funnel_by_industry"),
  report("get_metrics_by_state_and_industry"),
  report("get_metrics_by_state_and_industry", { days: 365 }, ", a year"),
  report("get_message_performance"),
  report("get_message_performance", { days: 365 }, ", a year"),
  report("get_chatapp_message_performance"),
  report("get_chatapp_message_performance", { days: 365 }, ", a year"),
  report("what_changed_since", { since_date: new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10) }),
  report("list_prospecting_optimizations"),
  report("estimate_lead_volume"),
  report("list_prospecting_learnings"),
  report("search_prospecting_learnings", { query: "best hour to send" })
]

/** Every read tool with realistic arguments, on the data of SampleLeads.ts and SampleHistory.ts. */
export const readCalls: ReadonlyArray<CallUnderTest> = [
  plain("whoami"),
  plain("list_pending_notifications"),
  plain("list_notification_history"),
  { ...ofLead("get_lead"), name: "get_lead, with e-mails" },
  ofLead("list_lead_emails"),
  plain("list_pending_review"),
  plain("list_paused_prospecting_leads"),
  search("all", (n) => ({ page: n % 5 })),
  search("deep page", (n) => ({ page: 400 + (n % 5), page_size: 20 })),
  search("one status", (n) => ({ status: wordAt(["Interested", "Confirmed", "Closed"], n) })),
  // In every second campaign, no lead has a profile.
  search("campaign and LinkedIn", (n) => ({ campaign: `Campanha ${2 + 2 * (n % 2)}`, has_linkedin: true })),
  search("nobody in the filters", () => ({ campaign: "Campanha 1", has_linkedin: true })),
  search("created in one hour", (n) => {
    const day = String(1 + (n % 2)).padStart(2, "0")
    return { created_after: `2025-01-${day}T10:00:00Z`, created_before: `2025-01-${day}T11:00:00Z` }
  }),
  // The number is part of one lead's address, and of some others' by chance.
  search("part of an address", (n, run) => ({ query: `.${leadAt(n, run) - run.firstLeadId + 1}@` })),
  search("word and number", (n, run) => {
    const number = leadAt(n, run) - run.firstLeadId + 1
    const last = wordAt(lastNames, Math.floor(number / firstNames.length))
    return { query: `${last}.${number}` }
  }),
  search("word and first digits", (n) => ({ query: `${wordAt(lastNames, n)}.${1000 + (n % 9000)}` })),
  search("nothing found", (n) => ({ query: `${wordAt(lastNames, n)} ${wordAt(trades, n)} & filhos` })),
  search("whole name", (n) => ({ query: `${wordAt(firstNames, n)} ${wordAt(lastNames, n * 7)}` })),
  search("one common word", (n) => ({ query: wordAt(lastNames, n) })),
  search("two letters", (n) => ({ query: wordAt(["jx", "qz", "zz", "xk"], n) })),
  plain("list_lead_imports"),
  {
    name: "get_lead_import",
    tool: "get_lead_import",
    args: (n) => ({ lead_import_id: 1 + (n % imports), page: n % 10 })
  },
  ofLead("list_lead_lifecycle_events"),
  plain("list_lead_meetings"),
  ofLead("get_lead_timing_intelligence"),
  ofLead("get_lead_conversation"),
  ofLead("list_lead_chatapp_messages"),
  {
    name: "search_lead_conversations, rare word",
    tool: "search_lead_conversations",
    args: (n) => ({ query: `linha${(n * 10) % 5000}` })
  },
  {
    name: "search_lead_conversations, of one lead",
    tool: "search_lead_conversations",
    args: (n, run) => ({ query: "proposta para a empresa", lead_id: leadWithMail(n, run) })
  },
  {
    name: "search_lead_conversations, common word",
    tool: "search_lead_conversations",
    args: () => ({ query: "proposta" })
  },
  {
    name: "search_my_agent_conversation",
    tool: "search_my_agent_conversation",
    args: (n) => ({ query: `price of linha${n % 500}` })
  },
  plain("list_campaigns"),
  { name: "get_campaign", tool: "get_campaign", args: (n) => ({ campaign: `Campanha ${1 + (n % 5)}` }) },
  plain("compare_campaigns", { name_a: "Campanha 1", name_b: "Campanha 2" }),
  {
    name: "get_voice_call",
    tool: "get_voice_call",
    args: (n, run) => ({ voice_call_request_id: idAt(n, run, 200) })
  },
  plain("list_voice_calls"),
  plain("get_voice_calling_active"),
  plain("get_campaign_voice_calling_active", { campaign: "Campanha 1" }),
  plain("get_voice_prospecting_voice"),
  plain("get_chatapp_line"),
  plain("list_blacklisted_emails"),
  plain("get_prospecting_config"),
  plain("list_mcp_tokens"),
  plain("list_webhook_subscriptions"),
  plain("list_webhook_deliveries", { subscription_id: 1 }),
  {
    name: "list_account_events",
    tool: "list_account_events",
    args: (n, run) => ({ since_cursor: idAt(n, run, 4), limit: 50 })
  },
  plain("list_customer_files"),
  {
    name: "get_customer_file",
    tool: "get_customer_file",
    args: (n) => ({ customer_file_id: 1 + (n % imports) })
  },
  plain("list_background_jobs", { status: "finished" }),
  ...reports
]
