import { useSyncExternalStore } from "react"

const stepMillis = 30_000
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, stepMillis)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The present in milliseconds, renewed twice a minute by one timer for all times on the screen. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
