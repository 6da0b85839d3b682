import { createContext, type ReactNode, useContext, useMemo } from "react"
import { type Catalog, formatMessage, type Locale, type Values } from "./Format.ts"
import type { MessageId } from "./MessageIds.ts"

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

/** The texts of the first view and the sign-in. */
export const loadFirstCatalog = async (locale: Locale): Promise<Catalog> => (await modules[locale].first()).default

/** All texts of a language. */
export const loadCatalog = async (locale: Locale): Promise<Catalog> => {
  const [first, others] = await Promise.all([modules[locale].first(), modules[locale].others()])
  return { ...first.default, ...others.default }
}

export interface Texts {
  readonly locale: Locale
  /** The text of a message. */
  readonly t: (id: MessageId, values?: Values) => string
  /** The text of a message whose id is made at run time, such as that of a field. Undefined if there is none. */
  readonly optional: (id: string, values?: Values) => string | undefined
  /** A value of an enumeration, such as a lead's status, in words. */
  readonly valueText: (kind: string, value: string | null | undefined) => string
}

/** `user_controlled` and `NotInterested` in words, for values that have no text. */
export const humanized = (name: string): string => {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const textsOf = (locale: Locale, catalog: Catalog): Texts => {
  const optional = (id: string, values: Values = {}): string | undefined => {
    const message = catalog[id]
    return message === undefined ? undefined : formatMessage(locale, message, values)
  }
  return {
    locale,
    t: (id, values) => optional(id, values) ?? id,
    optional,
    valueText: (kind, value) =>
      value === null || value === undefined ? "" : (optional(`values.${kind}.${value}`) ?? humanized(value))
  }
}

const Context = createContext<Texts>(textsOf("en", {}))

export const MessagesProvider = ({
  catalog,
  children,
  locale
}: {
  readonly locale: Locale
  readonly catalog: Catalog
  readonly children: ReactNode
}) => {
  const texts = useMemo(() => textsOf(locale, catalog), [locale, catalog])
  return <Context value={texts}>{children}</Context>
}

export const useTexts = (): Texts => useContext(Context)
