import { execFileSync } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { parse } from "yaml"
import { Gateway } from "../typescript/src/index.ts"
import { makePgwShell, type RunningProgram } from "./support/PgwShell.ts"
import { python, withPython } from "./support/python.ts"
import { freePort } from "./support/startGateway.ts"
import { type Block, blocksOf } from "./support/Transcript.ts"

const { token, url } = inject("gateway")
const root = path.resolve(import.meta.dirname, "../..")
const generated = path.join(import.meta.dirname, "generated")

const documents = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: root,
  encoding: "utf8"
})
  .split("\n")
  .filter((file) => /^(?:README|CONTRIBUTING|SECURITY)\.md$|^docs\/|^clients\/|^bench\/README\.md$/.test(file))

/** Languages of examples. Others are drawings, and texts that are shown. */
const exampleLanguages = new Set(["sh", "console", "ts", "python", "json", "yaml", "sql"])

interface Example extends Block {
  readonly document: string
}

const examples = (
  await Promise.all(
    documents.map(async (document) =>
      blocksOf(await fs.readFile(path.join(root, document), "utf8"))
        .filter(({ language }) => exampleLanguages.has(language))
        .map((block): Example => ({ ...block, document }))
    )
  )
).flat()

/** Documents whose examples other tests run whole, with the languages. */
const runWhole: ReadonlyArray<readonly [document: string, languages: ReadonlyArray<string>, test: string]> = [
  ["README.md", ["sh", "json"], "test/Main/Tour.test.ts"],
  ["clients/pgw/README.md", ["console"], "clients/test/Readmes.test.ts"],
  ["clients/pgw/RECORDINGS.md", ["console"], "clients/test/Recordings.test.ts"],
  ["clients/typescript/README.md", ["ts"], "clients/test/Readmes.test.ts"],
  ["clients/python/README.md", ["python"], "clients/test/Readmes.test.ts"]
]

type Way = "here" | "as a program" | "parsed" | "elsewhere" | "not run" | "unmarked"

/** How an example is held. */
const wayOf = ({ comment = "", document, language }: Example): Way => {
  if (comment.startsWith("not run: ")) return "not run"
  if (comment.startsWith("run elsewhere: ")) return "elsewhere"
  if (runWhole.some(([of, languages]) => of === document && languages.includes(language))) return "elsewhere"
  if (document.startsWith("docs/quick-starts/") && (language === "ts" || language === "python")) return "as a program"
  if (language === "sh") return "here"
  return language === "json" || language === "yaml" ? "parsed" : "unmarked"
}

const having = (way: Way): ReadonlyArray<Example> => examples.filter((example) => wayOf(example) === way)

const nameOf = ({ document, line }: Example): string => `${document}:${line}`

/** Each has its reason. A further one needs a look at whether it could run after all. */
const mostNotRun = 40

describe("examples in documents", () => {
  it("run in a test, or say why not", async () => {
    assert.deepStrictEqual(having("unmarked").map(nameOf), [])
    const counts = Object.fromEntries(
      (["here", "as a program", "parsed", "elsewhere", "not run"] as const).map((way) => [way, having(way).length])
    )
    process.stdout.write(`examples of documents: ${JSON.stringify(counts)}\n`)
    assert.isAtLeast(having("here").length, 24)
    assert.isAtMost(having("not run").length, mostNotRun)
    for (const [document, , test] of runWhole) {
      assert.include(await fs.readFile(path.join(root, test), "utf8"), path.basename(document))
    }
  })

  it("name the test that runs them, which does", async () => {
    for (const example of having("elsewhere")) {
      const [, test] = /^run elsewhere: (\S+)$/.exec(example.comment ?? "") ?? []
      if (test === undefined) continue
      const text = await fs.readFile(path.join(root, test), "utf8")
      // Of a command line, its last word that is no option: the test passes it as an argument.
      const [, command] = /gateway(?: --)? ((?:[a-z]+ )?[a-z-]+)/.exec(example.text) ?? []
      const word = command?.split(" ").at(-1)
      if (word !== undefined) assert.include(text, `"${word}"`, nameOf(example))
    }
  })

  it("that are data can be read", () => {
    for (const example of having("parsed")) {
      const value: unknown = example.language === "json" ? JSON.parse(example.text) : parse(example.text)
      assert.isObject(value, nameOf(example))
    }
  })
})

let shell: Awaited<ReturnType<typeof makePgwShell>>
let firstIds: Readonly<Record<string, number>> = {}

/** The first record of each kind that examples name. */
const findFirstIds = async (): Promise<Readonly<Record<string, number>>> => {
  const gateway = new Gateway({ url, token })
  const { leads } = await gateway.leads.searchLeads({ page_size: 1, status: "Cold" })
  const file = await gateway.uploadFile({
    name: "leads.csv",
    content: "Name;E-mail\nAna Souza;ana@documents.example\n"
  })
  const imported = await gateway.leadOperations.importLeads({ customer_file_id: file.customer_file_id })
  await gateway.waitForJob(imported.job_id, { intervalMillis: 100 })
  const { token_id } = await gateway.platform.createToken({ label: "Documents" })
  await gateway.session.whoami({}, { requestId: "ID" })
  return {
    lead_id: leads[0]?.lead_id ?? 0,
    customer_file_id: file.customer_file_id,
    lead_import_id: imported.lead_import_id,
    token_id
  }
}

