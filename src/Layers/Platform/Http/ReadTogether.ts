import { Schema } from "effect"
import type { Answer, Route } from "../../../Api.ts"
import { badRequest, RequestRefused } from "../../../Errors.ts"

/** The path below a prefix at which a page makes several calls that read with one request. */
export const readTogetherPath = "/reads"

/** More would be answered so late that a page does better with several requests. */
const mostReads = 20

/** A call that reads, with its arguments as the JSON of a body. */
export interface RequestedRead {
  readonly tool: string
  readonly body: Buffer
}

/** The route of a request for several calls. */
export interface ReadTogether {
  readonly _tag: "ReadTogether"
  readonly reads: ReadonlyArray<RequestedRead>
}

export type CallRoute = Route | ReadTogether

const getOnly = new RequestRefused({
  status: 405,
  type: "MethodNotAllowed",
  error: "The route does not have this method.",
  detail: "Use GET.",
  allow: "GET, OPTIONS"
})

const notReads = badRequest(
  "ParameterTypeMismatch",
  "calls is no list of calls.",
  `Send a JSON array of at most ${mostReads} pairs, such as [["get_lead", {"lead_id": 12}]].`
)

const Reads = Schema.parseJson(
  Schema.Array(Schema.Tuple(Schema.String, Schema.Record({ key: Schema.String, value: Schema.Unknown }))).pipe(
    Schema.minItems(1),
    Schema.maxItems(mostReads)
  )
)
const decodeReads = Schema.decodeUnknownOption(Reads)

/** Reads the calls from a request's query string. */
export const readTogetherRoute = (method: string, query: string): ReadTogether | RequestRefused => {
  if (method !== "GET") return getOnly
  const reads = decodeReads(new URLSearchParams(query).get("calls") ?? "")
  if (reads._tag === "None") return notReads
  return {
    _tag: "ReadTogether",
    reads: reads.value.map(([tool, args]) => ({ tool, body: Buffer.from(JSON.stringify(args)) }))
  }
}

/** The answers of calls, in their order. The bodies are JSON already. */
export const answersTogether = (
  answers: ReadonlyArray<{ readonly requestId: string; readonly answer: Answer }>
): Answer => ({
  status: 200,
  body: `{"answers":[${answers
    .map(
      ({ answer: { body, status }, requestId }) =>
        `{"status":${status},"request_id":${JSON.stringify(requestId)},"body":${body}}`
    )
    .join(",")}]}`
})
