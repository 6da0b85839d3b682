import { isZone } from "../../Core/LocalTime.ts"
import type { Tokens } from "./DateAtoms.ts"
import type { TimeToken } from "./TimeTokens.ts"
import { zoneOfName, zoneOfPlace } from "./ZonePhrases.ts"

/** A zone that a text names, and the end of its name. */
export interface NamedZone {
  /** IANA name. Undefined for "my time", which is the writer's zone. */
  readonly zone: string | undefined
  /** After its last token. */
  readonly end: number
}

const firstWords = (table: ReadonlyMap<string, string>): ReadonlySet<string> =>
  new Set([...table.keys()].map((name) => name.split(" ", 1)[0] ?? ""))

const firstWordsOfNames = firstWords(zoneOfName)
const firstWordsOfPlaces = firstWords(zoneOfPlace)

const longestName = 6

const words = (tokens: Tokens, from: number, size: number): string =>
  tokens
    .slice(from, from + size)
    .map(({ text }) => text)
    .join(" ")

/** Whether a single word names a zone after a clock: "ET", "Pacific". */
export const isZoneWord = (word: string): boolean => zoneOfName.has(word)

/** The longest name of a table that begins at a token. */
const longestAt = (
  tokens: Tokens,
  at: number,
  table: ReadonlyMap<string, string>
): { readonly zone: string; readonly end: number } | undefined => {
  const begins = table === zoneOfName ? firstWordsOfNames : firstWordsOfPlaces
  if (!begins.has(tokens[at]?.text.split(" ", 1)[0] ?? "")) return undefined
  for (let size = Math.min(longestName, tokens.length - at); size > 0; size--) {
    const zone = table.get(words(tokens, at, size))
    if (zone !== undefined) return { zone, end: at + size }
  }
  return undefined
}

const zonesOfPartHours: { readonly [offset: string]: string } = {
  "+5:30": "Asia/Kolkata",
  "+3:30": "Asia/Tehran",
  "-3:30": "America/St_Johns",
  "+9:30": "Australia/Darwin"
}

/** The zone database's name for an offset from UTC. It uses the opposite signs. */
const zoneOfOffset = (sign: string, hours: number, minutes: number): string | undefined => {
  const zone =
    minutes === 0
      ? `Etc/GMT${sign === "-" ? "+" : "-"}${hours}`
      : zonesOfPartHours[`${sign}${hours}:${String(minutes).padStart(2, "0")}`]
  return zone !== undefined && isZone(zone) ? zone : undefined
}

/** "GMT-3", "UTC +5:30". */
const offsetFrom = (tokens: Tokens, at: number): NamedZone | undefined => {
  const [name, sign, amount] = tokens.slice(at, at + 3)
  if (name?.text !== "gmt" && name?.text !== "utc") return undefined
  const hours = amount?.clock?.hour ?? amount?.number
  if ((sign?.text !== "-" && sign?.text !== "+") || hours === undefined) return undefined
  const zone = zoneOfOffset(sign.text, hours, amount?.clock?.minute ?? 0)
  return zone === undefined ? undefined : { zone, end: at + 3 }
}

const nounsOfTime = new Set(["horario", "hora", "fuso", "huso", "timezone"])
const ownTime = new Set(["my", "our", "your", "local", "meu", "nosso", "seu", "mi", "nuestra", "su"])
const placePrepositions = new Set(["de", "do", "da", "dos", "del", "in", "em", "en", "no"])

const pastPreposition = (tokens: Tokens, at: number): number =>
  placePrepositions.has(tokens[at]?.text ?? "") ? at + 1 : at

/** "hora de Lisboa", "horário de Nova York", "fuso horário de Manaus", "hora local". */
const nounThenPlace = (tokens: Tokens, at: number): NamedZone | undefined => {
  let index = pastPreposition(tokens, at)
  if (!nounsOfTime.has(tokens[index]?.text ?? "")) return undefined
  index++
  if (nounsOfTime.has(tokens[index]?.text ?? "")) index++
  if (tokens[index]?.text === "local") index++
  const place = longestAt(tokens, pastPreposition(tokens, index), zoneOfPlace)
  if (place !== undefined) return place
  return tokens[index - 1]?.text === "local" ? { zone: undefined, end: index } : undefined
}

/** "Lisbon time", "New York's time", "my time". */
const placeThenTime = (tokens: Tokens, at: number): NamedZone | undefined => {
  const first = tokens[at]?.text ?? ""
  if (!ownTime.has(first) && !firstWordsOfPlaces.has(first.split(" ", 1)[0]?.split("'", 1)[0] ?? "")) return undefined
  for (let size = 1; size < longestName; size++) {
    const noun = tokens[at + size]?.text
    if (noun !== "time" && noun !== "timezone") continue
    const name = words(tokens, at, size)
    const zone = zoneOfPlace.get(name.endsWith("'s") ? name.slice(0, -2) : name)
    if (zone !== undefined) return { zone, end: at + size + 1 }
    if (ownTime.has(name)) return { zone: undefined, end: at + size + 1 }
  }
  return undefined
}

/** Names that are also ordinary words only count if nothing follows them. */
const isWordToo = (name: string): boolean => ["art", "pet", "cot", "central", "canarias"].includes(name)

const isEnd = (token: TimeToken | undefined): boolean => token === undefined || token.text.length === 1

const abbreviationAt = (tokens: Tokens, at: number): NamedZone | undefined => {
  const named = longestAt(tokens, at, zoneOfName)
  if (named === undefined || (isWordToo(words(tokens, at, named.end - at)) && !isEnd(tokens[named.end])))
    return undefined
  const isFollowed = tokens[named.end]?.text === "time"
  return isFollowed ? { ...named, end: named.end + 1 } : named
}

/** "14h de Lisboa", "noon in London". */
const placeBehind = (tokens: Tokens, at: number): NamedZone | undefined => {
  const index = pastPreposition(tokens, at)
  return index === at ? undefined : longestAt(tokens, index, zoneOfPlace)
}

/** A zone that is certain from its words alone: "horário de Brasília", "UTC-3", "New York time". */
export const explicitZoneAt = (tokens: Tokens, at: number): NamedZone | undefined =>
  offsetFrom(tokens, at) ?? namedZone(tokens, at) ?? nounThenPlace(tokens, at) ?? placeThenTime(tokens, at)

/** Names of several words ("hora peninsular") have no other meaning. */
const namedZone = (tokens: Tokens, at: number): NamedZone | undefined => {
  const named = longestAt(tokens, at, zoneOfName)
  return named !== undefined && named.end > at + 1 ? named : undefined
}

/** The zone right after a clock, or after the date next to it, and the end of its name. */
export const zoneBehind = (tokens: Tokens, end: number, isBehindClock: boolean): NamedZone | undefined => {
  const isMark = tokens[end] !== undefined && "(,-".includes(tokens[end]?.text ?? "")
  for (const at of isMark ? [end + 1] : [end]) {
    const zone =
      explicitZoneAt(tokens, at) ?? abbreviationAt(tokens, at) ?? (isBehindClock ? placeBehind(tokens, at) : undefined)
    if (zone !== undefined) return tokens[zone.end]?.text === ")" ? { ...zone, end: zone.end + 1 } : zone
  }
  return undefined
}
