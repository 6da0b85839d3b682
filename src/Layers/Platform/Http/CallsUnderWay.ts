import type { ServerResponse } from "node:http"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"

/** With more calls than that at a time an account has long work, however short each call is. */
const many = 64

/** How many calls each account has under way. */
export class CallsUnderWay {
  readonly #counts = new Map<AccountId, number>()
  readonly #counted = new WeakSet<ServerResponse>()

  /** Whether the account has many of them, with this one; each answer counts once, and until it is over. */
  areMany(accountId: AccountId, response: ServerResponse): boolean {
    const before = this.#counts.get(accountId) ?? 0
    if (this.#counted.has(response) || response.destroyed) return before > many
    this.#counted.add(response)
    this.#counts.set(accountId, before + 1)
    response.once("close", () => {
      const left = (this.#counts.get(accountId) ?? 0) - 1
      if (left > 0) this.#counts.set(accountId, left)
      else this.#counts.delete(accountId)
    })
    return before + 1 > many
  }
}
