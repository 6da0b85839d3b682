import { useRouter } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { places } from "./Navigation.ts"
import { usePreferences } from "./usePreferences.ts"

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Milliseconds in which the second letter after `g` must follow. */
const sequenceMillis = 1_500

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  target.getAttribute("type") !== "checkbox"

interface Handlers {
  readonly openPalette: () => void
  readonly openHelp: () => void
}

/** Handles the keys of the whole console. Keys of a single letter can be turned off, for people who use dictation. */
export const useKeys = (handlers: Handlers): void => {
  const router = useRouter()
  const { hasLetterKeys } = usePreferences()
  const latest = useRef(handlers)
  latest.current = handlers
  useEffect(() => {
    let goAt = 0
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault()
        latest.current.openPalette()
        return
      }
      if (!hasLetterKeys || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") !== null) return
      if (Date.now() - goAt < sequenceMillis) {
        goAt = 0
        const place = places.flatMap((group) => group.places).find(({ key }) => key === event.key)
        if (place !== undefined) void router.navigate({ to: place.to })
        return
      }
      if (event.key === "g") goAt = Date.now()
      if (event.key === "?") latest.current.openHelp()
      if (event.key === "/") {
        event.preventDefault()
        document.querySelector<HTMLInputElement>("main input[type=search]")?.focus()
      }
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [router, hasLetterKeys])
}
