export const contentKinds = ["sites", "capture", "images", "drawings", "videos"] as const
export type ContentKind = (typeof contentKinds)[number]

export interface ContentSearch {
  /** The kind of content that is shown. By default websites. */
  readonly kind?: Exclude<ContentKind, "sites">
}

/** Reads the address. What it does not know is ignored. */
export const parseContentSearch = (search: Readonly<Record<string, unknown>>): ContentSearch => {
  const kind = contentKinds.find((candidate) => candidate === search["kind"])
  return kind === undefined || kind === "sites" ? {} : { kind }
}

const countries: Readonly<Record<string, string>> = { en: "us", pt: "br", es: "mx" }

/** The language of pages, as tools take it: with a country. */
export const pageLanguageOf = (language: string): string => {
  const [name = "en", country] = language.toLowerCase().split("-")
  return `${name}-${country ?? countries[name] ?? name}`
}
