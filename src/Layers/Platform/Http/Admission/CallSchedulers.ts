import type { IncomingMessage, ServerResponse } from "node:http"
import type { Scheduler } from "effect"
import type { AccountId } from "../../../../Services/Accounts/Ids.ts"
import type { BackgroundScheduler } from "../../Fairness/BackgroundScheduler.ts"
import { isLongBody } from "../Bodies/RequestBody.ts"

/** An account with more open calls than this counts as doing long work, however short each call is. */
const mostShortCalls = 64

export type CallSchedulers = ReturnType<typeof makeCallSchedulers>

/** Returns a function that chooses the scheduler of each call. It counts the open calls of each account. */
export const makeCallSchedulers = (backgroundScheduler: BackgroundScheduler["Type"]) => {
  const openCalls = new Map<AccountId, Set<ServerResponse>>()
  const countWith = (accountId: AccountId, response: ServerResponse): number => {
    const calls = openCalls.get(accountId) ?? new Set()
    if (calls.has(response) || response.destroyed) return calls.size
    openCalls.set(accountId, calls.add(response))
    response.once("close", () => {
      calls.delete(response)
      if (calls.size === 0) openCalls.delete(accountId)
    })
    return calls.size
  }
  /**
   * Returns the background scheduler for long bodies and for accounts with many open calls; otherwise undefined, which
   * means Effect's own scheduler.
   */
  return (request: IncomingMessage, response: ServerResponse, accountId: AccountId): Scheduler.Scheduler | undefined =>
    countWith(accountId, response) > mostShortCalls || isLongBody(request) ? backgroundScheduler(accountId) : undefined
}