/** What a reader has set before, as the tour in the README shows it. A refused call ends the script. */
const preamble = `
set -eo pipefail
export LC_ALL=C.UTF-8
AUTH="Authorization: Bearer $TOKEN"
curl() { command curl --fail-with-body --silent --show-error "$@"; }
call() { curl -s -H "Authorization: Bearer $TOKEN" "$@" && echo; }
tool() { answer=$(call "$GATEWAY/rest/v1/tools/$1" -d "$2"); echo "$answer"; }
latest() { sed -nE "s/.*\\"$1\\":([0-9]+).*/\\1/p" <<<"$answer"; }
`

/** An example's own address, ids and dates in place of those of the reader's gateway. */
const prepared = (text: string): string =>
  Object.entries(firstIds)
    .reduce((script, [name, id]) => {
      return script.replaceAll(new RegExp(`("${name}": ?|\\b${name}=)\\d+`, "g"), `$1${id}`)
    }, text)
    .replaceAll(/\b((?:website|drawing|online_search)_id)=1\b/g, "$1=$(latest $1)")
    .replaceAll("http://127.0.0.1:8080", url)
    .replaceAll("TOKEN=pgw_…", "")
    .replaceAll(/"expires_at": "\d{4}-/g, `"expires_at": "${new Date().getFullYear() + 1}-`)

beforeAll(async () => {
  shell = await makePgwShell({
    GATEWAY: url,
    BASE: url,
    URL: url,
    GATEWAY_URL: url,
    TOKEN: token,
    GATEWAY_TOKEN: token,
    PGW_URL: url,
    PGW_TOKEN: token
  })
  await fs.mkdir(path.join(shell.home, ".data"))
  await fs.writeFile(path.join(shell.home, ".data/owner-token"), token)
  firstIds = await findFirstIds()
})
afterAll(() => shell.remove())

describe("commands in documents", () => {
  const runHere = having("here")
  for (const document of new Set(runHere.map((example) => example.document))) {
    const blocks = runHere.filter((example) => example.document === document)
    it(`${document}: ${blocks.length}`, { timeout: 180_000 }, async () => {
      const script = blocks.map(({ line, text }) => `: line ${line}\n${prepared(text)}`).join("\n")
      const { code, output } = await shell.run(`exec 2>&1\n${preamble}\n${script}`)
      assert.strictEqual(code, 0, `${script}\n${output}`)
      assert.notMatch(output, /"type":"UnknownTool"/)
    })
  }
})

const programs = ["importLeads", "receiveWebhooks"] as const

const commandOf = (name: (typeof programs)[number], language: "ts" | "py"): string =>
  language === "ts"
    ? `cd ${root} && exec "${process.execPath}" --import tsx ${path.join(generated, `${name}.ts`)}`
    : withPython(`exec ${python ?? ""} -u ${path.join(generated, `${name}.py`)}`)

describe("quick starts", () => {
  it("have no other programs", () => {
    const names = new Set(having("as a program").map(({ document }) => path.basename(document, ".md")))
    assert.sameMembers([...names], ["import-leads", "receive-webhooks"])
  })

  for (const language of ["ts", "py"] as const) {
    const needsPython = language === "py" && python === undefined
    it.skipIf(needsPython)(`import leads, in ${language}`, async () => {
      const { code, output } = await shell.run(`exec 2>&1; ${commandOf("importLeads", language)}`)
      assert.strictEqual(code, 0, output)
      assert.match(output, /^1 created \d+$/m)
    })

    it.skipIf(needsPython)(`receive webhooks, in ${language}`, async () => {
      const port = await freePort()
      const secret = `whsec_${Buffer.from("a secret of a developer's machine").toString("base64")}`
      const variables = `export PORT=${port} WEBHOOK_SECRET=${secret} PGW_URL=${url} PGW_TOKEN=${token}\n`
      const started: Array<RunningProgram> = []
      const start = (script: string): RunningProgram => {
        const program = shell.start(`${variables}${script}`)
        started.push(program)
        return program
      }
      const answersOn = (at: string) =>
        fetch(at, { method: "POST" }).then(
          ({ status }) => status,
          () => 0
        )
      try {
        const receiver = start(commandOf("receiveWebhooks", language))
        let status = 0
        await receiver.until(() => {
          void answersOn(`http://127.0.0.1:${port}`).then((answered) => {
            status = Math.max(status, answered)
          })
          return status > 0
        }, "it answered")
        assert.strictEqual(status, 401, "a request without a signature")
        const forwarding = start(
          `exec pgw webhooks listen --forward http://127.0.0.1:${port} --secret "$WEBHOOK_SECRET" --types import_finished`
        )
        await forwarding.until(() => forwarding.stderr().includes("signed with"), "it began")
        await findFirstIds()
        await forwarding.until(() => forwarding.stderr().includes("import_finished  204"), "the event was accepted")
        assert.match(receiver.stdout(), /^import_finished /m)
      } finally {
        for (const program of started) await program.stop()
      }
    })
  }
})
