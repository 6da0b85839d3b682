import { readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { isThere, root, textOf, unknownSettings } from "./files.ts"

const file = "deploy/Containerfile"

interface Instruction {
  readonly name: string
  readonly text: string
}

/** Instructions with their continued lines joined. Comments are left out. */
const instructionsOf = (text: string): ReadonlyArray<Instruction> =>
  text
    .replaceAll(/^\s*#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [name = "", ...rest] = line.trim().split(/\s+/)
      return { name, text: rest.join(" ") }
    })

const instructions = instructionsOf(textOf(file))
const stagesAt = instructions.flatMap(({ name }, index) => (name === "FROM" ? [index] : []))
const lastStage = instructions.slice(stagesAt.at(-1))
const valueOf = (name: string): string => lastStage.find((one) => one.name === name)?.text ?? assert.fail(name)

/** Files that the builder gets, by the list of what is not left out. */
const isInContext = (source: string): boolean =>
  textOf(".dockerignore")
    .split("\n")
    .some((line) => line === `!${source}`)

it("every copied path exists, and reaches the builder", () => {
  const copied = instructions
    .filter(({ name, text }) => name === "COPY" && !text.startsWith("--from="))
    .flatMap(({ text }) => text.split(" ").slice(0, -1))
  assert.sameMembers(copied, [
    "package.json",
    "package-lock.json",
    ".npmrc",
    "console/package.json",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "console",
    "launch",
    "src"
  ])
  for (const source of copied) {
    assert.isTrue(isThere(source), source)
    assert.isTrue(isInContext(source), source)
  }
})

it("what is copied from the first stage is what the package's script makes there", () => {
  const copied = instructions.filter(({ text }) => text.startsWith("--from=")).map(({ text }) => text.split(" ")[1])
  assert.deepStrictEqual(copied, ["/source/node_modules", "/source/dist/package"])
  assert.include(textOf("launch/package.js"), `path.join(root, "dist", "package")`)
  const { scripts } = JSON.parse(textOf("package.json")) as { readonly scripts: Readonly<Record<string, string>> }
  for (const { text } of instructions.filter(({ name }) => name === "RUN")) {
    for (const [, script = ""] of text.matchAll(/npm run (\S+)/g)) assert.property(scripts, script)
  }
  for (const [, started = ""] of textOf(file).matchAll(/launch\/[\w.]+/g))
    assert.isTrue(started === "" || isThere(started))
})

it("the base is one version, the one that the checks run on", () => {
  const image = /^ARG NODE_IMAGE=(\S+)$/m.exec(textOf(file))?.[1] ?? assert.fail("no NODE_IMAGE")
  const version = /^lts_version=(\S+)$/m.exec(readFileSync(path.join(root, ".ci/run"), "utf8"))?.[1]
  assert.strictEqual(image, `docker.io/library/node:${version}-bookworm-slim`)
  for (const index of stagesAt) {
    const [from = ""] = (instructions[index]?.text ?? "").split(" ")
    // Buildah finds no stage whose name has a variable.
    assert.strictEqual(from, "${NODE_IMAGE}")
  }
})

it("the image has pg_dump of the server that comes with Compose, for backups", () => {
  const server = /docker\.io\/library\/postgres:(\d+)/.exec(textOf("deploy/compose/compose.yaml"))?.[1]
  assert.strictEqual(/^ARG POSTGRES_CLIENT=(\d+)$/m.exec(textOf(file))?.[1], server)
  const installs = lastStage.filter(({ name, text }) => name === "RUN" && text.includes("apt-get install"))
  assert.isTrue(installs.some(({ text }) => text.includes('"postgresql-client-$POSTGRES_CLIENT"')))
})

it("the last stage runs without rights, stops gracefully, and has neither sources nor a compiler", () => {
  assert.match(valueOf("USER"), /^[1-9]\d{3,}:[1-9]\d{3,}$/)
  assert.strictEqual(valueOf("STOPSIGNAL"), "SIGTERM")
  assert.include(valueOf("HEALTHCHECK"), "/health/live")
  assert.strictEqual(valueOf("ENTRYPOINT"), `["node", "launch/bin.js"]`)
  for (const { text } of lastStage.filter(({ name }) => name === "COPY")) assert.include(text, "--from=build")
  assert.include(textOf(file), "rm -rf node_modules/esbuild node_modules/@esbuild")
  const variables = valueOf("ENV")
    .split(" ")
    .map((pair) => pair.split("=")[0] ?? "")
  assert.deepStrictEqual(unknownSettings(variables), [])
})
