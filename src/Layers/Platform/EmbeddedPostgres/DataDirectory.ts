import { createHash, randomBytes } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Effect } from "effect"
import { type Binaries, temporaryDirectory } from "./Binaries.ts"
import { codeOf, diagnose, type EmbeddedPostgresError, failure } from "./EmbeddedPostgresError.ts"
import { io, ioIfPresent, mayUse, type OsUser, processes, run, serverUser } from "./OperatingSystem.ts"

/** One embedded database on disk: `cluster` (PostgreSQL's own files), `socket`, and the server's log. */
export interface DataDirectory {
  readonly cluster: string
  readonly log: string
  /** The server's name in process lists, by which its processes are recognised. */
  readonly name: string
  readonly user: OsUser
  /** Returns the path to pass as `-D` to a program that starts inside the directory. */
  readonly seenAs: (directory: string) => string
  /** The directory of the Unix socket, created on demand. It does not change while a server runs. */
  readonly socket: Effect.Effect<string, EmbeddedPostgresError>
}

/** The content of `postmaster.pid`. `pid` is NaN if a crash left the file empty or damaged. */
export interface Postmaster {
  readonly pid: number
  readonly isReady: boolean
  readonly socket: string
  readonly text: string
}

const socketFile = ".s.PGSQL.5432"
// sockaddr_un holds 108 bytes on Linux and 104 on macOS, including the final zero.
const longestSocketPath = 103
const longestLog = 8 * 1024 * 1024
const ownEntries = /^(cluster|cluster\.new-.*|socket|server\.log(\.1)?|lost\+found)$/

/**
 * Returns the user that owns the existing cluster. If the gateway once ran as root, its usual user can still open it.
 */
const ownerOf = Effect.fnUntraced(function* (cluster: string) {
  const user = yield* serverUser
  if (user.isSelf) return user
  const stat = yield* ioIfPresent("cannot look at its files", undefined, () => fs.stat(cluster))
  return stat === undefined || stat.uid === 0 ? user : { uid: stat.uid, gid: stat.gid, isSelf: false }
})

/**
 * Creates `directory` if it is missing, and ensures that `user` owns it and no one else can enter it. If everyone can
 * write to its parent (`shared`), a directory that another user created under this name is refused.
 */
const makePrivate = Effect.fnUntraced(function* (directory: string, user: OsUser, shared = false) {
  yield* io(`cannot make ${directory}`, () =>
    fs.mkdir(directory, { mode: 0o700 }).catch((cause: unknown) => {
      if (codeOf(cause) !== "EEXIST") throw cause
    })
  )
  const stat = yield* io(`cannot look at ${directory}`, () => fs.lstat(directory))
  if (!stat.isDirectory()) return yield* failure("invalid_directory", `${directory} is not a directory`)
  if (stat.uid !== user.uid) {
    if (user.isSelf || (shared && stat.uid !== process.geteuid?.())) {
      return yield* failure("permission_denied", `${directory} belongs to another user`)
    }
    yield* io(`cannot give ${directory} to the user of the database`, () => fs.lchown(directory, user.uid, user.gid))
  }
  if ((stat.mode & 0o777) !== 0o700) {
    yield* io(`cannot close ${directory} to others`, () => fs.chmod(directory, 0o700))
  }
})

/** A restored backup belongs to root, but root cannot run the server. */
const adoptFiles = (cluster: string, user: OsUser) =>
  ioIfPresent("cannot give its files to the user of the database", undefined, async () => {
    if (user.isSelf || (await fs.lstat(cluster)).uid !== 0) return
    const files = await fs.readdir(cluster, { recursive: true })
    for (const file of files) await fs.lchown(path.join(cluster, file), user.uid, user.gid)
    await fs.chmod(cluster, 0o700)
    // The directory's owner is changed last, so that an interrupted run starts over.
    await fs.lchown(cluster, user.uid, user.gid)
  })

