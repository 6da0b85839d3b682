import { useEffect, useSyncExternalStore } from "react"

let holds = 0
const listeners = new Set<() => void>()

const change = (by: number): void => {
  holds += by
  for (const listener of listeners) listener()
}

/** Keeps the screen while a secret is requested or shown that cannot be read again, even if the session ends. */
export const useHeldScreen = (isHeld: boolean): void =>
  useEffect(() => {
    if (!isHeld) return
    change(1)
    return () => change(-1)
  }, [isHeld])

const follow = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useIsScreenHeld = (): boolean => useSyncExternalStore(follow, () => holds > 0)
