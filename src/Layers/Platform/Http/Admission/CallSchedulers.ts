import type { IncomingMessage, ServerResponse } from "node:http"
import type { Scheduler } from "effect"
import type { AccountId } from "../../../../Services/Accounts/Ids.ts"
import type { BackgroundScheduler } from "../../Fairness/BackgroundScheduler.ts"
import { isLongBody } from "../Bodies/RequestBody.ts"

/** With more calls at a time an account does long work, however short each call is. */
const mostShortCalls = 64

export type CallSchedulers = ReturnType<typeof makeCallSchedulers>

/** Counts the open calls of each account. */
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
  /** The scheduler for a call of the account, or undefined for the usual one. */
  return (request: IncomingMessage, response: ServerResponse, accountId: AccountId): Scheduler.Scheduler | undefined =>
    countWith(accountId, response) > mostShortCalls || isLongBody(request) ? backgroundScheduler(accountId) : undefined
}
