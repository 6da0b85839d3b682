import { createHash } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { type Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { constants, createGunzip, createGzip } from "node:zlib"
import { Effect, Either, Schema } from "effect"
import { type BackupError, backupError, systemError } from "../../Services/Backups/BackupError.ts"
import { BackupManifest, BackupName } from "../../Services/Backups/BackupManifest.ts"

const manifestFile = "manifest.json"
const secretsFile = "secrets.sealed"
const unfinished = ".partial"
/** Files of an interrupted command are removed after this many milliseconds. Younger ones may still be in use. */
const leftoverMillis = 24 * 3_600_000

const ManifestJson = Schema.parseJson(BackupManifest, { space: 2 })

/** Returns the folder in which continuous archiving stores segments of the write-ahead log. */
export const walFolder = (directory: string): string => path.join(directory, "wal")

export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await fs.open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const writeSynced = async (file: string, content: Buffer | string): Promise<void> => {
  const handle = await fs.open(file, "wx", 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const names = (folder: string): Promise<ReadonlyArray<string>> =>
  fs.readdir(folder).catch((cause: unknown) => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return []
    throw cause
  })

const manifestIn = async (directory: string, name: BackupName) => {
  const text = await fs.readFile(path.join(directory, name, manifestFile), "utf8").catch(() => "")
  const manifest = Schema.decodeEither(ManifestJson)(text)
  return Either.isRight(manifest) && manifest.right.name === name ? manifest.right : undefined
}

export interface ListedBackups {
  /** The complete backups, oldest first. */
  readonly whole: ReadonlyArray<BackupManifest>
  /** Folders that have the name of a backup but no readable manifest. */
  readonly damaged: ReadonlyArray<string>
}

/** The complete backups of a folder. An unfinished backup has another name, so it is not listed. */
export const listBackups = (directory: string): Effect.Effect<ListedBackups, BackupError> =>
  Effect.tryPromise({
    try: async () => {
      const backups = (await names(directory)).filter(Schema.is(BackupName)).sort()
      const manifests = await Promise.all(backups.map((name) => manifestIn(directory, name)))
      return {
        whole: manifests.filter((manifest) => manifest !== undefined),
        damaged: backups.filter((_, index) => manifests[index] === undefined)
      }
    },
    catch: systemError("The backups cannot be listed")
  })

/** A complete backup on disk. */
export interface StoredBackup {
  readonly folder: string
  readonly manifest: BackupManifest
  /** The bytes to which the sealed secrets are bound. */
  readonly manifestBytes: Buffer
  readonly secrets: Buffer
}

const sha256Of = async (file: string): Promise<{ readonly bytes: number; readonly sha256: string }> => {
  const hash = createHash("sha256")
  let bytes = 0
  const chunks: AsyncIterable<Buffer> = createReadStream(file)
  for await (const chunk of chunks) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest("hex") }
}

const damaged = (name: string, what: string) =>
  backupError("damaged", `The backup ${name} is damaged: ${what}. Use another one.`)

/** Opens a backup, and checks the size and the checksum of each of its files. */
export const openBackup = (directory: string, name: string): Effect.Effect<StoredBackup, BackupError> =>
  Effect.tryPromise({
    try: async () => {
      const folder = path.join(directory, name)
      const isThere = Schema.is(BackupName)(name) && (await names(directory)).includes(name)
      if (!isThere) throw backupError("backup_not_found", `There is no backup ${name} in ${directory}.`)
      const manifest = await manifestIn(directory, name)
      if (manifest === undefined) throw damaged(name, "its manifest is missing or cannot be read")
      for (const { bytes, name: file, sha256 } of manifest.files) {
        const present = await sha256Of(path.join(folder, file)).catch(() => undefined)
        if (present === undefined) throw damaged(name, `${file} is missing`)
        if (present.bytes !== bytes || present.sha256 !== sha256) throw damaged(name, `${file} was changed`)
      }
      const manifestBytes = await fs.readFile(path.join(folder, manifestFile))
      return { folder, manifest, manifestBytes, secrets: await fs.readFile(path.join(folder, secretsFile)) }
    },
    catch: systemError("The backup cannot be read")
  })

/** The name, size and checksum of a file in a backup. */
export type StoredFile = BackupManifest["files"][number]

/** Writes a stream to a new file of the folder, compressed by default. The file is on disk when it returns. */
export const storeFile = async (
  folder: string,
  name: string,
  source: Readable,
  compressed: boolean
): Promise<StoredFile> => {
  const hash = createHash("sha256")
  let bytes = 0
  const meter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    }
  })
  const file = path.join(folder, name)
  const sink = createWriteStream(file, { flags: "wx", mode: 0o600, flush: true })
  const gzip = createGzip({ level: constants.Z_BEST_SPEED })
  await (compressed ? pipeline(source, gzip, meter, sink) : pipeline(source, meter, sink))
  return { name, bytes, sha256: hash.digest("hex") }
}

