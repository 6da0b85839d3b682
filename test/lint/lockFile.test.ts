import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"

const root = path.resolve(import.meta.dirname, "../..")
const textOf = (file: string): string => fs.readFileSync(path.join(root, file), "utf8")

const Names = Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Unknown }), { default: () => ({}) })
const LockFile = Schema.parseJson(
  Schema.Struct({
    packages: Schema.Record({
      key: Schema.String,
      value: Schema.Struct({
        dev: Schema.optional(Schema.Boolean),
        devOptional: Schema.optional(Schema.Boolean),
        link: Schema.optional(Schema.Boolean),
        dependencies: Names,
        optionalDependencies: Names,
        peerDependencies: Names,
        peerDependenciesMeta: Schema.optionalWith(
          Schema.Record({ key: Schema.String, value: Schema.Struct({ optional: Schema.optional(Schema.Boolean) }) }),
          { default: () => ({}) }
        ),
        workspaces: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] })
      })
    })
  })
)
const { packages } = Schema.decodeUnknownSync(LockFile)(textOf("package-lock.json"))

const gateway = packages[""] ?? assert.fail("The lock file has no root.")
const workspaces = gateway.workspaces

/** Where Node finds a package that another one imports: in the nearest folder upwards. */
const placeOf = (from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
    const place = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[place] !== undefined) return place
    if (folder === "") return undefined
  }
}

/** All packages that the gateway's own dependencies need. */
const neededByGateway = (): ReadonlySet<string> => {
  const needed = new Set<string>()
  const visit = (place: string): void => {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[place] ?? gateway
    const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
    for (const name of [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers]) {
      const location = placeOf(place, name)
      if (location === undefined || needed.has(location)) continue
      needed.add(location)
      visit(location)
    }
  }
  visit("")
  return needed
}

/** npm also keeps an optional peer of a production package if the developers' packages bring it. */
const optionalPeers = ["node_modules/typescript"]

it("npm ci --omit=dev installs the packages of the gateway, and no others", () => {
  const isWorkspace = (place: string): boolean => workspaces.includes(place) || packages[place]?.link === true
  const installed = Object.entries(packages).flatMap(([place, { dev }]) =>
    place === "" || dev === true || isWorkspace(place) ? [] : [place]
  )
  const needed = neededByGateway()
  assert.isAbove(needed.size, 100)
  assert.deepStrictEqual(
    installed.filter((place) => !needed.has(place)),
    optionalPeers
  )
  assert.deepStrictEqual(
    [...needed].filter((place) => !installed.includes(place)),
    []
  )
})

it("workspaces bring no packages to the gateway", () => {
  assert.includeMembers([...workspaces], ["clients/typescript", "clients/pgw", "clients/site"])
  for (const workspace of workspaces) {
    const manifest: unknown = JSON.parse(textOf(`${workspace}/package.json`))
    assert.notProperty(manifest, "dependencies", workspace)
  }
})

it("each workspace has its place in the check for dead code, and its types are checked", () => {
  const knip: unknown = JSON.parse(textOf("knip.json"))
  const includeOf = (file: string): ReadonlyArray<string> =>
    Schema.decodeUnknownSync(Schema.parseJson(Schema.Struct({ include: Schema.Array(Schema.String) })))(textOf(file))
      .include
  const include = includeOf("clients/tsconfig.json")
  for (const workspace of workspaces) {
    assert.property(knip, "workspaces")
    assert.nestedProperty(knip, `workspaces.${workspace.replaceAll(".", "\\.")}`)
    if (workspace === "console") {
      assert.include(includeOf("console/tsconfig.json"), "src")
      continue
    }
    const folder = path.posix.relative("clients", workspace)
    assert.isTrue(
      include.some((pattern) => pattern.startsWith(`${folder}/`)),
      workspace
    )
  }
})
