import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { migrations } from "../../src/Layers/App.ts"
import { checksum, type Migration } from "../../src/Layers/Platform/Postgres/Migration.ts"
import { keptReleases, versionsIn } from "../support/releases/Releases.ts"

const root = path.resolve(import.meta.dirname, "../..")
const releases = keptReleases()

/** Released steps that are not where they were, or not as they were. */
const changedSteps = (
  released: ReadonlyArray<{ readonly name: string; readonly checksum: string }>,
  present: ReadonlyArray<Migration>
): ReadonlyArray<string> =>
  released.flatMap(({ name, checksum: sum }, at) => {
    const step = present[at]
    return step !== undefined && step.name === name && checksum(step) === sum ? [] : [name]
  })

it("each release of the changelog is kept, and no other", () => {
  const changelog = fs.readFileSync(path.join(root, "CHANGELOG.md"), "utf8")
  assert.deepStrictEqual(
    releases.map(({ version }) => version),
    versionsIn(changelog)
  )
})

it("a step of a release stays as it is, and where it is", () => {
  for (const { migrations: released, version } of releases) {
    const advice = `was ${version} published? If not: npm run release -- ${version} --again`
    assert.deepStrictEqual(changedSteps(released, migrations), [], advice)
  }
})

it("a changed, moved or removed step is found", () => {
  const released = migrations.slice(0, 3).map((step) => ({ name: step.name, checksum: checksum(step) }))
  const [first, second, third] = migrations
  if (first === undefined || second === undefined || third === undefined) assert.fail("no migrations")
  assert.deepStrictEqual(changedSteps(released, [first, { ...second, sql: `${second.sql} ` }, third]), [second.name])
  assert.deepStrictEqual(changedSteps(released, [second, first, third]), [first.name, second.name])
  assert.deepStrictEqual(changedSteps(released, [first, second]), [third.name])
})

it("a step of no release has a number that puts it after all released ones", () => {
  const released = new Set(releases.flatMap(({ migrations: steps }) => steps.map(({ name }) => name)))
  for (const { name, releases: number = 0 } of migrations.filter((step) => !released.has(step.name))) {
    if (releases.length === 0) assert.isAtMost(number, 1, name)
    else assert.strictEqual(number, releases.length + 1, name)
  }
})
