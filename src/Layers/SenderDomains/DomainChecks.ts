import { Effect, Schema } from "effect"
import { AccountId } from "../../Services/Accounts/Ids.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { SenderDomainId } from "../../Services/SenderDomains/Ids.ts"
import { SenderDomains } from "../../Services/SenderDomains/SenderDomains.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { mailDomainNewsTask } from "./DomainNewsMails.ts"

const checkDomains = Task.make("check_sender_domains", { payload: Schema.Struct({}), maxAttempts: 5 })
const brakeDomains = Task.make("brake_sender_domains", { payload: Schema.Struct({}), maxAttempts: 3 })
const checkDomain = Task.make("check_sender_domain", {
  payload: Schema.Struct({ accountId: AccountId, senderDomainId: SenderDomainId }),
  maxAttempts: 5
})

/** Queues a separate task for each domain, so that one with unresponsive name servers does not delay the others. */
const queueChecks = Effect.gen(function* () {
  const domains = yield* SenderDomains
  const tasks = yield* TaskQueue
  const due = yield* domains.due
  yield* tasks.enqueueMany(
    checkDomain,
    due.map((payload) => ({ payload, jobKey: `check_sender_domain:${payload.accountId}:${payload.senderDomainId}` }))
  )
})

export const domainTasks = [
  mailDomainNewsTask,
  handle(checkDomains, () => queueChecks),
  handle(brakeDomains, () => Effect.asVoid(Effect.flatMap(SenderDomains, ({ brake }) => brake))),
  handle(checkDomain, ({ accountId, senderDomainId }) =>
    Effect.flatMap(SenderDomains, (domains) => domains.check(accountId, senderDomainId)).pipe(
      // Another account verified the domain first. The owner sees this when verifying it.
      Effect.catchTag("Refused", () => Effect.void)
    )
  )
]

export const domainRecurring = [
  recurring("check_sender_domains", "23 9 * * *", checkDomains, {}),
  recurring("brake_sender_domains", "41 * * * *", brakeDomains, {})
]
