import { readFileSync } from "node:fs"

/** What a word can mean in a wish. A word may have several roles, and each reader of wishes says which of them it accepts. */
export const roles = [
  "function",
  "polite",
  "chatter",
  "set",
  "change",
  "add",
  "addonly",
  "remove",
  "move",
  "raise",
  "lower",
  "swap",
  "copula",
  "now",
  "negation",
  "anymore",
  "only",
  "limit",
  "keep",
  "touch",
  "rest",
  "because",
  "reasonverb",
  "subject",
  "doing",
  "left",
  "spelled",
  "everywhere",
  "oldmark",
  "valuemark",
  "phone",
  "mobile",
  "landline",
  "number",
  "whatsapp",
  "email",
  "address",
  "moved",
  "hours",
  "openverb",
  "closeverb",
  "closedword",
  "hourswords",
  "contact",
  "link",
  "booking",
  "network",
  "name",
  "called",
  "business",
  "headline",
  "main",
  "subtitle",
  "text",
  "sentence",
  "about",
  "price",
  "button",
  "field",
  "form",
  "ask",
  "section",
  "list",
  "page",
  "picture",
  "item",
  "service",
  "question",
  "answer",
  "quote",
  "person",
  "team",
  "role",
  "client",
  "place",
  "required",
  "optional",
  "order",
  "before",
  "after",
  "beside",
  "top",
  "bottom",
  "both",
  "look",
  "size",
  "unit",
  "per",
  "money",
  "joint",
  "withdraw",
  "interrogative",
  "highlight",
  "undo",
  "steps",
  "story",
  "gallery"
] as const
export type Role = (typeof roles)[number]

interface RoleTable {
  readonly exact: ReadonlyMap<string, ReadonlySet<Role>>
  /** By the beginning of a word, for entries that end in `*`. */
  readonly beginnings: ReadonlyMap<string, ReadonlySet<Role>>
}

const isRole = (name: string): name is Role => roles.some((role) => role === name)

/** Shortest beginning of a word in the table. */
const shortestBeginning = 2

const tableOf = (text: string): RoleTable => {
  const exact = new Map<string, Set<Role>>()
  const beginnings = new Map<string, Set<Role>>()
  for (const line of text.split("\n").slice(1)) {
    const [name = "", ...columns] = line.split("\t")
    if (!isRole(name)) continue
    for (const word of columns.flatMap((column) => column.split(" "))) {
      if (word === "") continue
      const isBeginning = word.endsWith("*")
      const table = isBeginning ? beginnings : exact
      const key = isBeginning ? word.slice(0, -1) : word
      const entry = table.get(key)
      if (entry === undefined) table.set(key, new Set([name]))
      else entry.add(name)
    }
  }
  return { exact, beginnings }
}

let table: RoleTable | undefined
const cached = new Map<string, ReadonlySet<Role>>()
/** The cache is emptied when it holds so many words, since prompts come from strangers. */
const mostCachedWords = 20_000

/** All that a folded word can mean. */
export const rolesOf = (word: string): ReadonlySet<Role> => {
  const entry = cached.get(word)
  if (entry !== undefined) return entry
  table ??= tableOf(readFileSync(new URL("./editWords.tsv", import.meta.url), "utf8"))
  const all = new Set<Role>(table.exact.get(word) ?? [])
  for (let end = shortestBeginning; end <= word.length; end++)
    for (const role of table.beginnings.get(word.slice(0, end)) ?? []) all.add(role)
  if (cached.size >= mostCachedWords) cached.clear()
  cached.set(word, all)
  return all
}

/** Whether a word can mean one of these. */
export const hasRole = (word: string, ...any: ReadonlyArray<Role>): boolean => {
  const all = rolesOf(word)
  return any.some((role) => all.has(role))
}
