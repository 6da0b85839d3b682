import * as fc from "fast-check"
import { AllTools } from "../../../src/Tools/AllTools.ts"
import type { ParamSpec } from "../../../src/Tools/Core/Param.ts"

/** A call of a tool with arguments that nobody would send; `body` is what goes over the wire. */
export interface BadCall {
  readonly tool: string
  readonly kind: "read" | "write" | "destructive"
  readonly body: string
}

const texts = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\u202e\u2066x",
  "'; drop table lead; --",
  "%' or 1=1 --",
  "{{7*7}}",
  "=1+1;=cmd",
  "../../etc/passwd",
  "http://169.254.169.254/latest",
  "http://[::1]:1/",
  "file:///etc/passwd",
  "2026-02-30",
  "9999-12-31T23:59:59Z",
  "0001-01-01",
  "-0",
  "1e309",
  "NaN",
  "null",
  "true",
  "[]",
  "{}",
  "[".repeat(3000),
  `${"[".repeat(3000)}${"]".repeat(3000)}`,
  `${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`,
  "x".repeat(70_000),
  "é".repeat(20_000),
  "<".repeat(20_000),
  "a@".repeat(20_000),
  "((((".repeat(5_000),
  " ".repeat(50_000),
  "\n".repeat(50_000),
  "9".repeat(10_000)
]

const numbers = [
  "0",
  "-1",
  "1",
  "2147483647",
  "2147483648",
  "9007199254740993",
  "9223372036854775807",
  "9223372036854775808",
  "-9223372036854775809",
  "1e400",
  "0.1",
  "1E2",
  `1${"0".repeat(400)}`
]

const json = (text: string): string => JSON.stringify(text)

/** Values by the parameter's own grammar, and beside it. */
const valueOf = (spec: ParamSpec): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...texts).map(json),
    fc.constantFrom(...numbers),
    fc.constantFrom("null", "true", "false", "[]", "{}", "[1]", '{"a":1}'),
    fc.string({ unit: "binary", maxLength: 300 }).map(json),
    fc.integer().map(String),
    fc.constantFrom(...(spec.enum ?? spec.itemsEnum ?? ["x"])).map(json),
    fc.constantFrom("1", "1,2,3", ",", "2026-03-01", "2026-03-01T10:00:00Z", "a@b.example", "+5511987654321").map(json)
  )

const tools = AllTools.groups.flatMap((group) => group.tools)

const ofTool = (tool: (typeof tools)[number]): fc.Arbitrary<BadCall> => {
  const parameters = Object.entries(tool.parameters)
  return fc
    .tuple(
      fc.record(Object.fromEntries(parameters.map(([name, spec]) => [name, valueOf(spec)])), {
        requiredKeys: parameters.filter(([, { required }]) => required).map(([name]) => name)
      }),
      fc.nat(30)
    )
    .map(([args, damage]) => {
      const members = Object.entries(args).map(([name, value]) => `${json(name)}:${value}`)
      const body = `{${members.join(",")}}`
      // Some of them are no JSON at all.
      return { tool: tool.name, kind: tool.kind, body: damage === 0 ? body.slice(0, body.length / 2) : body }
    })
}

/** Any tool of the catalog, with arguments made of its own parameters. */
export const badCall: fc.Arbitrary<BadCall> = fc.oneof(...tools.map(ofTool))

/** Why an answer is none that the platform decided on; nothing where it is. */
export const undecided = (status: number, text: string): string | undefined => {
  if (status < 200 || (status >= 300 && status < 400)) return `status ${status}`
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return `no JSON: ${text.slice(0, 200)}`
  }
  if (status < 300) return undefined
  if (typeof body !== "object" || body === null || !("type" in body) || !("error" in body)) return "no error's shape"
  if ("reason" in body && body.reason === "internal_error") return "internal_error"
  return status >= 500 && body.type !== "Transient" && body.type !== "Permanent"
    ? `type ${String(body.type)}`
    : undefined
}