/** Reads `postmaster.pid`; undefined if the file does not exist. */
export const readPostmaster = ({ cluster }: Pick<DataDirectory, "cluster">) =>
  ioIfPresent("cannot read postmaster.pid", undefined, async (): Promise<Postmaster> => {
    const text = await fs.readFile(path.join(cluster, "postmaster.pid"), "utf8")
    const [pid = "", , , , socket = "", , , status = ""] = text.split("\n")
    return {
      pid: /^\d+$/.test(pid) ? Number(pid) : Number.NaN,
      isReady: status.trim() === "ready",
      socket: path.resolve(cluster, socket),
      text
    }
  })

/** True if the socket that `postmaster` listens on still exists. */
export const hasSocket = ({ socket }: Postmaster) =>
  ioIfPresent("cannot look at the socket", false, () => fs.lstat(path.join(socket, socketFile)).then(() => true))

const socketDirectory = Effect.fnUntraced(function* (root: string, cluster: string, name: string, user: OsUser) {
  const inside = path.join(root, "socket")
  const short = `prospecting-${name}`
  const recorded = (yield* readPostmaster({ cluster }))?.socket
  const fits = Buffer.byteLength(path.join(inside, socketFile)) <= longestSocketPath
  const directory = fits
    ? inside
    : // The running server may have been started with another TMPDIR, so its own socket directory is used.
      recorded !== undefined && path.basename(recorded) === short
      ? recorded
      : path.join(yield* temporaryDirectory(user), short)
  yield* makePrivate(directory, user, !fits)
  return directory
})

/**
 * Prepares `dataDir`, which must contain nothing but the database. Existing files are unchanged, except for their
 * owner.
 */
export const openDataDirectory = Effect.fnUntraced(function* (dataDir: string) {
  const requestedPath = path.resolve(dataDir)
  yield* io(`cannot make ${requestedPath}`, () => fs.mkdir(path.dirname(requestedPath), { recursive: true }))
  const entries = yield* ioIfPresent(`cannot read ${requestedPath}`, Array.of<string>(), () =>
    fs.readdir(requestedPath)
  )
  const foreign = entries.find((entry) => !ownEntries.test(entry))
  if (foreign !== undefined && !entries.includes("cluster")) {
    return yield* failure("invalid_directory", `${requestedPath} holds other files (${foreign})`)
  }
  const user = yield* ownerOf(path.join(requestedPath, "cluster"))
  const link = yield* ioIfPresent(`cannot find ${requestedPath}`, requestedPath, () => fs.realpath(requestedPath))
  yield* makePrivate(link, user)
  const root = yield* io(`cannot find ${requestedPath}`, () => fs.realpath(link))
  const cluster = path.join(root, "cluster")
  yield* adoptFiles(cluster, user)

  const isOpen = user.isSelf || (yield* mayUse(user, root, 7))
  if (!isOpen && process.platform !== "linux") {
    return yield* failure("permission_denied", `the user of the database cannot enter the directories above ${root}`)
  }
  // Identified by its inode, because a bind mount gives one directory several paths, and a copy is a different
  // directory.
  const { dev, ino } = yield* io(`cannot look at ${root}`, () => fs.stat(root))
  const name = createHash("sha256").update(`${dev}:${ino}`).digest("hex").slice(0, 16)
  return {
    cluster,
    name,
    user,
    log: path.join(root, "server.log"),
    // A program that starts inside a directory can reach it even below a closed one, such as /root.
    seenAs: (directory) => (isOpen ? directory : "/proc/self/cwd"),
    socket: socketDirectory(root, cluster, name, user)
  } satisfies DataDirectory
})

// pg_trgm and the text search parser decide by lc_ctype what a letter is. Under plain C they drop accented letters.
const characterTypes = ["C.UTF-8", "en_US.UTF-8", "C"]

