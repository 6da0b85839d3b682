/**
 * Formats numbers and dates. Making one of the browser's formatters takes a hundred times as long as using it, so each
 * is made once.
 */
const cacheOf = <Options extends object, Format>(make: (locale: string, options: Options) => Format) => {
  const formats = new Map<string, Format>()
  return (locale: string, options: Options): Format => {
    const key = `${locale} ${JSON.stringify(options)}`
    const existing = formats.get(key)
    if (existing !== undefined) return existing
    const format = make(locale, options)
    formats.set(key, format)
    return format
  }
}

const numberFormat = cacheOf<Intl.NumberFormatOptions, Intl.NumberFormat>(
  (locale, options) => new Intl.NumberFormat(locale, options)
)
const dateFormat = cacheOf<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(
  (locale, options) => new Intl.DateTimeFormat(locale, options)
)

/** Groups the digits of a whole number. The browser's formatter takes longer to load than a screen to draw. */
const groupedText = (value: number, locale: string): string => {
  const digits = String(value)
  // In Spanish, 1234 has no separator, and 12.345 has one.
  if (locale === "es" && digits.length === 4) return digits
  return digits.replaceAll(/\B(?=(?:\d{3})+$)/g, locale === "en" ? "," : ".")
}

export const numberText = (value: number, locale: string, options?: Intl.NumberFormatOptions): string =>
  options === undefined && Number.isSafeInteger(value) && value >= 0
    ? groupedText(value, locale)
    : numberFormat(locale, options ?? {}).format(value)

/** Formats a date. Options without fields mean the day. */
export const dateText = (at: Date, locale: string, options: Intl.DateTimeFormatOptions): string =>
  dateFormat(locale, options).format(at)
