import { useSyncExternalStore } from "react"
import { readViews, type SavedView, writeViews } from "./ViewCookie.ts"

const cookieName = "console-views"
const year = 365 * 24 * 3_600

const current = (): string => new RegExp(`${cookieName}=([^;]*)`).exec(document.cookie)?.[1] ?? ""

let views = readViews(current())
const listeners = new Set<() => void>()

/** Stores the views in a cookie, because web storage stays empty, and the API cannot store them. */
export const setViews = (next: ReadonlyArray<SavedView>): void => {
  const text = writeViews(next)
  document.cookie = `${cookieName}=${text}; Path=/console; SameSite=Strict; Max-Age=${year}`
  views = readViews(text)
  for (const listener of listeners) listener()
}

export const useSavedViews = (): ReadonlyArray<SavedView> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => views
  )
