import { useSyncExternalStore } from "react"

export interface Toast {
  readonly id: number
  readonly text: string
  readonly isError?: boolean
  readonly error?: unknown
  readonly undo?: () => Promise<unknown>
}

const shownMillis = 6_000
/** Errors and messages with an undo button stay for this long, so that the reader can act. */
const longMillis = 12_000
const most = 3

let toasts: ReadonlyArray<Toast> = []
let lastId = 0
const listeners = new Set<() => void>()

const change = (next: ReadonlyArray<Toast>): void => {
  toasts = next
  for (const listener of listeners) listener()
}

export const closeToast = (id: number): void => change(toasts.filter((toast) => toast.id !== id))

export const showToast = (toast: Omit<Toast, "id">): void => {
  const id = ++lastId
  change([...toasts, { ...toast, id }].slice(-most))
  setTimeout(() => closeToast(id), toast.isError === true || toast.undo !== undefined ? longMillis : shownMillis)
}

export const useToasts = (): ReadonlyArray<Toast> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts
  )
