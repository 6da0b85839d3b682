import { GatewayError, isGatewayError } from "./errors.ts"
import { backoffMillis, retryAfterOf, sleep } from "./pauses.ts"

export interface ClientOptions {
  /** Where the gateway is, such as `https://gateway.example.com`. */
  readonly url: string
  /** An access token, or a function that returns the current one. */
  readonly token: string | (() => string | Promise<string>)
  /** By default the runtime's own. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** How often a request is repeated that had no answer, or was answered that it may be repeated. By default 4. */
  readonly maxRetries?: number
  /** How long one attempt may take, with its answer's last byte. By default 60 000. */
  readonly timeoutMillis?: number
  /** The longest pause between two attempts. If the gateway asks for a longer one, the call fails. By default 60 000. */
  readonly maxPauseMillis?: number
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly timeoutMillis?: number
  readonly maxRetries?: number
  /** Names a write, so that it is done once however often it is sent. By default a new one for each call. */
  readonly idempotencyKey?: string
  /** The call is tried and undone. */
  readonly dryRun?: boolean
  /** Names the request in the gateway's logs. By default the gateway chooses a name. */
  readonly requestId?: string
  /** Called with each answer's status and headers. */
  readonly onAnswer?: (answer: { readonly status: number; readonly headers: Headers }) => void
}

interface Request {
  readonly method: "GET" | "POST"
  /** Begins with a slash, or is a whole address. */
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** What an error is of: the tool or the path. */
  readonly subject: string
  /** Addresses of files are secret themselves and get no token. */
  readonly isOpen?: boolean
}

/** Statuses of a gateway that is busy, and of proxies in front of one that restarts. */
const passingStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

const isPassing = ({ status, type }: GatewayError): boolean =>
  status === 0 || passingStatuses.has(status) || type === "IdempotencyKeyInUse"

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const membersOf = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const errorFrom = (response: Response, text: string, subject: string): GatewayError => {
  const fields = membersOf(text) ?? {}
  const message = textOf(fields["error"])
  const details = {
    reason: textOf(fields["reason"]),
    status: response.status,
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: retryAfterOf(response.headers.get("retry-after"), fields["retry_after_seconds"]),
    fields,
    tool: subject
  }
  if (message === undefined) {
    return new GatewayError({
      ...details,
      type: "UnusableAnswer",
      message: `The answer to ${subject} has status ${response.status} and is not the gateway's.`,
      detail: text.slice(0, 200)
    })
  }
  return new GatewayError({
    ...details,
    type: response.status === 401 ? "Unauthorized" : (textOf(fields["type"]) ?? "UnusableAnswer"),
    message,
    detail: textOf(fields["detail"]) ?? textOf(fields["how_to_fix"]) ?? ""
  })
}

/** The body, as the gateway's document describes it. */
function parsedAnswer<A>(text: string, response: Response, subject: string): A
function parsedAnswer(text: string, response: Response, subject: string): unknown {
  try {
    const answer: unknown = JSON.parse(text)
    return answer
  } catch {
    throw errorFrom(response, text, subject)
  }
}

/** One attempt: the signal ends when its time is over or the caller aborts. */
const attemptSignal = (millis: number, caller: AbortSignal | undefined) => {
  const controller = new AbortController()
  const abort = () => controller.abort(caller?.reason)
  if (caller?.aborted === true) abort()
  caller?.addEventListener("abort", abort)
  const timer = setTimeout(() => controller.abort(new Error(`No answer within ${millis} milliseconds.`)), millis)
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer)
      caller?.removeEventListener("abort", abort)
    }
  }
}

/** Sends requests: with the token, repeated where that is safe, and with errors as `GatewayError`. */
export class Client {
  readonly url: string
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.url = options.url.replace(/\/+$/, "")
    this.#options = options
  }

  /** Calls a tool. Functions of single tools are easier: they have types. */
  async call<Answer>(
    tool: { readonly name: string; readonly path: string; readonly isRead: boolean },
    args: object = {},
    options: CallOptions = {}
  ): Promise<Answer> {
    const mode: Readonly<Record<string, string>> =
      options.dryRun === true
        ? { "Dry-Run": "true" }
        : tool.isRead
          ? {}
          : { "Idempotency-Key": options.idempotencyKey ?? crypto.randomUUID() }
    const request = {
      method: "POST",
      path: tool.path,
      body: JSON.stringify(args),
      headers: { "Content-Type": "application/json", ...mode },
      subject: tool.name
    } as const
    return await this.send(request, options, async (response) =>
      parsedAnswer<Answer>(await response.text(), response, tool.name)
    )
  }

  /**
   * Sends a request until it is answered for good, and returns what `read` makes of a successful answer. An attempt whose
   * body breaks off is repeated too.
   */
  async send<A>(request: Request, options: CallOptions, read: (response: Response) => Promise<A>): Promise<A> {
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? 4
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(request, options, read)
      } catch (error) {
        options.signal?.throwIfAborted()
        if (!isGatewayError(error) || !isPassing(error) || attempt >= maxRetries) throw error
        const millis = backoffMillis(attempt, error.retryAfterSeconds)
        if (millis > (this.#options.maxPauseMillis ?? 60_000)) throw error
        await sleep(millis, options.signal)
      }
    }
  }

  async #attempt<A>(
    { body, headers, isOpen, method, path, subject }: Request,
    options: CallOptions,
    read: (response: Response) => Promise<A>
  ): Promise<A> {
    const { fetch = globalThis.fetch, timeoutMillis = 60_000, token } = this.#options
    const bearer = typeof token === "string" ? token : await token()
    const { end, signal } = attemptSignal(options.timeoutMillis ?? timeoutMillis, options.signal)
    try {
      const response = await fetch(path.startsWith("/") ? `${this.url}${path}` : path, {
        method,
        headers: {
          ...(isOpen === true ? {} : { Authorization: `Bearer ${bearer}` }),
          ...(options.requestId === undefined ? {} : { "X-Request-Id": options.requestId }),
          ...headers
        },
        ...(body === undefined ? {} : { body }),
        signal
      })
      options.onAnswer?.({ status: response.status, headers: response.headers })
      if (response.ok) return await read(response)
      throw errorFrom(response, await response.text(), subject)
    } catch (cause) {
      if (cause instanceof GatewayError) throw cause
      throw new GatewayError({
        type: "NoAnswer",
        reason: undefined,
        message: `${subject} was not answered.`,
        detail: cause instanceof Error ? cause.message : String(cause),
        status: 0,
        requestId: undefined,
        retryAfterSeconds: undefined,
        fields: {},
        tool: subject,
        cause
      })
    } finally {
      end()
    }
  }
}
