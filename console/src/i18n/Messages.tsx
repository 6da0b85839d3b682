import { createContext, type ReactNode, useContext, useMemo } from "react"
import { type Catalog, formatMessage, type Locale, type Values } from "./Format.ts"
import type { MessageId } from "./MessageIds.ts"

export interface Texts {
  readonly locale: Locale
  /** The text of a message. */
  readonly t: (id: MessageId, values?: Values) => string
  /**
   * Returns the text of a message whose id is made at run time, such as that of a field. Undefined if there is none.
   */
  readonly optional: (id: string, values?: Values) => string | undefined
  /** Returns the text for a value of an enumeration, such as a lead's status. */
  readonly valueText: (kind: string, value: string | null | undefined) => string
}

/** Converts names such as `user_controlled` and `NotInterested` to words, for values that have no text. */
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
