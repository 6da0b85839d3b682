import type { Effect } from "effect"
import type { Confirmation, Need, TokenBounds } from "../../Services/Accounts/TokenBounds.ts"
import type { AskedCall } from "../../Services/Mcp/ClientQuestions.ts"
import type { Era, JsonObject, Problem, ResultMembers } from "./Protocol.ts"

/** What a call may do while it runs, and what the client sent along with it. */
export interface CallScope {
  readonly era: Era
  readonly meta: JsonObject
  readonly capabilities: JsonObject
  /** The path that was called. */
  readonly address: string
  /** What the token was narrowed to, if it was. */
  readonly bounds: TokenBounds | undefined
  readonly confirmation: Confirmation
  /** Whether what outsiders wrote is to be left out of answers. */
  readonly lockdown: boolean
  /** The client's session, of an older revision. */
  readonly session: string | undefined
  /** What the caller named a write by, so that one sent again is not done again. */
  readonly idempotencyKey: string | undefined
  /** `true` where a write is only to be tried. */
  readonly dryRun: string | undefined
  /** Answers to what an earlier attempt of the call asked, and the state it was given. */
  readonly inputResponses: JsonObject | undefined
  readonly requestState: string | undefined
  /** Sends a notification ahead of the result. */
  readonly notify: (method: string, params: JsonObject) => void
  /**
   * Asks the client something on the call's stream, and waits for its answer: only older revisions can be asked so. The
   * answer may reach another process.
   */
  readonly ask: (method: string, params: JsonObject, call: AskedCall) => Effect.Effect<unknown, Problem>
}

export interface ToolInput {
  readonly args: JsonObject
  /** Whether what came instead of arguments was something else than an object. */
  readonly isMisshapen?: boolean
  /** The arguments as they stood in the message; `undefined` where there were none. */
  readonly source: string | undefined
}

/** Calls a tool of the catalog by its name. */
export type CallByName<R> = (name: string, input: ToolInput, scope: CallScope) => Effect.Effect<Outcome, Problem, R>

export type Outcome =
  | {
      readonly type: "complete"
      readonly members: ResultMembers
      /** Of the HTTP answer, where it is no stream. */
      readonly headers?: Readonly<Record<string, string>>
    }
  | { readonly type: "input_required"; readonly members: ResultMembers }
  | { readonly type: "task"; readonly members: ResultMembers }

export interface McpTool<out R> {
  readonly name: string
  /** What a list says of it. */
  readonly definition: JsonObject
  /** What a token has to be allowed so that it is listed; whoever calls it is told by the tool itself. */
  readonly need?: Need
  readonly call: (input: ToolInput, scope: CallScope) => Effect.Effect<Outcome, Problem, R>
}

export const complete = (members: ResultMembers): Outcome => ({ type: "complete", members })

/** Texts as the whole content of a result. */
const textContent = (...texts: ReadonlyArray<string>): string =>
  `"content":[${texts.map((text) => `{"type":"text","text":${JSON.stringify(text)}}`).join(",")}]`

/** The answer of a tool: the JSON text once as a text, and once as it is; advice stands behind the text. */
export const answered = (json: string, advice?: string): Outcome => {
  const content = advice === undefined ? textContent(json) : textContent(json, advice)
  return complete(`${content},"structuredContent":${json}`)
}

/** A refusal or failure that whoever called can act on. */
export const failed = (body: string): Outcome => complete(`${textContent(body)},"isError":true`)

/** The tools that one address, with its headers, shows and lets call. */
export interface Toolbox<out R> {
  readonly tools: ReadonlyArray<McpTool<R>>
  readonly get: (name: string) => McpTool<R> | undefined
  /** The name that comes nearest to one that no tool has. */
  readonly nearest: (name: string) => string | undefined
}
