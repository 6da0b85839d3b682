import type { LeadQuery } from "../../calls/LeadPages.ts"
import type { ArgumentsOf } from "../../calls/Tools.ts"

export const statuses = [
  "Pending",
  "Cold",
  "Confirmed",
  "Aware",
  "Interested",
  "NotInterested",
  "Frozen",
  "Closed",
  "Unqualified",
  "Rejected",
  "Gatekeeper"
] as const
const orders = ["date_created", "last_prospecting_message", "status"] as const

type Status = (typeof statuses)[number]
type Order = (typeof orders)[number]

/** The filters of the list, as they are in the address. */
export interface LeadSearch {
  readonly query?: string
  readonly status?: Status
  readonly campaign?: string
  readonly sort?: Order
  /** Shows only leads with a message within these days. */
  readonly days?: number
}

const textOf = (value: unknown): string | undefined => {
  if (typeof value === "number") return String(value)
  return typeof value === "string" && value !== "" ? value : undefined
}

/** Reads the address. What it does not know is ignored, so an old link still opens. */
export const parseLeadSearch = (search: Readonly<Record<string, unknown>>): LeadSearch => {
  const status = statuses.find((candidate) => candidate === search["status"])
  const sort = orders.find((candidate) => candidate === search["sort"])
  const query = textOf(search["query"])
  const campaign = textOf(search["campaign"])
  const days = Number(search["days"])
  return {
    ...(query === undefined ? {} : { query }),
    ...(status === undefined ? {} : { status }),
    ...(campaign === undefined ? {} : { campaign }),
    ...(sort === undefined ? {} : { sort }),
    ...(Number.isInteger(days) && days > 0 ? { days } : {})
  }
}

const dayMillis = 86_400_000

/** Returns the tool's arguments, without those for pages. */
export const leadQuery = (search: LeadSearch, now: number): LeadQuery => ({
  sort_by: search.sort ?? "date_created",
  ...(search.query === undefined ? {} : { query: search.query }),
  ...(search.status === undefined ? {} : { status: search.status }),
  ...(search.campaign === undefined ? {} : { campaign: search.campaign }),
  ...(search.days === undefined
    ? {}
    : { last_prospecting_message_after: new Date(now - search.days * dayMillis).toISOString().slice(0, 10) })
})

export const leadArguments = (search: LeadSearch, now: number): Omit<ArgumentsOf<"search_leads">, "page"> => ({
  page_size: 100,
  ...leadQuery(search, now)
})

/** Views that every account has. Each is nothing but an address. */
export const standardViews = [
  { id: "all", search: {} },
  { id: "interested", search: { status: "Interested", sort: "last_prospecting_message" } },
  { id: "confirmed", search: { status: "Confirmed", sort: "last_prospecting_message" } },
  { id: "active", search: { days: 7, sort: "last_prospecting_message" } },
  { id: "cold", search: { status: "Cold" } },
  { id: "closed", search: { status: "Closed" } }
] as const satisfies ReadonlyArray<{ readonly id: string; readonly search: LeadSearch }>
