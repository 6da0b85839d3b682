import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import openapiTypeScript, { astToString } from "openapi-typescript"
import { ServerAddress } from "../../src/Layers/Platform/Http/Server.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, "../..")

/** What a developer writes against the generated types; a wrong name or type in it does not compile. */
const client = `
import createClient from "openapi-fetch"
import type { paths } from "./api.d.ts"

const { BASE_URL, TOKEN } = process.env
const gateway = createClient<paths>({ baseUrl: BASE_URL ?? "", headers: { Authorization: \`Bearer \${TOKEN}\` } })

const registered = await gateway.POST("/rest/v1/tools/register_lead", {
  body: { name: "Ana Souza", email: "ana@client.example" }
})
if (registered.data === undefined) throw new Error(registered.error.error)
const leadId: number = registered.data.lead_id

const found = await gateway.GET("/rest/v1/call/search_leads", { params: { query: { query: "souza", page_size: 5 } } })
const names: ReadonlyArray<string> = found.data?.leads.map((lead) => lead.name) ?? []

const missing = await gateway.POST("/rest/v1/tools/get_lead", { body: { lead_id: leadId + 1 } })
const { error } = missing
const type: string | undefined = error !== undefined && "type" in error ? error.type : undefined

console.log(JSON.stringify({ leadId, names, status: missing.response.status, type }))
`

/** Proof that the types mean something: the client with a misspelt parameter must not compile. */
const wrongClient = client.replace('name: "Ana Souza"', 'nome: "Ana Souza"')

const tsconfig = {
  compilerOptions: {
    strict: true,
    module: "NodeNext",
    moduleResolution: "NodeNext",
    target: "ES2023",
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ["node"]
  }
}

/** What the compiler says of the files, a line for each error. */
const compilerErrors = (directory: string, ...files: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    await fs.writeFile(path.join(directory, "tsconfig.json"), JSON.stringify({ ...tsconfig, files }))
    const tsc = path.join(root, "node_modules/typescript-native/bin/tsc")
    const said = await run(process.execPath, [tsc, "-p", directory, "--pretty", "false"]).then(
      () => "",
      (error: { readonly stdout: string }) => error.stdout
    )
    return said.split("\n").filter((line) => line !== "")
  })

const workspace = Effect.acquireRelease(
  Effect.promise(async () => {
    const directory = await fs.mkdtemp(path.join(os.tmpdir(), "gateway-client-"))
    await fs.symlink(path.join(root, "node_modules"), path.join(directory, "node_modules"))
    await fs.writeFile(path.join(directory, "package.json"), '{"type":"module"}')
    return directory
  }),
  (directory) => Effect.promise(() => fs.rm(directory, { recursive: true, force: true }))
)

layer(testGateway(), { excludeTestServices: true })("a client generated from /openapi.json", (it) => {
  it.scoped("type-checks and calls three tools", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const { host, port } = yield* ServerAddress
      const document = yield* send("/openapi.json")
      // A parameter with a default may be left out: the tool's own default takes every such property for a given one.
      const types = astToString(
        yield* Effect.promise(() => openapiTypeScript(document.text, { defaultNonNullable: false }))
      )
      const directory = yield* workspace
      const write = (name: string, content: string) =>
        Effect.promise(() => fs.writeFile(path.join(directory, name), content))
      yield* write("api.d.ts", types)
      yield* write("client.ts", client)
      yield* write("wrong.ts", wrongClient)

      // Both at once: reading the types is nearly all that it takes.
      const errors = yield* compilerErrors(directory, "client.ts", "wrong.ts")
      assert.isNotEmpty(errors)
      for (const error of errors.filter((line) => !line.startsWith(" "))) assert.match(error, /^[^(]*wrong\.ts\(/)
      assert.include(errors.join("\n"), "nome")
      const { stdout } = yield* Effect.promise(() =>
        run(process.execPath, ["--import", "tsx", path.join(directory, "client.ts")], {
          cwd: root,
          env: { ...process.env, BASE_URL: `http://${host}:${port}`, TOKEN: token }
        })
      )
      const Printed = Schema.parseJson(
        Schema.Struct({
          leadId: Schema.Int,
          names: Schema.Array(Schema.String),
          status: Schema.Int,
          type: Schema.String
        })
      )
      const printed = Schema.decodeSync(Printed)(stdout)
      assert.deepInclude(printed, { names: ["Ana Souza"], status: 404, type: "NotFound" })
    })
  )
})
