import { readFileSync } from "node:fs"

/**
 * A table of words by what they can mean: a file with a row per role and a column per language, and words between blanks.
 * An entry that ends in `*` holds for all words that begin so.
 */
export interface WordTable<Role extends string> {
  /** All that a folded word can mean. */
  readonly rolesOf: (word: string) => ReadonlySet<Role>
  /** Whether a folded word can mean one of these. */
  readonly canMean: (word: string, ...any: ReadonlyArray<Role>) => boolean
}

interface Entries<Role> {
  readonly exact: ReadonlyMap<string, ReadonlySet<Role>>
  readonly beginnings: ReadonlyMap<string, ReadonlySet<Role>>
  readonly longestBeginning: number
}

/** Shortest beginning of a word in a table. */
const shortestBeginning = 2
/** The cache is emptied when it holds so many words, since prompts come from strangers. */
const mostCachedWords = 20_000

const entriesOf = <Role extends string>(text: string, roles: ReadonlyArray<Role>): Entries<Role> => {
  const exact = new Map<string, Set<Role>>()
  const beginnings = new Map<string, Set<Role>>()
  for (const line of text.split("\n").slice(1)) {
    const [name, ...columns] = line.split("\t")
    const role = roles.find((one) => one === name)
    if (role === undefined) continue
    for (const word of columns.flatMap((column) => column.split(" "))) {
      if (word === "") continue
      const isBeginning = word.endsWith("*")
      const table = isBeginning ? beginnings : exact
      const key = isBeginning ? word.slice(0, -1) : word
      const entry = table.get(key)
      if (entry === undefined) table.set(key, new Set([role]))
      else entry.add(role)
    }
  }
  return { exact, beginnings, longestBeginning: Math.max(0, ...[...beginnings.keys()].map(({ length }) => length)) }
}

/** The table of a file. It is read when the first word is looked up. */
export const wordTable = <Role extends string>(file: URL, roles: ReadonlyArray<Role>): WordTable<Role> => {
  let entries: Entries<Role> | undefined
  const cache = new Map<string, ReadonlySet<Role>>()

  const rolesOf = (word: string): ReadonlySet<Role> => {
    const cached = cache.get(word)
    if (cached !== undefined) return cached
    entries ??= entriesOf(readFileSync(file, "utf8"), roles)
    const all = new Set<Role>(entries.exact.get(word) ?? [])
    const { beginnings, longestBeginning } = entries
    for (let end = shortestBeginning; end <= Math.min(word.length, longestBeginning); end++)
      for (const role of beginnings.get(word.slice(0, end)) ?? []) all.add(role)
    if (cache.size >= mostCachedWords) cache.clear()
    cache.set(word, all)
    return all
  }
  const canMean = (word: string, ...any: ReadonlyArray<Role>): boolean => {
    const all = rolesOf(word)
    return any.some((role) => all.has(role))
  }
  return { rolesOf, canMean }
}
