import { type Locale, locales } from "../i18n/Format.ts"

export type Theme = "system" | "light" | "dark"

interface Preferences {
  readonly theme: Theme
  /** The chosen language; undefined for the account's language. */
  readonly locale: Locale | undefined
  /** True if single letters are keys of the console. */
  readonly hasLetterKeys: boolean
}

/** A cookie of a few letters, readable by the page: web storage stays empty. */
const cookieName = "console-look"
const year = 365 * 24 * 3_600

const parse = (cookies: string): Preferences => {
  const [theme = "", locale = "", letters = ""] = (new RegExp(`${cookieName}=([^;]*)`).exec(cookies)?.[1] ?? "").split(
    "/"
  )
  return {
    theme: theme === "light" || theme === "dark" ? theme : "system",
    locale: locales.find((candidate) => candidate === locale),
    hasLetterKeys: letters !== "no"
  }
}

let preferences = parse(document.cookie)
const listeners = new Set<() => void>()

const applyTheme = ({ theme }: Preferences): void => {
  if (theme === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme
}
applyTheme(preferences)

export const setPreferences = (changes: Partial<Preferences>): void => {
  preferences = { ...preferences, ...changes }
  const value = `${preferences.theme}/${preferences.locale ?? ""}/${preferences.hasLetterKeys ? "" : "no"}`
  document.cookie = `${cookieName}=${value}; Path=/console; SameSite=Strict; Max-Age=${year}`
  applyTheme(preferences)
  for (const listener of listeners) listener()
}

export const readPreferences = (): Preferences => preferences

export const followPreferences = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
