import { useSyncExternalStore } from "react"

export interface ConfirmQuestion {
  readonly tool: string
  readonly args: object
  readonly title: string
  readonly body: string
  /** The text of the button that does it. */
  readonly action: string
}

interface Waiting extends ConfirmQuestion {
  readonly resolve: (confirmation: string | undefined) => void
}

let waiting: Waiting | undefined
const listeners = new Set<() => void>()

const change = (next: Waiting | undefined): void => {
  waiting = next
  for (const listener of listeners) listener()
}

/**
 * Asks for confirmation in the console's dialog. Returns the gateway's signed value for one call, or undefined if the
 * person refused.
 */
export const confirmDestructive = async (question: ConfirmQuestion): Promise<string | undefined> =>
  await new Promise((resolve) => {
    waiting?.resolve(undefined)
    change({ ...question, resolve })
  })

export const answerConfirm = (confirmation: string | undefined): void => {
  waiting?.resolve(confirmation)
  change(undefined)
}

export const useConfirmQuestion = (): ConfirmQuestion | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => waiting
  )
