import type { Effect } from "effect"
import type { Answer } from "../../Api.ts"
import type { Confirmation, Need, TokenBounds } from "../../Services/Accounts/Tokens/TokenBounds.ts"
import type { LoggedArguments } from "../../Services/Core/RequestLog.ts"
import type { QuestionedCall } from "../../Services/Mcp/ClientQuestions.ts"
import type { Era, JsonObject, Problem, ResultMembers } from "./Protocol.ts"

/** A tool call as recorded in the request log. */
export interface NotedCall {
  readonly tool: string
  readonly arguments: LoggedArguments
  /** The status that `/rest/v1` would answer with. */
  readonly status: number
  readonly reason: string | undefined
}

/** The context of a running call: its rights, and what the client sent with it. */
export interface CallScope {
  readonly era: Era
  readonly meta: JsonObject
  readonly capabilities: JsonObject
  /** The requested path. */
  readonly address: string
  /** The token's limits, if it has any. */
  readonly bounds: TokenBounds | undefined
  readonly confirmation: Confirmation
  /** Whether text by outsiders must be left out of answers. */
  readonly lockdown: boolean
  /** The client's session, for an older revision. */
  readonly session: string | undefined
  /** The caller's idempotency key for a write. */
  readonly idempotencyKey: string | undefined
  /** `true` for a dry run of a write. */
  readonly dryRun: string | undefined
  /** The client's answers to the questions of an earlier attempt, and the state that this attempt returned. */
  readonly inputResponses: JsonObject | undefined
  readonly requestState: string | undefined
  /** Records the call of the message for the request log. The last record counts. */
  readonly note: (call: NotedCall) => void
  /** Sends a notification before the result. */
  readonly notify: (method: string, params: JsonObject) => void
  /**
   * Asks the client on the call's stream and waits for the answer. Only older revisions support this. The answer may
   * arrive at another process.
   */
  readonly ask: (method: string, params: JsonObject, call: QuestionedCall) => Effect.Effect<unknown, Problem>
}

export interface ToolInput {
  readonly args: JsonObject
  /** True if the arguments were not an object. */
  readonly isMisshapen?: boolean
  /** The source text of the arguments. Undefined if there were none. */
  readonly source: string | undefined
}

/** Calls a tool of the catalog by name. */
export type CallByName<R> = (name: string, input: ToolInput, scope: CallScope) => Effect.Effect<Outcome, Problem, R>

export type Outcome =
  | {
      readonly type: "complete"
      readonly members: ResultMembers
      /** Headers of the HTTP answer, if it is not a stream. */
      readonly headers?: Readonly<Record<string, string>>
      /** The status and reason of a failure, as `/rest/v1` answers it. */
      readonly failure?: Pick<Answer, "status" | "reason">
    }
  | { readonly type: "input_required"; readonly members: ResultMembers }
  | { readonly type: "task"; readonly members: ResultMembers }

export interface McpTool<out R> {
  readonly name: string
  /** The tool's entry in a list. */
  readonly definition: JsonObject
  /** The rights that a token needs for the tool to be listed. The tool itself checks its callers. */
  readonly need?: Need
  readonly call: (input: ToolInput, scope: CallScope) => Effect.Effect<Outcome, Problem, R>
}

export const complete = (members: ResultMembers): Outcome => ({ type: "complete", members })

/** Texts as a result's content. */
const textContent = (...texts: ReadonlyArray<string>): string =>
  `"content":[${texts.map((text) => `{"type":"text","text":${JSON.stringify(text)}}`).join(",")}]`

/** A tool's answer: the JSON as text and as structured content. Advice follows the text. */
export const answered = (json: string, advice?: string): Outcome => {
  const content = advice === undefined ? textContent(json) : textContent(json, advice)
  return complete(`${content},"structuredContent":${json}`)
}

/** A refusal or failure that the caller can act on. */
export const failed = ({ body, ...failure }: Pick<Answer, "body" | "status" | "reason">): Outcome => ({
  type: "complete",
  members: `${textContent(body)},"isError":true`,
  failure
})

/** The tools that an address and its headers list and allow. */
export interface Toolbox<out R> {
  readonly tools: ReadonlyArray<McpTool<R>>
  readonly get: (name: string) => McpTool<R> | undefined
  /** Returns the existing name that is most similar to one that does not exist. */
  readonly nearest: (name: string) => string | undefined
}
