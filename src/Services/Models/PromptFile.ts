import { readFileSync } from "node:fs"

/** A parsed prompt file: the text below each `# heading`. */
export interface PromptFile {
  /**
   * The section with its `{{slots}}` filled in. Values are inserted unchanged, so slots in a value stay text. Throws if
   * a section or slot is missing or unknown, because that is a mistake in the code.
   */
  readonly section: (heading: string, values: { readonly [slot: string]: string }) => string
  readonly headings: ReadonlyArray<string>
  readonly slotsOf: (heading: string) => ReadonlyArray<string>
}

const slot = /\{\{([a-z_]+)\}\}/g

export const parsePromptFile = (text: string): PromptFile => {
  const sections = new Map<string, string>()
  for (const part of text.split(/^# /m).slice(1)) {
    const end = part.indexOf("\n")
    sections.set(part.slice(0, end).trim(), part.slice(end + 1).trim())
  }
  const slots = new Map<string, ReadonlySet<string>>()
  const sectionText = (heading: string): string => {
    const found = sections.get(heading)
    if (found === undefined) throw new Error(`The prompt file has no section "${heading}".`)
    return found
  }
  const slotsIn = (heading: string): ReadonlySet<string> => {
    const known = slots.get(heading)
    if (known !== undefined) return known
    const found = new Set([...sectionText(heading).matchAll(slot)].map((match) => match[1] ?? ""))
    slots.set(heading, found)
    return found
  }
  const slotsOf = (heading: string) => [...slotsIn(heading)]
  return {
    headings: [...sections.keys()],
    slotsOf,
    section: (heading, values) => {
      const known = slotsIn(heading)
      const unknown = Object.keys(values).filter((name) => !known.has(name))
      if (unknown.length > 0) throw new Error(`Section "${heading}" has no slot "${unknown.join(", ")}".`)
      return sectionText(heading).replace(slot, (_, name: string) => {
        const value = values[name]
        if (value === undefined) throw new Error(`Section "${heading}" needs a value for "${name}".`)
        return value
      })
    }
  }
}

/** Reads a prompt file once, when its module is loaded. */
export const loadPromptFile = (file: URL): PromptFile => parsePromptFile(readFileSync(file, "utf8"))
