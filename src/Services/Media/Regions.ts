import { stateNames } from "./Drawings/DrawingModel.ts"

const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()

const stateByName = new Map(Object.entries(stateNames).map(([code, name]) => [folded(name), code]))

/** The Brazilian state that a label names, by its name or code. */
export const stateOf = (label: string): string | undefined => {
  const trimmed = label.trim()
  if (/^[A-Za-z]{2}$/.test(trimmed) && Object.hasOwn(stateNames, trimmed.toUpperCase())) return trimmed.toUpperCase()
  return stateByName.get(folded(trimmed))
}

/** Whether the text contains the name as separate words. */
const names = (text: string, name: string): boolean => {
  let at = text.indexOf(name)
  while (at >= 0) {
    const isWhole = !/[a-z0-9]/.test(text[at - 1] ?? " ") && !/[a-z0-9]/.test(text[at + name.length] ?? " ")
    if (isWhole) return true
    at = text.indexOf(name, at + 1)
  }
  return false
}

/**
 * The states that a text names. Codes only count in capitals. A name inside a longer one ("Mato Grosso do Sul") does
 * not count.
 */
export const statesIn = (text: string): ReadonlyArray<string> => {
  let rest = folded(text)
  const stateCodesFound: Array<string> = []
  for (const [name, code] of [...stateByName].sort(([one], [other]) => other.length - one.length)) {
    if (!names(rest, name)) continue
    stateCodesFound.push(code)
    rest = rest.replaceAll(name, " ")
  }
  const codes = (text.match(/\b[A-Z]{2}\b/g) ?? []).filter((code) => Object.hasOwn(stateNames, code))
  return [...new Set([...stateCodesFound, ...codes])]
}

const countryCodes =
  "AF AL DZ AO AR AM AU AT AZ BS BD BY BE BZ BJ BT BO BA BW BR BN BG BF BI KH CM CA CF TD CL CN CO CG CD CR CI HR CU CY CZ DK DJ DO EC EG SV GQ ER EE SZ ET FJ FI FR GA GM GE DE GH GR GL GT GN GW GY HT HN HU IS IN ID IR IQ IE IL IT JM JP JO KZ KE KW KG LA LV LB LS LR LY LT LU MG MW MY ML MR MX MD MN ME MA MZ MM NA NP NL NC NZ NI NE NG KP MK NO OM PK PS PA PG PY PE PH PL PT QA RO RU RW SA SN RS SL SK SI SB SO ZA KR SS ES LK SD SR SE CH SY TW TJ TZ TH TL TG TT TN TR TM UG UA AE GB US UY UZ VU VE VN YE ZM ZW".split(
    " "
  )

const otherNames: ReadonlyArray<readonly [string, string]> = [
  ["eua", "US"],
  ["usa", "US"],
  ["united states of america", "US"],
  ["estados unidos da america", "US"],
  ["inglaterra", "GB"],
  ["england", "GB"],
  ["uk", "GB"],
  ["holanda", "NL"],
  ["holland", "NL"],
  ["coreia do sul", "KR"],
  ["south korea", "KR"],
  ["corea del sur", "KR"],
  ["turquia", "TR"],
  ["turkey", "TR"]
]

let countryNames: ReadonlyArray<readonly [name: string, code: string]> | undefined

const allCountryNames = (): ReadonlyArray<readonly [string, string]> => {
  if (countryNames !== undefined) return countryNames
  const names = ["pt-BR", "en", "es"].flatMap((language) => {
    const displayNames = new Intl.DisplayNames(language, { type: "region" })
    return countryCodes.map((code) => [folded(displayNames.of(code) ?? code), code] as const)
  })
  countryNames = [...names, ...otherNames].sort(([one], [other]) => other.length - one.length)
  return countryNames
}

/** The countries that a text names in Portuguese, English or Spanish, by their codes, in the order of the text. */
export const countriesIn = (text: string): ReadonlyArray<string> => {
  let rest = folded(text.slice(0, 8000))
  const positions = new Map<string, number>()
  for (const [name, code] of allCountryNames()) {
    if (!names(rest, name)) continue
    const at = rest.indexOf(name)
    positions.set(code, Math.min(at, positions.get(code) ?? at))
    rest = rest.replaceAll(name, " ".repeat(name.length))
  }
  return [...positions].sort(([, one], [, other]) => one - other).map(([code]) => code)
}