/** The content of a compressed file. */
export const unzipped = (file: string): Readable => {
  const source = createReadStream(file)
  const gunzip = createGunzip()
  source.once("error", (error) => gunzip.destroy(error))
  return source.pipe(gunzip)
}

/** Decompresses a file to a new file. */
export const unzipTo = (file: string, target: string): Promise<void> =>
  pipeline(createReadStream(file), createGunzip(), createWriteStream(target, { flags: "wx", mode: 0o600 }))

/** Checksum and size of a file that another program wrote, once it is on disk. */
export const storedFile = async (folder: string, name: string): Promise<StoredFile> => {
  const handle = await fs.open(path.join(folder, name), "r+")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { name, ...(await sha256Of(path.join(folder, name))) }
}

const removeLeftovers = async (directory: string, nowMillis: number): Promise<void> => {
  for (const name of await names(directory)) {
    if (!name.endsWith(unfinished)) continue
    const folder = path.join(directory, name)
    const stat = await fs.stat(folder).catch(() => undefined)
    if (stat !== undefined && stat.mtimeMs < nowMillis - leftoverMillis) {
      await fs.rm(folder, { recursive: true, force: true })
    }
  }
}

/** A new folder for unfinished work. It is removed with the scope, unless it was renamed. */
export const makeDraft = (directory: string, name: string, nowMillis: number) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        await fs.mkdir(directory, { recursive: true, mode: 0o700 })
        await removeLeftovers(directory, nowMillis)
        const draft = path.join(directory, `${name}${unfinished}`)
        await fs.mkdir(draft, { mode: 0o700 })
        return draft
      },
      catch: systemError(`${directory} cannot be used`)
    }),
    (draft) =>
      Effect.promise(() => fs.rm(draft, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined))
  )

/** The bytes of a manifest, as they are stored. */
export const manifestBytesOf = (manifest: BackupManifest): Buffer =>
  Buffer.from(`${Schema.encodeSync(ManifestJson)(manifest)}\n`)

/** Completes a backup. Before its last step, the folder has no name that `listBackups` accepts. */
export const finishBackup = (directory: string, draft: string, name: BackupName, manifest: Buffer, secrets: Buffer) =>
  Effect.tryPromise({
    try: async () => {
      await writeSynced(path.join(draft, secretsFile), secrets)
      await writeSynced(path.join(draft, manifestFile), manifest)
      await syncFolder(draft)
      await fs.rename(draft, path.join(directory, name))
      await syncFolder(directory)
    },
    catch: systemError("The backup cannot be completed")
  })

/** Removes a backup. It is renamed first, so that an interrupted removal does not leave an incomplete backup. */
export const removeBackup = (directory: string, name: BackupName) =>
  Effect.tryPromise({
    try: async () => {
      const aside = path.join(directory, `${name}.removed${unfinished}`)
      // A folder with this name was left by an interrupted removal. It is removed first.
      await fs.rm(aside, { recursive: true, force: true })
      await fs.rename(path.join(directory, name), aside)
      await fs.rm(aside, { recursive: true, force: true })
    },
    catch: systemError(`The backup ${name} cannot be removed`)
  })

/** The files that continuous archiving has stored. */
export const archivedFiles = (directory: string) =>
  Effect.tryPromise({
    try: () => names(walFolder(directory)),
    catch: systemError("The archive of the write-ahead log cannot be read")
  })

export const removeArchived = (directory: string, files: ReadonlyArray<string>) =>
  Effect.tryPromise({
    try: async () => {
      for (const file of files) await fs.rm(path.join(walFolder(directory), file), { force: true })
    },
    catch: systemError("Old segments of the write-ahead log cannot be removed")
  })
