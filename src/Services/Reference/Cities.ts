import { getMunicipalities } from "@brazilian-utils/brazilian-utils/get-municipalities"
import { getStates } from "@brazilian-utils/brazilian-utils/get-states"
import { Schema } from "effect"
import { distance } from "fastest-levenshtein"
import { placeWords } from "../Text/Places/PlaceName.ts"

export const CityMatch = Schema.Struct({
  ibge_code: Schema.String.annotations({ description: "The seven digits by which IBGE names the municipality." }),
  name: Schema.String,
  state: Schema.String.annotations({ description: "Two letters, as in uf_filter." }),
  state_name: Schema.String,
  match: Schema.Literal("exact", "beginning", "part", "similar").annotations({
    description: "How the name was found: as given, at its beginning, within it, or by a similar spelling."
  })
})
export type CityMatch = typeof CityMatch.Type

interface City {
  readonly code: string
  readonly name: string
  readonly state: string
  readonly key: string
}

const cities: ReadonlyArray<City> = getMunicipalities().map(({ code, name, stateCode }) => ({
  code,
  name,
  state: stateCode,
  key: placeWords(name)
}))

const stateNames: ReadonlyMap<string, string> = new Map(getStates().map(({ code, name }) => [code, name]))
const stateByName: ReadonlyMap<string, string> = new Map(
  [...stateNames].map(([code, name]) => [placeWords(name), code])
)

/** The code of a state that is given by code or name. Null if no state has the name. */
export const stateOf = (text: string): string | null => {
  const letters = text.trim().toUpperCase()
  return stateNames.has(letters) ? letters : (stateByName.get(placeWords(text)) ?? null)
}

/** No city name with its state is longer. The limit matters because the expression takes quadratic time. */
const longestName = 200

/** A city with its state: `Bonito, MS`, `Bonito - Mato Grosso do Sul`, `Bonito/MS`, `Bonito (MS)`. */
const withState = (text: string): { readonly city: string; readonly state: string | undefined } => {
  if (text.length > longestName) return { city: text, state: undefined }
  const match = /^(.+?)\s*(?:[,/(]|\s-)\s*([^,/()]+?)\)?\s*$/.exec(text.trim())
  const [, city = "", stateText = ""] = match ?? []
  const state = stateOf(stateText)
  return state === null ? { city: text, state: undefined } : { city, state }
}

/** The most cities that are returned. Exact matches are always among them. */
export const maximumCities = 100

const ranks = { exact: 0, beginning: 1, part: 2, similar: 3 } as const

const matchOf = (key: string, searchedName: string): "exact" | "beginning" | "part" | undefined => {
  if (key === searchedName) return "exact"
  if (searchedName.length < 3) return undefined
  if (key.startsWith(`${searchedName} `) || (searchedName.length >= 4 && key.startsWith(searchedName)))
    return "beginning"
  return ` ${key} `.includes(` ${searchedName} `) ? "part" : undefined
}

/**
 * Municipalities by name, ignoring case and accents: exact matches first, then names that begin with it or contain it
 * as words. Without a match, similar spellings.
 */
export const findCities = (
  text: string,
  wantedState?: string
): { readonly cities: ReadonlyArray<CityMatch>; readonly total: number } => {
  const { city, state } = wantedState === undefined ? withState(text) : { city: text, state: wantedState }
  const searchedName = placeWords(city)
  if (searchedName === "") return { cities: [], total: 0 }
  const inState = state === undefined ? cities : cities.filter((one) => one.state === state)
  const named = inState.flatMap((one) => {
    const match = matchOf(one.key, searchedName)
    return match === undefined ? [] : [{ one, match }]
  })
  const allowed = searchedName.length >= 8 ? 2 : searchedName.length >= 5 ? 1 : 0
  const squeezed = searchedName.replaceAll(" ", "")
  const matches =
    named.length > 0
      ? named
      : inState.flatMap((one) =>
          allowed > 0 &&
          Math.abs(one.key.length - searchedName.length) <= allowed + 3 &&
          distance(one.key.replaceAll(" ", ""), squeezed) <= allowed
            ? [{ one, match: "similar" as const }]
            : []
        )
  return {
    total: matches.length,
    cities: matches
      .toSorted(
        (a, b) =>
          ranks[a.match] - ranks[b.match] ||
          (a.one.key < b.one.key ? -1 : a.one.key > b.one.key ? 1 : a.one.state < b.one.state ? -1 : 1)
      )
      .slice(0, maximumCities)
      .map(({ match, one }) => ({
        ibge_code: one.code,
        name: one.name,
        state: one.state,
        state_name: stateNames.get(one.state) ?? one.state,
        match
      }))
  }
}
