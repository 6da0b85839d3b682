import { closestLocale, type Locale } from "../i18n/Format.ts"

/**
 * A cookie that the page can read. It says that there is a session, and has the language of its account, but gives no
 * access. With it, a page can request its first answers and texts before it has the session.
 */
const cookieName = "console-in"
const year = 365 * 24 * 3_600

export const readSessionHint = (): Locale | undefined => {
  const language = new RegExp(`${cookieName}=([^;]+)`).exec(document.cookie)?.[1]
  return language === undefined ? undefined : closestLocale([language])
}

/** Undefined means that there is no session. */
export const setSessionHint = (language: string | undefined): void => {
  const locale = language === undefined ? "" : closestLocale([language])
  document.cookie = `${cookieName}=${locale}; Path=/console; SameSite=Strict; Max-Age=${locale === "" ? 0 : year}`
}
