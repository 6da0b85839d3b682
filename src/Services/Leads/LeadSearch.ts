import { Context, type Effect } from "effect"
import type { NotFound, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import { withoutControlCharacters } from "../Text/SingleLine.ts"
import type { LeadStatus } from "./Ids.ts"
import type { LeadSummary } from "./LeadModel.ts"

export const leadSorts = ["date_created", "last_prospecting_message", "status"] as const
export type LeadSort = (typeof leadSorts)[number]

/** Which leads; `undefined` does not filter. */
export interface LeadFilter {
  /** Part of the name, the company or the e-mail address, whatever the case and accents; as `searchText` makes it. */
  readonly query: string | undefined
  readonly status: LeadStatus | undefined
  /** Name or numeric id. */
  readonly campaign: string | undefined
  readonly createdFrom: Timestamp | undefined
  /** Exclusive. */
  readonly createdBefore: Timestamp | undefined
  readonly lastMessageFrom: Timestamp | undefined
  readonly hasLinkedIn: boolean | undefined
}

export const everyLead: LeadFilter = {
  query: undefined,
  status: undefined,
  campaign: undefined,
  createdFrom: undefined,
  createdBefore: undefined,
  lastMessageFrom: undefined,
  hasLinkedIn: undefined
}

/** What a `query` argument looks for: nothing where it is blank. */
export const searchText = (query: string | undefined): string | undefined => {
  const text = withoutControlCharacters(query ?? "").trim()
  return text === "" ? undefined : text
}

export interface LeadPage {
  readonly leads: ReadonlyArray<LeadSummary>
  readonly total: number
}

export class LeadSearch extends Context.Tag("LeadSearch")<
  LeadSearch,
  {
    readonly search: (
      filter: LeadFilter,
      options: { readonly sort: LeadSort; readonly page: number; readonly pageSize: number }
    ) => Effect.Effect<LeadPage, NotFound | Transient, Caller>
  }
>() {}
