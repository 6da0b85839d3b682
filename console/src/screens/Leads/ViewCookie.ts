import { type LeadSearch, parseLeadSearch } from "./LeadSearch.ts"

export interface SavedView {
  readonly name: string
  readonly search: LeadSearch
}

/** The most saved views, since a cookie is limited to 4 kB. */
const mostViews = 8
const longestName = 30

/** A search text can be a person's name, so it is never saved. */
const withoutText = ({ query: _query, ...search }: LeadSearch): LeadSearch => search

const viewOf = (value: unknown): ReadonlyArray<SavedView> => {
  if (typeof value !== "object" || value === null || !("name" in value) || !("search" in value)) return []
  const { name, search } = value
  if (typeof name !== "string" || name === "" || typeof search !== "object" || search === null) return []
  return [{ name: name.slice(0, longestName), search: withoutText(parseLeadSearch({ ...search })) }]
}

export const readViews = (text: string): ReadonlyArray<SavedView> => {
  try {
    const list: unknown = JSON.parse(decodeURIComponent(text))
    return Array.isArray(list) ? list.flatMap(viewOf).slice(0, mostViews) : []
  } catch {
    return []
  }
}

export const writeViews = (views: ReadonlyArray<SavedView>): string =>
  encodeURIComponent(JSON.stringify(views.slice(-mostViews).flatMap(viewOf)))
