import { createReadStream } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { basename, join } from "node:path"
import type { Readable } from "node:stream"
import { Effect } from "effect"
import yauzl from "yauzl"
import { type Refused, refused } from "../../Errors.ts"
import { type CnpjFileKind, kindOfFile } from "../../Services/Companies/CnpjRows.ts"

/** A published file in the operator's folder, zipped or unpacked. */
export interface CnpjFile {
  readonly path: string
  readonly name: string
  readonly kind: CnpjFileKind
  readonly bytes: number
}

const order: ReadonlyArray<CnpjFileKind> = ["Municipios", "Empresas", "Socios", "Estabelecimentos"]

/** The files of a folder that are loaded, in load order. Other files are ignored. */
export const filesIn = (folder: string): Effect.Effect<ReadonlyArray<CnpjFile>, Refused> =>
  Effect.tryPromise({
    try: async () => {
      const names = await readdir(folder)
      const files = await Promise.all(
        names.map(async (name) => {
          const kind = kindOfFile(name)
          const path = join(folder, name)
          const { isFile, size } = await stat(path).then((files) => ({ isFile: files.isFile(), size: files.size }))
          return kind === undefined || !isFile ? [] : [{ path, name, kind, bytes: size }]
        })
      )
      return files
        .flat()
        .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (a.name < b.name ? -1 : 1))
    },
    catch: () =>
      refused("no_such_folder", "The folder cannot be read.", "Name a folder with the published files of one month.")
  }).pipe(
    Effect.filterOrFail(
      (files) =>
        (["Municipios", "Empresas", "Estabelecimentos"] as const).every((kind) =>
          files.some((file) => file.kind === kind)
        ),
      () =>
        refused(
          "files_missing",
          "The folder does not have the files of a month.",
          "It needs the published files Municipios, Empresas and Estabelecimentos, all parts of each; Socios has the people who represent companies. Zipped or unpacked."
        )
    )
  )

/** The only file in an archive, as a stream of bytes. */
const unzipped = (path: string): Promise<Readable> =>
  new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: true }, (error, archive) => {
      if (error !== null) return reject(error)
      archive.on("error", reject)
      archive.on("end", () => reject(new Error(`${basename(path)} has no file in it.`)))
      archive.on("entry", (entry: yauzl.Entry) => {
        if (entry.fileName.endsWith("/")) return archive.readEntry()
        archive.openReadStream(entry, (failed, stream) => (failed === null ? resolve(stream) : reject(failed)))
      })
      archive.readEntry()
    })
  })

/** The longest line in bytes. It is longer than any row, so a longer line means that the file is a different one. */
const longestLine = 1 << 16

/**
 * Reads the lines of a file, some thousand at a time. NUL characters, which the published files contain, are removed,
 * because PostgreSQL text cannot contain them.
 */
export const linesOf = async function* ({ name, path }: CnpjFile): AsyncGenerator<ReadonlyArray<string>> {
  const source = path.toLowerCase().endsWith(".zip")
    ? await unzipped(path)
    : createReadStream(path, { highWaterMark: 1 << 18 })
  let carry = ""
  for await (const chunk of source) {
    if (!Buffer.isBuffer(chunk)) throw new Error("A file is read as bytes.")
    const text = carry + chunk.toString("latin1")
    const content = text.includes("\0") ? text.replaceAll("\0", "") : text
    // The regular expression takes three times as long.
    const lines = content.split(content.includes("\r") ? /\r?\n/ : "\n")
    carry = lines.pop() ?? ""
    if (carry.length > longestLine) throw new Error(`${name} has a line of over ${longestLine} characters.`)
    yield lines
  }
  if (carry !== "") yield [carry]
}
