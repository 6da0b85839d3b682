import type { CallUnderTest } from "./CallsUnderTest.ts"

/** Calls of an account that tries to use the whole gateway. */
export interface Flood extends CallUnderTest {
  /** For floods other than tool calls: the path to which the JSON is posted. */
  readonly path?: string
  /** Whether each call opens a new connection. */
  readonly isAnew?: boolean
  /** For floods of incomplete requests: how many connections stay open. */
  readonly halfSent?: number
}

const rows = (n: number): string =>
  JSON.stringify(Array.from({ length: 500 }, (_, row) => ({ name: `Flood ${n}`, email: `f${n}.${row}@flood.example` })))

export const floods: ReadonlyArray<Flood> = [
  { name: "flood of searches", tool: "search_leads", args: (n) => ({ query: "a", page: n % 500, page_size: 100 }) },
  { name: "flood of exports", tool: "export_leads", args: () => ({}) },
  {
    name: "flood of large bodies",
    tool: "upload_customer_file",
    args: (n) => ({ file_name: `flood-${n}.csv`, content_base64: "YWFh".repeat(500_000) })
  },
  { name: "flood of imports", tool: "import_leads", args: (n) => ({ rows_json: rows(n) }) },
  {
    // Nested replies, which once took the parser longest.
    name: "flood of mail",
    tool: "",
    path: "/sandbox/mail/inbound",
    args: (n) => ({
      from: `stranger${n}@lead.example`,
      subject: `Flood ${n}`,
      text: "On Mon, 2 Mar 2026, Bia wrote:\r\n".repeat(5000)
    })
  },
  {
    // The subscriptions from `Fairness.ts`, whose receiver never answers.
    name: "flood of webhooks",
    tool: "test_webhook_subscription",
    args: (n, { deadSubscriptions = [] }) => ({
      subscription_id: deadSubscriptions[n % Math.max(1, deadSubscriptions.length)] ?? 0
    })
  },
  { name: "flood of connections", tool: "whoami", args: () => ({}), isAnew: true },
  // More connections than the server has places, without a token, from one address.
  { name: "flood of half-sent requests", tool: "whoami", args: () => ({}), halfSent: 12_000 }
]
