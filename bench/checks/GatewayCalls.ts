import { readFileSync } from "node:fs"
import { Schema } from "effect"

/** A file of JSON lines. */
export const linesOf = <A, I>(file: string | URL, line: Schema.Schema<A, I>): ReadonlyArray<A> =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((text) => text.trim() !== "")
    .map((text) => Schema.decodeUnknownSync(Schema.parseJson(line))(text))

const gateway = process.env["GATEWAY"] ?? "http://127.0.0.1:8080"

/** Calls a tool of a running gateway over REST. Throws the answer if it is not a success. */
export const makeCall =
  (token: () => string) =>
  async <A, I>(tool: string, parameters: object, answer: Schema.Schema<A, I>): Promise<A> => {
    const response = await fetch(`${gateway}/rest/v1/tools/${tool}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token()}`, "Content-Type": "application/json" },
      body: JSON.stringify(parameters)
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${tool}: ${response.status} ${text.slice(0, 500)}`)
    return Schema.decodeUnknownSync(Schema.parseJson(answer))(text)
  }
