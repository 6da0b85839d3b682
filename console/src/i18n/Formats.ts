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
const relativeFormat = cacheOf<Intl.RelativeTimeFormatOptions, Intl.RelativeTimeFormat>(
  (locale, options) => new Intl.RelativeTimeFormat(locale, options)
)

export const numberText = (value: number, locale: string, options: Intl.NumberFormatOptions = {}): string =>
  numberFormat(locale, options).format(value)

/** Formats a date. Options without fields mean the day. */
export const dateText = (at: Date, locale: string, options: Intl.DateTimeFormatOptions): string =>
  dateFormat(locale, options).format(at)

export const relativeText = (value: number, unit: Intl.RelativeTimeFormatUnit, locale: string): string =>
  relativeFormat(locale, { numeric: "auto", style: "short" }).format(value, unit)
