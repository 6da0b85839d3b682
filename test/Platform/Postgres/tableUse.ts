import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const layers = fileURLToPath(new URL("../../../src/Layers", import.meta.url))

export interface SourceFile {
  /** Its folder in `src/Layers`. */
  readonly room: string
  readonly name: string
  readonly text: string
}

/** All of `src/Layers` except `App.ts`. */
export const sources: ReadonlyArray<SourceFile> = fs
  .readdirSync(layers, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && name.includes(path.sep))
  .map((name) => ({
    room: name.split(path.sep)[0] ?? "",
    name: path.basename(name),
    text: fs.readFileSync(path.join(layers, name), "utf8")
  }))

/** The room that makes each table. */
export const ownersOf = (files: ReadonlyArray<SourceFile>): ReadonlyMap<string, string> =>
  new Map(
    files
      .filter(({ name }) => /Migrations?\.ts$/.test(name))
      .flatMap(({ room, text }) =>
        [...text.matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/g)].map(
          ([, table = ""]) => [table, room] as const
        )
      )
  )

/** `room table` for each table that a room uses by one of the patterns and another room owns. */
const foreignUse = (files: ReadonlyArray<SourceFile>, patterns: (file: SourceFile) => ReadonlyArray<RegExp>) => {
  const owners = ownersOf(files)
  const uses = new Set<string>()
  for (const file of files) {
    for (const pattern of patterns(file)) {
      for (const [, table = ""] of file.text.matchAll(pattern)) {
        const owner = owners.get(table)
        if (owner !== undefined && owner !== file.room) uses.add(`${file.room} ${table}`)
      }
    }
  }
  return [...uses].sort()
}

const isMigration = (name: string): boolean => /Migrations?\.ts$/.test(name)

const writing = /\b(?:insert into|update|delete from|merge into|truncate(?: table)?)\s+(?:only\s+)?(\w+)/g

/**
 * Tables that a room writes and another one owns. Erasures name a table by a string. A migration may once move rows
 * into another room's table.
 */
export const foreignWrites = (files: ReadonlyArray<SourceFile>) =>
  foreignUse(files, ({ name }) => {
    if (isMigration(name)) return []
    return name === "PersonalData.ts" ? [writing, /\btable: "(\w+)"/g] : [writing]
  })

/** Tables that a room reads and another one owns. */
export const foreignReads = (files: ReadonlyArray<SourceFile>) =>
  foreignUse(files, ({ name }) => (isMigration(name) ? [] : [/(?<!\bdelete )\b(?:from|join|using)\s+(\w+)/g]))
