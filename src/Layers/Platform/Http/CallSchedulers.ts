import type { IncomingMessage, ServerResponse } from "node:http"
import type { Scheduler } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { backgroundScheduler } from "../BackgroundScheduler.ts"
import { isLongBody } from "./RequestBody.ts"

/** With more calls than that at a time an account has long work, however short each call is. */
const many = 64

/** What runs the fibers of a call of the account; undefined for one that need not wait for others' work. */
export type CallSchedulers = (
  request: IncomingMessage,
  response: ServerResponse,
  accountId: AccountId
) => Scheduler.Scheduler | undefined

/** For all calls of one server: it counts how many each account has under way. */
export const makeCallSchedulers = (): CallSchedulers => {
  const underWay = new Map<AccountId, number>()
  const counted = new WeakSet<ServerResponse>()
  /** Each answer counts once, and until it is over. */
  const count = (accountId: AccountId, response: ServerResponse): number => {
    const before = underWay.get(accountId) ?? 0
    if (counted.has(response) || response.destroyed) return before
    counted.add(response)
    underWay.set(accountId, before + 1)
    response.once("close", () => {
      const left = (underWay.get(accountId) ?? 0) - 1
      if (left > 0) underWay.set(accountId, left)
      else underWay.delete(accountId)
    })
    return before + 1
  }
  return (request, response, accountId) =>
    count(accountId, response) > many || isLongBody(request) ? backgroundScheduler(accountId) : undefined
}
