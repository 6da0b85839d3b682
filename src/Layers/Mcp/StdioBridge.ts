import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import { isObject, type JsonObject, objectOf } from "../../Api/Mcp/Protocol.ts"

export interface BridgeOptions {
  /** Of the gateway, with the toolset that is wanted. */
  readonly url: string
  readonly token: string
  readonly input: Readable
  readonly output: Writable
}

/** How long calls under way may take once the host has gone. */
const lastAnswers = 5_000

const versionKey = "io.modelcontextprotocol/protocolVersion"

const parsed = (line: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Header values that are no plain letters come encoded (see Messages.ts). */
const inHeader = (value: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)
    ? value
    : `=?base64?${Buffer.from(value).toString("base64")}?=`

const nameOf = ({ method, params }: JsonObject): unknown => {
  const given = objectOf(params)
  switch (method) {
    case "tools/call":
    case "prompts/get":
      return given["name"]
    case "resources/read":
      return given["uri"]
    case "tasks/get":
    case "tasks/update":
    case "tasks/cancel":
      return given["taskId"]
    default:
      return undefined
  }
}

/** What the gateway says in words of its own instead of the protocol's. */
const refusalOf = (answer: JsonObject | undefined): string => {
  const said = [answer?.["error"], answer?.["how_to_fix"], answer?.["detail"]].filter(
    (text) => typeof text === "string"
  )
  return said.length === 0 ? "The gateway refused the message." : said.join(" ")
}

const failure = (id: unknown, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: { code, message } })

/**
 * Speaks for a host on this machine that starts its servers itself: a message a line from the input goes to the gateway,
 * and what the gateway says goes to the output. Ends with the input.
 */
export const bridge = async ({ input, output, token, url }: BridgeOptions): Promise<void> => {
  let session: string | undefined
  let version: string | undefined
  const underWay = new Map<unknown, AbortController>()
  const ended = new AbortController()

  const write = (message: string): void => {
    output.write(`${message}\n`)
  }

  const headersOf = (message: JsonObject): Record<string, string> => {
    const said = objectOf(objectOf(message["params"])["_meta"])[versionKey]
    const common = {
      Authorization: `Bearer ${token}`,
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json"
    }
    if (typeof said !== "string") {
      return {
        ...common,
        ...(session === undefined ? {} : { "Mcp-Session-Id": session }),
        ...(version === undefined ? {} : { "MCP-Protocol-Version": version })
      }
    }
    const name = nameOf(message)
    return {
      ...common,
      "MCP-Protocol-Version": inHeader(said),
      ...(typeof message["method"] === "string" ? { "Mcp-Method": inHeader(message["method"]) } : {}),
      ...(typeof name === "string" ? { "Mcp-Name": inHeader(name) } : {})
    }
  }

  /** Hands on each message of a stream of events. */
  const handOn = async (response: Response): Promise<void> => {
    if (response.body === null) return
    let text = ""
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      text += piece
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        for (const line of text.slice(0, end).split("\n")) if (line.startsWith("data: ")) write(line.slice(6))
        text = text.slice(end + 2)
      }
    }
  }

  /** What the gateway has to say to an older client that it did not ask for. */
  const listen = async (): Promise<void> => {
    const headers = { ...headersOf({}), Accept: "text/event-stream" }
    const response = await fetch(url, { headers, signal: ended.signal })
    if (response.ok) await handOn(response)
  }

  const begun = (response: Response, body: string): void => {
    session = response.headers.get("mcp-session-id") ?? undefined
    const agreed = objectOf(objectOf(parsed(body))["result"])["protocolVersion"]
    version = typeof agreed === "string" ? agreed : undefined
    if (session !== undefined) void listen().catch(() => undefined)
  }

  const send = async (line: string, message: JsonObject): Promise<void> => {
    const { id, method } = message
    const controller = new AbortController()
    if (id !== undefined) underWay.set(id, controller)
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: headersOf(message),
        body: line,
        signal: AbortSignal.any([controller.signal, ended.signal])
      })
      if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) return await handOn(response)
      const body = await response.text()
      if (method === "initialize") begun(response, body)
      if (id === undefined || body === "") return
      const answer = parsed(body)
      if (answer?.["jsonrpc"] === "2.0") write(body)
      else write(failure(id, response.status, refusalOf(answer)))
    } catch {
      if (id !== undefined && !controller.signal.aborted) {
        write(failure(id, 503, `The gateway at ${new URL(url).origin} cannot be reached. Start it with npm start.`))
      }
    } finally {
      if (underWay.get(id) === controller) underWay.delete(id)
    }
  }

  const pending = new Set<Promise<void>>()
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === "") continue
    const message = parsed(line)
    if (message === undefined) {
      write(failure(null, -32700, "The line is not one JSON message."))
      continue
    }
    if (message["method"] === "notifications/cancelled" && session === undefined) {
      // With the newer revision a call is cancelled by closing its stream.
      underWay.get(objectOf(message["params"])["requestId"])?.abort()
      continue
    }
    const sent = send(line, message)
    pending.add(sent)
    void sent.finally(() => pending.delete(sent))
    // What follows needs the session.
    if (message["method"] === "initialize") await sent
  }
  const timer = setTimeout(() => ended.abort(), lastAnswers)
  await Promise.race([
    Promise.all(pending),
    new Promise((resolve) => ended.signal.addEventListener("abort", resolve, { once: true }))
  ])
  clearTimeout(timer)
  ended.abort()
}
