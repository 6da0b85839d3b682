import { useSyncExternalStore } from "react"

const stepMillis = 30_000
/** The time of a test account, whose clock only moves when a person advances it. */
let fixedNow: number | undefined
const read = (): number => fixedNow ?? Date.now()
let now = read()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const renew = (): void => {
  now = read()
  for (const each of listeners) each()
}

/** Sets the time in the account in milliseconds; undefined if its clock is the real one. */
export const setAccountTime = (time: number | undefined): void => {
  if (fixedNow === time) return
  fixedNow = time
  renew()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= setInterval(renew, stepMillis)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The present in milliseconds, renewed twice a minute by one timer for all times on the screen. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)

/** Returns the account's current time outside of components. */
export const accountTime = read
