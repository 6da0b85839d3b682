import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Schema } from "effect"
import { assert, describe, inject, it } from "vitest"
import { modelOf, OpenApiDocument } from "../generate/Document.ts"
import { Gateway, isGatewayError } from "../typescript/src/index.ts"
import { samples } from "./generated/samples.ts"
import { python } from "./support/python.ts"

const { token, url } = inject("gateway")
const clients = path.resolve(import.meta.dirname, "..")
const inTest = (file: string): string => path.join(import.meta.dirname, file)

const { tools } = modelOf(
  Schema.decodeUnknownSync(OpenApiDocument)(await fs.readFile(path.join(clients, "openapi.json"), "utf8"))
)

/** What became of a call: `answered`, or the type and reason of its error. */
type Outcomes = ReadonlyMap<string, string>

interface Call {
  readonly name: string
  /** A tried call is a dry run. */
  readonly mode: "direct" | "tried"
}

const answered = "answered"

const toolCalls: ReadonlyArray<Call> = tools.map(({ kind, name }) => ({
  name,
  mode: kind === "read" ? "direct" : "tried"
}))

const outcomeText = (type: string, reason: string | undefined): string => `${type} ${reason ?? ""}`.trim()

const inTypeScript = async (calls: ReadonlyArray<Call>): Promise<Outcomes> => {
  const gateways = {
    direct: new Gateway({ url, token, maxRetries: 0 }),
    tried: new Gateway({
      url,
      token,
      maxRetries: 0,
      fetch: (target, init) => {
        const headers = new Headers(init.headers)
        headers.delete("Idempotency-Key")
        headers.set("Dry-Run", "true")
        return fetch(target, { ...init, headers })
      }
    })
  }
  const outcomes = new Map<string, string>()
  for (const { mode, name } of calls) {
    const sample = samples[name] ?? assert.fail(`There is no sample of ${name}.`)
    const outcome = await sample(gateways[mode]).then(
      () => answered,
      (error: unknown) => (isGatewayError(error) ? outcomeText(error.type, error.reason) : String(error))
    )
    outcomes.set(name, outcome)
  }
  return outcomes
}

/** Runs a program that reads the calls, and returns what it prints. */
const programOutput = (
  program: string,
  args: ReadonlyArray<string>,
  variables: Readonly<Record<string, string>>,
  calls: ReadonlyArray<Call>
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { env: { ...process.env, ...variables }, maxBuffer: 1 << 28 },
      (error, stdout, stderr) => (error === null ? resolve(stdout) : reject(new Error(stderr, { cause: error })))
    )
    child.stdin?.end(calls.map(({ mode, name }) => `${mode} ${name}\n`).join(""))
  })

const Line = Schema.parseJson(Schema.Struct({ name: Schema.String, outcome: Schema.String }))

const inPython = async (calls: ReadonlyArray<Call>): Promise<Outcomes> => {
  const folders = [path.join(clients, "python/src"), inTest("generated")].join(path.delimiter)
  const variables = { PYTHONPATH: folders, PYTHONDONTWRITEBYTECODE: "1", GATEWAY_URL: url, GATEWAY_TOKEN: token }
  const output = await programOutput(python ?? "", [inTest("support/runSamples.py")], variables, calls)
  const lines = output.split("\n").flatMap((line) => (line === "" ? [] : [Schema.decodeUnknownSync(Line)(line)]))
  return new Map(lines.map(({ name, outcome }) => [name, outcome]))
}

const ErrorBody = Schema.parseJson(Schema.Struct({ type: Schema.String, reason: Schema.optional(Schema.String) }))

const inCurl = async (calls: ReadonlyArray<Call>): Promise<Outcomes> => {
  const variables = { SAMPLES: inTest("generated/samples.sh"), GATEWAY: url, TOKEN: token }
  const output = await programOutput("bash", [inTest("support/runSamples.sh")], variables, calls)
  return new Map(
    output
      .split("\u001e")
      .slice(1)
      .map((part) => {
        const [name = "", ...lines] = part.split("\n")
        const status = lines.pop() ?? ""
        if (status === "200") return [name, answered]
        const { reason, type } = Schema.decodeUnknownSync(ErrorBody)(lines.join("\n"))
        return [name, outcomeText(type, reason)]
      })
  )
}

const documentedErrors = (name: string): ReadonlyArray<string> => {
  const reasons = tools.find((tool) => tool.name === name)?.reasons ?? {}
  return ["NotFound", "Refused", "PlanRequired", "Permanent"].flatMap((type) =>
    (reasons[type] ?? []).map((reason) => outcomeText(type, reason))
  )
}

/** The samples that were neither answered nor refused as their tool says it does. */
const faultsIn = (outcomes: Outcomes): ReadonlyArray<string> =>
  [...outcomes].flatMap(([name, outcome]) =>
    outcome === answered || documentedErrors(name).includes(outcome) ? [] : [`${name}: ${outcome}`]
  )

const namesOf = (outcomes: Outcomes, outcome: string): ReadonlyArray<string> =>
  [...outcomes].flatMap(([name, text]) => (text === outcome ? [name] : []))

/** Runs all samples as dry runs, and those that cannot be tried once more without it. */
const ranAll = async (runCalls: (calls: ReadonlyArray<Call>) => Promise<Outcomes>): Promise<Outcomes> => {
  const first = await runCalls(toolCalls)
  const untried = namesOf(first, "DryRunUnsupported").map((name): Call => ({ name, mode: "direct" }))
  return new Map([...first, ...(await runCalls(untried))])
}

/** The others name records that this account does not have: advertisements, a calendar, websites. */
const fewestAnswered = 154

describe("the sample of each tool", () => {
  const languages: ReadonlyArray<readonly [string, typeof inCurl, boolean]> = [
    ["curl", inCurl, false],
    ["TypeScript", inTypeScript, false],
    ["Python (needs python3-httpx)", inPython, python === undefined]
  ]
  for (const [language, runCalls, isMissing] of languages) {
    it.skipIf(isMissing)(`is answered in ${language}`, { timeout: 300_000 }, async () => {
      const outcomes = await ranAll(runCalls)
      assert.strictEqual(outcomes.size, tools.length)
      assert.deepStrictEqual(faultsIn(outcomes), [])
      const count = namesOf(outcomes, answered).length
      process.stdout.write(`${language}: ${count} of ${outcomes.size} samples were answered\n`)
      assert.isAtLeast(count, fewestAnswered, JSON.stringify([...outcomes].filter(([, text]) => text !== answered)))
    })
  }
})
