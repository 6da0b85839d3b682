import { Context, type Effect, Schema } from "effect"
import type { NotFound, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { withoutControlCharacters } from "../Text/SingleLine.ts"
import { LeadStatus } from "./Ids.ts"
import type { LeadSummary } from "./LeadModel.ts"

export const leadSorts = ["date_created", "last_prospecting_message", "status"] as const
export type LeadSort = (typeof leadSorts)[number]

/**
 * The fields of a filter. A missing field does not filter. `query` is part of the name, the company or the e-mail
 * address, prepared by `searchText`. `campaign` is a name or an id, and `createdBefore` is exclusive.
 */
export const leadFilterFields = {
  query: Schema.String,
  status: LeadStatus,
  campaign: Schema.String,
  createdFrom: Timestamp,
  createdBefore: Timestamp,
  lastMessageFrom: Timestamp,
  hasLinkedIn: Schema.Boolean
}

export type LeadFilter = {
  readonly [F in keyof typeof leadFilterFields]?: (typeof leadFilterFields)[F]["Type"] | undefined
}

/** The prepared text of a `query` argument. Undefined if it is blank. */
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
