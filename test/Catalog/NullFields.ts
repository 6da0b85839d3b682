/** Answers of tools, by which it is known of each field whether it ever has a value. */
export interface AnsweredFields {
  readonly add: (tool: string, answer: unknown) => void
  /** Fields that were answered, and never with a value: `tool.field[].field`. */
  readonly alwaysNull: () => ReadonlyArray<string>
  /** Ids that answers have, by their field's name. */
  readonly idsNamed: (field: string) => ReadonlyArray<number | string>
}

/** The last part of a path. */
export const fieldOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1).replaceAll("[]", "")

/**
 * The longest of these entries that ends the path. An entry is a field, or a field after its parents up to the tool, where
 * the same name means different things: `expires_at`, `profile.email`, `update_tax_info.number`.
 */
export const entryOf = (path: string, entries: ReadonlySet<string>): string | undefined => {
  const parts = path.replaceAll("[]", "").split(".")
  return parts.map((_, index) => parts.slice(index).join(".")).find((entry) => entries.has(entry))
}

/** Entries with parents of a field that is also an entry without them. */
export const namesWithBoth = (entries: ReadonlyArray<string>): ReadonlyArray<string> => {
  const alone = new Set(entries.filter((entry) => !entry.includes(".")))
  return entries.filter((entry) => entry.includes(".") && alone.has(fieldOf(entry)))
}

const mostIds = 12

export const makeAnsweredFields = (): AnsweredFields => {
  const hasValue = new Map<string, boolean>()
  const ids = new Map<string, Set<number | string>>()

  const look = (path: string, value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) look(`${path}[]`, item)
      return
    }
    hasValue.set(path, hasValue.get(path) === true || value !== null)
    if (typeof value !== "object" || value === null) return
    for (const [field, part] of Object.entries(value)) {
      look(`${path}.${field}`, part)
      if (!field.endsWith("_id") || (typeof part !== "number" && typeof part !== "string")) continue
      const knownIds = ids.get(field) ?? new Set()
      if (knownIds.size < mostIds) ids.set(field, knownIds.add(part))
    }
  }

  return {
    add: look,
    alwaysNull: () => [...hasValue].flatMap(([path, has]) => (has ? [] : [path])).sort(),
    idsNamed: (field) => [...(ids.get(field) ?? [])]
  }
}
