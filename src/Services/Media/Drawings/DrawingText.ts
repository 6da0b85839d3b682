/** A number in the notations of the three languages: `1.250,5`, `1,250.5`, `R$ 1.200`, `35%`, `2,5 mil`, `3k`. */
export interface ReadAmount {
  readonly value: number
  readonly unit: string
}

const scales: { readonly [word: string]: number } = {
  k: 1e3,
  mil: 1e3,
  thousand: 1e3,
  mi: 1e6,
  m: 1e6,
  milhões: 1e6,
  milhão: 1e6,
  millones: 1e6,
  million: 1e6,
  bi: 1e9,
  billion: 1e9
}

const digitsOf = (digits: string): number => {
  const [comma, point] = [digits.lastIndexOf(","), digits.lastIndexOf(".")]
  // The last mark separates the decimals, unless exactly three digits follow it.
  const last = Math.max(comma, point)
  const mark = last < 0 ? "" : (digits[last] ?? "")
  const isSingle = last >= 0 && digits.indexOf(mark) === last && Math.min(comma, point) < 0
  const after = digits.length - last - 1
  const isDecimal = last >= 0 && !(isSingle && after === 3) && digits.indexOf(mark) === last
  const whole = (isDecimal ? digits.slice(0, last) : digits).replace(/[.,]/g, "")
  return Number(isDecimal ? `${whole}.${digits.slice(last + 1)}` : whole)
}

const amount =
  /^(-)?\s?(R\$|US\$|\$|€|£)?\s?(-)?(\d[\d.,]{0,20})\s?(%|k|mil|mi|m|bi|milhões|milhão|millones|million|thousand|billion)?(?![\p{L}\d])/iu

/** The number at the start of a text. */
export const readAmount = (text: string): (ReadAmount & { readonly length: number }) | undefined => {
  const match = amount.exec(text)
  if (match === null) return undefined
  const [all, minus, currency = "", otherMinus, digits = "", word = ""] = match
  const value = digitsOf(digits.replace(/[.,]+$/, ""))
  if (!Number.isFinite(value)) return undefined
  const scaled = value * (scales[word.toLowerCase()] ?? 1)
  return {
    value: minus === undefined && otherMinus === undefined ? scaled : -scaled,
    unit: word === "%" ? "%" : currency,
    length: all.length
  }
}

/** A value as text in a language. */
export const writeAmount = (value: number, unit: string, language: string): string => {
  const digits = new Intl.NumberFormat(language, { maximumFractionDigits: 4 }).format(value)
  if (unit === "") return digits
  if (/^(?:R\$|US\$|[$£€])$/.test(unit)) return unit === "€" ? `${digits} €` : `${unit} ${digits}`
  return /^(?:%|h|hs|°C|ºC)$/.test(unit) ? `${digits}${unit}` : `${digits} ${unit}`
}

export const oneLine = (text: string): string => text.split(/\s+/).join(" ").trim()

export const cut = (text: string, length = 120): string => {
  const characters = Array.from(oneLine(text))
  return characters.length <= length ? characters.join("") : `${characters.slice(0, length - 1).join("")}…`
}
