import type { Catalog, Locale } from "./Format.ts"

interface Part {
  readonly default: Catalog
}

const modules: Readonly<Record<Locale, { readonly first: () => Promise<Part>; readonly others: () => Promise<Part> }>> =
  {
    en: { first: () => import("virtual:messages/en/first"), others: () => import("virtual:messages/en/others") },
    "pt-BR": {
      first: () => import("virtual:messages/pt-BR/first"),
      others: () => import("virtual:messages/pt-BR/others")
    },
    es: { first: () => import("virtual:messages/es/first"), others: () => import("virtual:messages/es/others") }
  }

const present: { first: Partial<Record<Locale, Catalog>>; all: Partial<Record<Locale, Catalog>> } = {
  first: {},
  all: {}
}

/** The texts of a language as far as they are here. */
export const presentCatalog = (locale: Locale): Catalog | undefined => present.all[locale] ?? present.first[locale]

/** The texts of the first view and the sign-in. */
export const loadFirstCatalog = async (locale: Locale): Promise<Catalog> =>
  (present.first[locale] ??= (await modules[locale].first()).default)

/** Loads all texts of a language. */
export const loadCatalog = async (locale: Locale): Promise<Catalog> => {
  const [first, others] = await Promise.all([loadFirstCatalog(locale), modules[locale].others()])
  return (present.all[locale] ??= { ...first, ...others.default })
}
