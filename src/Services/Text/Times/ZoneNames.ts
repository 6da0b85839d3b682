import type { TimeToken } from "./TimeTokens.ts"

/** Names of zones that stand behind a clock: "2:30 pm ET", "15h (horário de Lisboa)". */
const abbreviations: { readonly [zone: string]: string } = {
  "America/New_York": "et|est|edt|eastern|eastern time|hora del este|horario da costa leste",
  "America/Chicago": "ct|cst|cdt|central time|hora central",
  "America/Denver": "mt|mst|mdt|mountain|mountain time",
  "America/Los_Angeles": "pt|pst|pdt|pacific|pacific time|hora del pacifico",
  "America/Halifax": "ast|adt|atlantic time",
  "Europe/London": "gmt|bst|uk time|uk|british time|hora britanica",
  "Europe/Paris": "cet|cest|central european time|hora central europea",
  "Europe/Madrid": "hora peninsular|horario peninsular|peninsular|hora espanola",
  "Atlantic/Canary": "hora canaria|una hora menos en canarias",
  "America/Sao_Paulo": "brt|hora de brasilia|horario de brasilia|brasilia|brazil time|brasilia time|hora do brasil",
  "America/Argentina/Buenos_Aires": "art|hora argentina|argentina|argentina time",
  "America/Mexico_City": "cdmx|hora de mexico|hora mexico|mexico time|hora del centro de mexico",
  "America/Bogota": "cot|hora colombia|hora de colombia|hora colombiana",
  "America/Lima": "pet|hora peru|hora de peru|hora peruana",
  "America/Santiago": "clt|clst|hora de chile|hora chile|hora chilena",
  "Asia/Kolkata": "ist|india time",
  "Australia/Sydney": "aest|aedt|sydney time",
  UTC: "utc|zulu"
}

/** Cities and states by which people name a zone. */
const places: { readonly [zone: string]: string } = {
  "America/New_York": "new york|nova york|nova iorque|nueva york|miami|boston|washington|atlanta|orlando",
  "America/Chicago": "chicago|dallas|houston|texas|austin",
  "America/Denver": "denver|colorado",
  "America/Phoenix": "phoenix|arizona",
  "America/Los_Angeles": "los angeles|california|san francisco|seattle|san diego",
  "America/Toronto": "toronto",
  "America/Vancouver": "vancouver",
  "Europe/London": "londres|london|reino unido|inglaterra|uk",
  "Europe/Lisbon": "lisboa|lisbon|portugal|porto",
  "Europe/Madrid": "madrid|barcelona|espanha|espana|spain|valencia|sevilla",
  "Europe/Paris": "paris|franca|francia|france",
  "Europe/Berlin": "berlim|berlin|alemanha|alemania|germany",
  "Europe/Rome": "roma|rome|milao|milan|italia|italy",
  "Europe/Dublin": "dublin|irlanda|ireland",
  "America/Sao_Paulo": "brasilia|sao paulo|rio|rio de janeiro|brasil|brazil",
  "America/Manaus": "manaus|amazonas",
  "America/Cuiaba": "cuiaba|mato grosso",
  "America/Campo_Grande": "campo grande",
  "America/Rio_Branco": "rio branco|acre",
  "America/Argentina/Buenos_Aires": "buenos aires|argentina",
  "America/Mexico_City": "mexico|ciudad de mexico|cdmx|mexico city|monterrey|guadalajara",
  "America/Tijuana": "tijuana",
  "America/Cancun": "cancun",
  "America/Bogota": "bogota|colombia|medellin",
  "America/Lima": "lima|peru",
  "America/Santiago": "santiago|chile",
  "America/Montevideo": "montevideo|uruguay|uruguai",
  "America/Asuncion": "asuncion|paraguay|paraguai|assuncao",
  "America/Caracas": "caracas|venezuela",
  "America/Guayaquil": "quito|ecuador|equador|guayaquil",
  "America/La_Paz": "la paz|bolivia",
  "Asia/Kolkata": "india|mumbai|delhi|bangalore",
  "Asia/Dubai": "dubai",
  "Australia/Sydney": "sydney|melbourne"
}

const tableOf = (names: { readonly [zone: string]: string }): ReadonlyMap<string, string> =>
  new Map(Object.entries(names).flatMap(([zone, list]) => list.split("|").map((name) => [name, zone] as const)))

const zoneOfAbbreviation = tableOf(abbreviations)
const zoneOfPlace = tableOf(places)

const longestName = 5
const isBracket = (token: TimeToken | undefined): boolean => token !== undefined && /^[(,-]$/.test(token.text)

const words = (tokens: ReadonlyArray<TimeToken>, from: number, size: number): string =>
  tokens
    .slice(from, from + size)
    .map(({ text }) => text)
    .join(" ")

/** "hora de Lisboa", "horário de Nova York", "Lisbon time", "no fuso de Manaus". */
const placeAt = (phrase: string): string | undefined => {
  const introduced = /^(?:(?:no|en el) )?(?:horario|hora|fuso|huso|fuso horario) (?:d[eoa]l? )?(.+)$/.exec(phrase)?.[1]
  const english = /^(.+?)(?:'s)? time$/.exec(phrase)?.[1]
  const name = introduced ?? english
  return name === undefined ? undefined : zoneOfPlace.get(name)
}

/** The zone named right behind a clock that ends before token `end`, and where its name ends. */
export const zoneAt = (
  tokens: ReadonlyArray<TimeToken>,
  end: number
): { readonly zone: string; readonly end: number } | undefined => {
  const start = isBracket(tokens[end]) ? end + 1 : end
  for (let size = Math.min(longestName, tokens.length - start); size > 0; size--) {
    const phrase = words(tokens, start, size)
    const zone = zoneOfAbbreviation.get(phrase) ?? placeAt(phrase)
    if (zone !== undefined) return { zone, end: start + size }
  }
  return undefined
}
