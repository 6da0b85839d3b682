import { errorOfAnswer, noAnswer } from "./CallError.ts"
import { type AnswerOf, type ArgumentsOf, pathOf, type ToolName } from "./Tools.ts"

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Names a write, so that it is done once even if it is sent again. */
  readonly idempotencyKey?: string
  /** The call is tried and undone. */
  readonly isDryRun?: boolean
  /** The signed value that a destructive call needs. */
  readonly confirmation?: string
  /** Gets the id of the request, under which the log has it. */
  readonly onRequestId?: (id: string) => void
}

/** Called when the gateway says that there is no session. */
let onSignedOut = (): void => undefined
export const setSignedOutHandler = (handler: () => void): void => {
  onSignedOut = handler
}

/** The body, as the gateway's document describes it. */
function parsedAnswer<A>(text: string): A
function parsedAnswer(text: string): unknown {
  if (text === "") return undefined
  const answer: unknown = JSON.parse(text)
  return answer
}

/** Sends a request to the console's routes. The browser adds the cookie. */
export const send = async <Answer>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown,
  options: CallOptions = {}
): Promise<Answer> => {
  const { confirmation, idempotencyKey, isDryRun, signal } = options
  const response = await fetch(path, {
    method,
    credentials: "same-origin",
    headers: {
      ...(method === "GET" ? {} : { "Content-Type": "application/json", "X-Console": "1" }),
      ...(isDryRun === true ? { "Dry-Run": "true" } : {}),
      ...(idempotencyKey === undefined || isDryRun === true ? {} : { "Idempotency-Key": idempotencyKey }),
      ...(confirmation === undefined ? {} : { "Console-Confirmation": confirmation })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal })
  }).catch((cause: unknown) => {
    throw signal?.aborted === true ? cause : noAnswer(cause)
  })
  const text = await response.text()
  options.onRequestId?.(response.headers.get("x-request-id") ?? "")
  if (response.ok) return parsedAnswer<Answer>(text)
  const error = errorOfAnswer(response.status, response.headers, text)
  if (error.details.type === "Unauthorized" && path !== "/console/api/session") onSignedOut()
  throw error
}

/** Calls a tool of the catalog. */
export const callTool = async <Name extends ToolName>(
  tool: Name,
  args: ArgumentsOf<Name>,
  options: CallOptions = {}
): Promise<AnswerOf<Name>> => await send<AnswerOf<Name>>("POST", pathOf(tool), args, options)

/** Calls a tool whose name and arguments are only known at run time, such as those of a generated form. */
export const callAnyTool = async (
  tool: string,
  args: Readonly<Record<string, unknown>>,
  options: CallOptions = {}
): Promise<unknown> => await send<unknown>("POST", pathOf(tool), args, options)

export interface Confirmation {
  readonly confirmation: string
  readonly expires_at: string
  readonly summary: { readonly tool: string; readonly description: string; readonly arguments: object }
}

export const requestConfirmation = async (tool: string, args: object): Promise<Confirmation> =>
  await send<Confirmation>("POST", "/console/api/confirmations", { tool, arguments: args })