const initdb = Effect.fnUntraced(function* (
  directory: DataDirectory,
  binaries: Binaries,
  draft: string,
  sync: boolean
) {
  const attempt = (characterType: string) =>
    run(
      binaries.initdb,
      [
        `--pgdata=${directory.seenAs(draft)}`,
        "--username=gateway",
        "--auth=trust",
        "--encoding=UTF8",
        "--locale=C",
        `--lc-ctype=${characterType}`,
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--no-instructions",
        ...(sync ? [] : ["--no-sync"])
      ],
      { user: directory.user, cwd: draft, timeout: "2 minutes" }
    )
  for (const characterType of characterTypes) {
    const { exitCode, output } = yield* attempt(characterType)
    if (exitCode === 0) return
    if (!/invalid locale name/.test(output)) return yield* diagnose("initdb failed", output)
  }
  return yield* failure("unsupported_platform", "initdb found no locale that it knows")
})

/**
 * Runs `initdb` if there is no cluster yet. It works on a draft that is renamed into place, so a crash leaves no
 * partial cluster. If two processes start at the same time, one of them wins.
 */
export const initialise = Effect.fnUntraced(function* (directory: DataDirectory, binaries: Binaries, sync: boolean) {
  const { cluster, user } = directory
  const entries = yield* ioIfPresent("cannot read its files", [], () => fs.readdir(cluster))
  if (entries.length > 0) return
  const root = path.dirname(cluster)
  yield* io("cannot remove what an earlier initdb left", async () => {
    for (const entry of await fs.readdir(root)) {
      const draft = path.join(root, entry)
      if (!entry.startsWith("cluster.new-")) continue
      // A younger draft may still be in use by another process.
      const stat = await fs.stat(draft).catch(() => undefined)
      if (stat !== undefined && stat.mtimeMs < Date.now() - 600_000)
        await fs.rm(draft, { recursive: true, force: true })
    }
  })
  const draft = yield* io("cannot make the cluster's directory", () => fs.mkdtemp(`${cluster}.new-`))
  yield* Effect.gen(function* () {
    yield* makePrivate(draft, user)
    yield* initdb(directory, binaries, draft, sync)
    yield* io("cannot put the new cluster in place", async () => {
      await fs.rename(draft, cluster).catch((cause: unknown) => {
        if (codeOf(cause) !== "ENOTEMPTY" && codeOf(cause) !== "EEXIST") throw cause
      })
      const handle = await fs.open(root)
      try {
        await handle.sync()
      } finally {
        await handle.close()
      }
    })
  }).pipe(
    Effect.ensuring(
      Effect.promise(() => fs.rm(draft, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined))
    )
  )
})

/** True if `pid` is the main process of this directory's server, not another process that got its number later. */
export const isPostmaster = (directory: DataDirectory, pid: number): Effect.Effect<boolean, EmbeddedPostgresError> =>
  Effect.map(processes, (all) => all.get(pid)?.includes(`cluster_name=${directory.name}`) ?? false)

const isStale = Effect.fnUntraced(function* (directory: DataDirectory, file: string, text: string) {
  const pid = /^\s*-?(\d+)\s/.exec(text)?.[1]
  if (pid !== undefined) {
    const command = (yield* processes).get(Number(pid))
    // PostgreSQL notices that a process is gone, but mistakes any other process with the same number for a server.
    return command !== undefined && !command.includes(`cluster_name=${directory.name}`)
  }
  const stat = yield* ioIfPresent("cannot look at a lock file", undefined, () => fs.stat(file))
  // A starting server writes its number at once, so a file that is still empty later was left by a crash.
  return stat !== undefined && stat.mtimeMs < Date.now() - 2000
})

