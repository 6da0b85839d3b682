import type { CallUnderTest } from "./CallsUnderTest.ts"

/** Calls of an account that wants all of the gateway for itself. */
export interface Flood extends CallUnderTest {
  /** Where it is no call of a tool: what is posted instead of its arguments, as JSON. */
  readonly path?: string
  /** Whether each call opens a connection of its own. */
  readonly isAnew?: boolean
  /** Where it sends no whole request: how many connections it keeps open at once. */
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
    // Answers in answers: what once took the parser the longest.
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
    // The subscriptions that `Fairness.ts` makes: nobody ever answers behind them.
    name: "flood of webhooks",
    tool: "test_webhook_subscription",
    args: (n, { deadSubscriptions = [] }) => ({
      subscription_id: deadSubscriptions[n % Math.max(1, deadSubscriptions.length)] ?? 0
    })
  },
  { name: "flood of connections", tool: "whoami", args: () => ({}), isAnew: true },
  // More than there are places, without a token, from one address.
  { name: "flood of half-sent requests", tool: "whoami", args: () => ({}), halfSent: 12_000 }
]
