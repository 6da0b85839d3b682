import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { parseArgs } from "node:util"
import { migrations } from "../../src/Layers/App.ts"
import { checksum } from "../../src/Layers/Platform/Postgres/Migration.ts"
import { withRelease } from "../../test/support/releases/Changelog.ts"
import { files, keptReleases, packed, releasesFolder } from "../../test/support/releases/Releases.ts"
import { loggedStatements, refusedStatements } from "../../test/support/releases/Statements.ts"
import { makeOriginOf } from "../citus/Origin.ts"
import { installedPrograms } from "../support/PostgresServer.ts"
import { withMigratedSchema } from "./DumpSchema.ts"

/**
 * Cuts a release: keeps its tables, its statements and the checksums of its migrations in `test/Releases`, and names the
 * section of the changelog. Without `--statements` it runs the whole suite first, to log its statements. `--again` replaces a
 * release that was not published yet, after a change of its migrations.
 */

const root = path.resolve(import.meta.dirname, "../..")

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { again: { type: "boolean" }, statements: { type: "string" }, programs: { type: "string" } }
})
const [version] = positionals
if (version === undefined) {
  console.error(`npm run release -- VERSION [--again] [--statements FOLDER] [--programs FOLDER]
  --again       replaces a release that was not published yet. Without --statements it keeps the statements
  --statements  what earlier runs of the suite with STATEMENT_LOG=FOLDER have logged
  --programs    the folder of initdb, pg_ctl and pg_dump`)
  process.exit(2)
}

/** Runs the suite, and returns the folder with its statements. */
const logSuite = (): string => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "gateway-statements-"))
  const { status } = spawnSync("npx", ["vitest", "run"], {
    cwd: root,
    env: { ...process.env, STATEMENT_LOG: folder },
    stdio: "inherit"
  })
  if (status !== 0) throw new Error(`The suite failed. Its statements are in ${folder}.`)
  return folder
}

/** Written by the query builder of `@effect/sql`, which quotes the names. Tests do not use it. */
const isBuilt = (statement: string): boolean => /^(?:insert into|update) "/i.test(statement)

const changelogFile = path.join(root, "CHANGELOG.md")
const day = new Date().toISOString().slice(0, 10)
const earlier = values.again === true ? keptReleases().find((release) => release.version === version) : undefined
if (values.again === true && earlier === undefined) throw new Error(`There is no release ${version} to replace.`)
const text = fs.readFileSync(changelogFile, "utf8")
const changelog = earlier === undefined ? withRelease(text, version, day) : text
const manifest: unknown = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"))
if (!(typeof manifest === "object" && manifest !== null && "version" in manifest && manifest.version === version)) {
  throw new Error(`package.json has another version than ${version}.`)
}

const originOf = makeOriginOf()
const keepsStatements = earlier !== undefined && values.statements === undefined
const logged = keepsStatements ? earlier.statements() : loggedStatements(values.statements ?? logSuite())
const ofProduct = logged.filter((statement) => isBuilt(statement) || originOf(statement) !== undefined)
if (ofProduct.length === 0) throw new Error("No statement of the product was logged.")

await withMigratedSchema(values.programs ?? installedPrograms(), async ({ client, schema }) => {
  // They need tables of other tests, or of a session.
  const refused = await refusedStatements(client, ofProduct)
  const notPrepared = new Set(refused.map(({ statement }) => statement))
  const statements = ofProduct.filter((statement) => !notPrepared.has(statement))
  const folder = path.join(releasesFolder, version)
  fs.mkdirSync(folder, { recursive: true })
  const write = (file: string, content: string | Buffer) => fs.writeFileSync(path.join(folder, file), content)
  write(
    files.migrations,
    `${JSON.stringify(
      migrations.map((migration) => ({ name: migration.name, checksum: checksum(migration) })),
      undefined,
      2
    )}\n`
  )
  write(files.schema, schema)
  write(files.statements, packed(statements))
  fs.writeFileSync(changelogFile, changelog)
  for (const { reason, statement } of refused) console.log(`left out (${reason}): ${statement.slice(0, 160)}`)
  console.log(
    `${version}: ${migrations.length} migrations, ${statements.length} statements of ${logged.length} logged (${refused.length} left out), ${Math.round(schema.length / 1000)} kB of schema`
  )
})