/** Removes lock files that a crash left, which PostgreSQL would attribute to a running server. */
export const discardStaleLocks = Effect.fnUntraced(function* (directory: DataDirectory, socket: string) {
  for (const file of [path.join(directory.cluster, "postmaster.pid"), path.join(socket, `${socketFile}.lock`)]) {
    const text = yield* ioIfPresent("cannot read a lock file", undefined, () => fs.readFile(file, "utf8"))
    if (text === undefined || !(yield* isStale(directory, file, text))) continue
    const aside = `${file}.${randomBytes(6).toString("hex")}`
    yield* ioIfPresent("cannot remove a stale lock file", undefined, async () => {
      await fs.rename(file, aside)
      // Another process was faster, and the file moved away is the new lock of its server. It is put back.
      if ((await fs.readFile(aside, "utf8")) !== text) await fs.link(aside, file).catch(() => undefined)
      await fs.unlink(aside)
    })
  }
})

/**
 * Ends the remaining processes of a killed postmaster. A busy backend would hold the shared memory until its query
 * ends.
 */
export const endLeftovers = Effect.fnUntraced(function* (directory: DataDirectory) {
  const all = [...(yield* processes)]
  if (all.some(([, command]) => command.includes(`cluster_name=${directory.name}`))) return
  for (const [pid, command] of all) {
    if (!command.startsWith(`postgres: ${directory.name}: `)) continue
    yield* Effect.try(() => process.kill(pid, "SIGKILL")).pipe(Effect.ignore)
  }
})

// The server's user owns the directory, so it could place a link there that leads root elsewhere.
const openOwn = (file: string, flags: number) => fs.open(file, flags | fs.constants.O_NOFOLLOW, 0o600)

/**
 * Sets who may sign in without a password. If the gateway runs as root, the server runs as a user that other programs
 * may share, so only root may sign in, identified by the operating system. Otherwise only the gateway's user can enter
 * the socket's directory.
 */
export const writeAccess = ({ cluster, user }: DataDirectory) =>
  io("cannot say who may sign in", async () => {
    const files = user.isSelf
      ? { "pg_hba.conf": "local all all trust\n" }
      : { "pg_hba.conf": "local all all peer map=gateway\n", "pg_ident.conf": "gateway root gateway\n" }
    for (const [name, text] of Object.entries(files)) {
      const { O_CREAT, O_TRUNC, O_WRONLY } = fs.constants
      const handle = await openOwn(path.join(cluster, name), O_WRONLY | O_CREAT | O_TRUNC)
      try {
        await handle.writeFile(text)
        if (!user.isSelf) await handle.chown(user.uid, user.gid)
      } finally {
        await handle.close()
      }
    }
  })

/** Opens the log for appending while `use` runs. `use` receives the file descriptor and the log's size. */
export const withLog = <A, E>({ log }: DataDirectory, use: (fd: number, size: number) => Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    io("cannot open the server's log", () =>
      openOwn(log, fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_CREAT)
    ),
    (handle) =>
      Effect.flatMap(
        io("cannot look at the server's log", () => handle.stat()),
        ({ size }) => use(handle.fd, size)
      ),
    (handle) => Effect.promise(() => handle.close().catch(() => undefined))
  )

/** Keeps the server's log below 8 MB, plus one older part. The server continues to append to the same file. */
export const boundLog = ({ log }: DataDirectory) =>
  ioIfPresent("cannot bound the server's log", undefined, async () => {
    const handle = await openOwn(log, fs.constants.O_WRONLY)
    try {
      if ((await handle.stat()).size <= longestLog) return
      await fs.rm(`${log}.1`, { force: true })
      await fs.copyFile(log, `${log}.1`, fs.constants.COPYFILE_EXCL)
      await handle.truncate()
    } finally {
      await handle.close()
    }
  })

/** Returns the server's log from byte `offset` on, at most 64 KB. */
export const readLog = ({ log }: DataDirectory, offset: number) =>
  ioIfPresent("cannot read the server's log", "", async () => {
    const handle = await openOwn(log, fs.constants.O_RDONLY)
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(65_536), 0, 65_536, offset)
      return buffer.toString("utf8", 0, bytesRead)
    } finally {
      await handle.close()
    }
  })
