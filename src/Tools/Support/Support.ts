import { Effect, Schema } from "effect"
import { SupportRequestStatus, SupportRequestType, SupportSeverity } from "../../Services/Support/Ids.ts"
import {
  longestSupportMessage,
  mostListedRequests,
  SupportRequests,
  SupportRequestView
} from "../../Services/Support/SupportRequests.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const createSupportRequest = Tool.make("create_support_request", {
  kind: "write",
  // The same request is a new one once the first was answered.
  idempotent: false,
  openWorld: false,
  description:
    "Asks the platform's support team something, or tells it of a problem. The account's owner is not notified; the answer is read with list_support_requests, and comes as the event support_request_answered. The same request again while it waits is not sent twice.",
  parameters: {
    message: Param.text("What is asked or does not work, with what was tried.", {
      minLength: 1,
      maxLength: longestSupportMessage
    }),
    type: Param.oneOf(SupportRequestType.literals, "What kind of help is wanted."),
    severity: Param.oneOf(SupportSeverity.literals, "How much depends on it.")
  },
  returns: Schema.Struct({
    ...SupportRequestView.fields,
    created: Schema.Boolean.annotations({ description: "False where the same request waits already." })
  }),
  errors: { Refused: ["too_many_support_requests"] },
  example: { message: "Exports end before their last row.", type: "technical", severity: "medium" },
  run: Effect.fnUntraced(function* (asked) {
    const requests = yield* SupportRequests
    const { created, request } = yield* requests.create(asked)
    return { ...request, created }
  })
})

const listSupportRequests = Tool.make("list_support_requests", {
  kind: "read",
  openWorld: false,
  description: `Lists what was asked of the support team, newest first, with its answers: the first ${mostListedRequests} and their total.`,
  parameters: {
    status: Param.withDefault(
      Param.oneOf([...SupportRequestStatus.literals, "all"], "Requests in this state only."),
      "all"
    )
  },
  returns: Schema.Struct({ support_requests: Schema.Array(SupportRequestView), total: Schema.Int }),
  example: { status: "all" },
  run: Effect.fnUntraced(function* ({ status }) {
    const requests = yield* SupportRequests
    const found = yield* requests.list(status === "all" ? undefined : status)
    return { support_requests: found.requests, total: found.total }
  })
})

export const SupportGroup = Tool.group("Support", "A direct line to the people who run the platform.", [
  createSupportRequest,
  listSupportRequests
])
