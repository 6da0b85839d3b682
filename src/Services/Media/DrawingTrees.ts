import { fold } from "../Text/PlainText.ts"
import type { Graph } from "./DrawingModel.ts"
import { cut } from "./DrawingText.ts"
import { bareLabel, listIn, splitOutside } from "./DrawingWords.ts"

type Edge = Graph["edges"][number]

/** Nodes by what they are called; a first name finds the one person who has it. */
export class Tree {
  readonly #labels = new Map<string, string>()
  readonly edges: Array<Edge> = []

  /** The key of the node that is called that, which is added where there is none. */
  node(raw: string): string {
    const label = cut(bareLabel(raw), 80)
    const name = fold(label.replace(/\s?\([^()]{0,80}\)$/, "")).trim()
    const namesakes = [...this.#labels.keys()].filter((key) => key === name || key.startsWith(`${name} `))
    const [key = name] = namesakes.length === 1 ? namesakes : []
    const before = this.#labels.get(key)
    if (before === undefined || (label.includes("(") && !before.includes("("))) this.#labels.set(key, label)
    return key
  }

  link(from: string, to: string, label = ""): void {
    if (from !== to && from !== "" && to !== "") this.edges.push({ from, to, label: cut(label, 40) })
  }

  describe(key: string, role: string): void {
    const label = this.#labels.get(key)
    if (label !== undefined && !label.includes("(") && role !== "") this.#labels.set(key, cut(`${label} (${role})`, 80))
  }

  /** The tree; undefined where a node has two above it, hangs nowhere, or there are too many. */
  graph(direction: Graph["direction"], rootShape: "box" | "round" = "box"): Graph | undefined {
    const below = new Set(this.edges.map(({ to }) => to))
    const roots = [...this.#labels.keys()].filter((key) => !below.has(key))
    if (this.#labels.size < 2 || this.#labels.size > 60 || this.edges.length !== below.size) return undefined
    if (roots.length !== 1 || this.#labels.has("")) return undefined
    return {
      kind: "graph",
      direction,
      nodes: [...this.#labels].map(([id, label]) => ({ id, label, shape: id === roots[0] ? rootShape : "box" })),
      edges: this.edges
    }
  }
}

/** Lines whose indentation says what is below what. */
export const indentedTree = (data: string, root: string, direction: Graph["direction"]): Graph | undefined => {
  const lines = data.split("\n").filter((line) => line.trim() !== "")
  const tree = new Tree()
  const above: Array<{ readonly indent: number; readonly key: string }> = []
  const indents = lines.map((line) => (line.replaceAll("\t", "    ").match(/^[\s*•–-]*/)?.[0] ?? "").length)
  if (lines.length < 3 || new Set(indents).size < 2) return undefined
  const top = root === "" ? undefined : tree.node(root)
  lines.forEach((line, index) => {
    const indent = indents[index] ?? 0
    const key = tree.node(line.replace(/^[\s*•–-]+/, ""))
    while ((above.at(-1)?.indent ?? -1) >= indent) above.pop()
    const parent = above.at(-1)?.key ?? top
    if (parent !== undefined) tree.link(parent, key)
    above.push({ indent, key })
  })
  return tree.graph(direction)
}

const upwards =
  /\s(?:reports? to|answers? to|works? for|responde[mn]? (?:a|ao|à|al|para)|se reportan? a|(?:se )?reportam? (?:ao?|à|para)|depende[mn]? d(?:e|o|a|el)|trabalha[mn]? para)\s(?:the |o |a |el |la )?/iu
const downwards =
  /^(?:de|d[oa]|under|abaixo d[eoa]|debaixo de|bajo|a cargo de)\s(.{1,60}?)\s(?:depende[mn]?|are|is|est[áa]o?n?|responde[mn]?|vienen|come|ficam)\s(.+)$/iu
const leading =
  /^(.{1,60}?)\s(?:manages|leads|heads|supervises|lidera|gerencia|coordena|coordina|supervisa|supervisiona|dirige|chefia)\s(.+)$/iu
const naming = /^(.{1,60}?)\s(?:is|é|es)\s(?:the |our |an? |o |a |el |la |nosso |nossa )?(.{2,50})$/iu
const everything = /^(?:todo|tudo|everything|everyone|todos|a empresa|la empresa|the company|the team)$/iu
const pronoun = /^(?:ele|ela|él|ella|el|him|her|them|he|she|dele|dela)$/iu

/** Sentences on who is above whom, each read into a tree. */
class Reports {
  readonly tree = new Tree()
  /** Whom a pronoun means. */
  #last = ""

  #person(raw: string): string {
    return pronoun.test(bareLabel(raw)) || bareLabel(raw) === "" ? this.#last : this.tree.node(raw)
  }

  #below(above: string, list: string): void {
    const at = list.indexOf(":")
    const role = at > 0 ? bareLabel(list.slice(0, at)) : ""
    for (const name of listIn(at > 0 ? list.slice(at + 1) : list)) this.tree.link(above, this.tree.node(name), role)
    this.#last = above
  }

  /** "Mark, Tom reports to": the first of several names ends a sentence, the others begin the next. */
  #upwards(parts: ReadonlyArray<string>): boolean {
    let subjects = listIn(parts[0] ?? "")
    for (const part of parts.slice(1)) {
      const [name = "", ...rest] = splitOutside(part, /,\s|\s(?:e|and|y)\s/u)
      const above = this.#person(name)
      for (const subject of subjects) this.tree.link(above, this.tree.node(subject))
      this.#last = above
      subjects = rest.map(bareLabel).filter((each) => each !== "")
    }
    return subjects.length === 0
  }

  /** Whether the sentence says who is above whom, or which role a person has. */
  read(sentence: string): boolean {
    const parts = sentence.split(upwards)
    if (parts.length > 1) return this.#upwards(parts)
    const down = downwards.exec(sentence)
    if (down !== null) {
      this.#below(this.#person(down[1] ?? ""), down[2] ?? "")
      return true
    }
    const lead = leading.exec(sentence)
    if (lead !== null) {
      this.#last = this.#person(lead[1] ?? "")
      if (!everything.test(bareLabel(lead[2] ?? ""))) this.#below(this.#last, lead[2] ?? "")
      return true
    }
    const named = naming.exec(sentence)
    if (named === null) return false
    this.#last = this.tree.node(named[1] ?? "")
    this.tree.describe(this.#last, bareLabel(named[2] ?? ""))
    return true
  }
}

/** "A reports to B", "De B dependen A y C", "A leads B and C", in sentences. */
export const reportedTree = (data: string): Graph | undefined => {
  const reports = new Reports()
  const sentences = splitOutside(data, /;|\n|\.\s|\.$/u)
    .map((each) => each.trim())
    .filter((each) => each !== "")
  return sentences.every((sentence) => reports.read(sentence)) ? reports.tree.graph("down") : undefined
}

const centre =
  /(?:^|[,;]\s?)(?:no centro|en el centro|in the (?:centre|center|middle)|centro|cent(?:re|er))\s?(?:est[áa] |is )?:?\s([^;:,]{2,60})[;,:]?/iu
const branchWords = /(?:^|[,;]\s?)\s?(?:ramos|ramas|branches|t[óo]picos|topics|temas)\s?:/iu

/** A centre with its branches: "a (b, c), d (e)", "a: b, c; d: e", or indented lines. */
export const branchedTree = (data: string, title: string): Graph | undefined => {
  const middle = centre.exec(data)
  const root = bareLabel(middle?.[1] ?? title)
  if (root === "") return undefined
  const rest = (
    middle === null ? data : `${data.slice(0, middle.index)} ${data.slice(middle.index + middle[0].length)}`
  ).replace(branchWords, "")
  const indented = indentedTree(rest, root, "across")
  if (indented !== undefined) return indented
  const tree = new Tree()
  const top = tree.node(root)
  const isLabelled = /:\s/.test(rest)
  for (const part of isLabelled ? splitOutside(rest, /[;\n]|\.\s/u) : listIn(rest)) {
    const bracket = /^([^()]{1,80})\(([^()]{1,300})\)$/.exec(part.trim())
    const colon = part.indexOf(":")
    const [name, items] =
      bracket !== null
        ? [bracket[1] ?? "", bracket[2] ?? ""]
        : isLabelled && colon > 0
          ? [part.slice(0, colon), part.slice(colon + 1)]
          : [part, ""]
    if (bareLabel(name) === "") continue
    const branch = tree.node(name)
    tree.link(top, branch)
    for (const item of listIn(items)) tree.link(branch, tree.node(item))
  }
  return tree.graph("across", "round")
}
