import { Effect, Schema } from "effect"
import { SupportRequestStatus, SupportRequestType, SupportSeverity } from "../../Services/Support/Ids.ts"
import {
  longestSupportMessage,
  maximumListedRequests,
  SupportRequests,
  SupportRequestView
} from "../../Services/Support/SupportRequests.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const createSupportRequest = Tool.make("create_support_request", {
  kind: "write",
  // Once the first request is answered, a repeated call creates a new one.
  idempotent: false,
  openWorld: false,
  description:
    "Sends a question or a problem report to the platform's support team. The account's owner is not notified. The answer is in list_support_requests, and arrives as the event support_request_answered. The same request is not sent twice while it waits.",
  parameters: {
    message: Param.text("The question or the problem, with what was tried.", {
      minLength: 1,
      maxLength: longestSupportMessage
    }),
    type: Param.oneOf(SupportRequestType.literals, "What kind of help is wanted."),
    severity: Param.oneOf(SupportSeverity.literals, "How much depends on it.")
  },
  returns: Schema.Struct({
    ...SupportRequestView.fields,
    created: Schema.Boolean.annotations({ description: "False if the same request is already waiting." })
  }),
  errors: { Refused: ["too_many_support_requests"] },
  example: { message: "Exports end before their last row.", type: "technical", severity: "medium" },
  run: Effect.fnUntraced(function* (newRequest) {
    const requests = yield* SupportRequests
    const { created, request } = yield* requests.create(newRequest)
    return { ...request, created }
  })
})

const listSupportRequests = Tool.make("list_support_requests", {
  kind: "read",
  openWorld: false,
  description: `Lists the requests to the support team with their answers, newest first: the first ${maximumListedRequests} and their total.`,
  parameters: {
    status: Param.withDefault(
      Param.oneOf([...SupportRequestStatus.literals, "all"], "Only requests with this status."),
      "all"
    )
  },
  returns: Schema.Struct({ support_requests: Schema.Array(SupportRequestView), total: Schema.Int }),
  example: { status: "all" },
  run: Effect.fnUntraced(function* ({ status }) {
    const requests = yield* SupportRequests
    const requestPage = yield* requests.list(status === "all" ? undefined : status)
    return { support_requests: requestPage.requests, total: requestPage.total }
  })
})

export const SupportGroup = Tool.group("Support", "A direct line to the people who run the platform.", [
  createSupportRequest,
  listSupportRequests
])
