import { fold } from "../../../Text/PlainText.ts"
import type { Graph } from "../DrawingModel.ts"
import { cut } from "../DrawingText.ts"
import { bareLabel, enumeratedParts, listIn, piecesOf, splitOutside, tokensOf } from "../DrawingWords.ts"

type Edge = Graph["edges"][number]

/** Nodes by their names. A first name refers to the only person who has it. */
export class Tree {
  readonly #labels = new Map<string, string>()
  readonly edges: Array<Edge> = []

  #keyOf(raw: string): { readonly key: string; readonly label: string; readonly isKnown: boolean } {
    const label = cut(bareLabel(raw), 80)
    const name = fold(label.replace(/\s?\([^()]{0,80}\)$/, "")).trim()
    const keys = [...this.#labels.keys()]
    const namesakes = keys.includes(name)
      ? [name]
      : keys.filter((key) => key.startsWith(`${name} `) || name.startsWith(`${key} `))
    const [key = name] = namesakes.length === 1 ? namesakes : []
    return { key, label, isKnown: namesakes.length === 1 }
  }

  has(raw: string): boolean {
    return this.#keyOf(raw).isKnown
  }

  /** The key of the node with this name. It is added if missing. */
  node(raw: string): string {
    const { key, label } = this.#keyOf(raw)
    const before = this.#labels.get(key)
    if (before === undefined || (label.includes("(") && !before.includes("("))) this.#labels.set(key, label)
    return key
  }

  link(from: string, to: string, label = ""): void {
    if (from === to || from === "" || to === "") return
    if (this.edges.some((edge) => edge.from === from && edge.to === to)) return
    this.edges.push({ from, to, label: cut(label, 40) })
  }

  describe(key: string, role: string): void {
    const label = this.#labels.get(key)
    if (label !== undefined && !label.includes("(") && role !== "") this.#labels.set(key, cut(`${label} (${role})`, 80))
  }

  /** The nodes without a parent. */
  get roots(): ReadonlyArray<string> {
    const below = new Set(this.edges.map(({ to }) => to))
    return [...this.#labels.keys()].filter((key) => !below.has(key))
  }

  /** The tree; undefined if a node has two parents or none, or there are too many. */
  graph(direction: Graph["direction"], rootShape: "box" | "round" = "box"): Graph | undefined {
    const below = new Set(this.edges.map(({ to }) => to))
    const { roots } = this
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

/** A tree from indented lines. */
export const indentedTree = (data: string, root: string, direction: Graph["direction"]): Graph | undefined => {
  const lines = data.split("\n").filter((line) => line.trim() !== "")
  const tree = new Tree()
  const above: Array<{ readonly indent: number; readonly key: string }> = []
  const indents = lines.map((line) => (line.replaceAll("\t", "    ").match(/^[\s*•>–-]*/)?.[0] ?? "").length)
  if (lines.length < 3 || new Set(indents).size < 2) return undefined
  const top = root === "" ? undefined : tree.node(root)
  lines.forEach((line, index) => {
    const indent = indents[index] ?? 0
    const key = tree.node(line.replace(/^[\s*•>–-]+/, "").replace(/:\s*$/, ""))
    while ((above.at(-1)?.indent ?? -1) >= indent) above.pop()
    const parent = above.at(-1)?.key ?? top
    if (parent !== undefined) tree.link(parent, key)
    above.push({ indent, key })
  })
  return tree.graph(direction, root === "" ? "box" : "round")
}

const centreFirst =
  /(?:^|[,;.\n]\s*|\s)(?:no centro|no meio|en el centro|en el medio|in the (?:centre|center|middle)|centro|cent(?:re|er)|tema central|central topic)(?:\s(?:est[áa]|is|fica|p[oõ]e|coloca|vai|va))?\s?:?\s(?!(?:and|e|y|with|com|con)\s)["“'«]?([^;:,.\n"”'»]{2,60})["”'»]?(?=[;:,.\n]|$|\s(?:e|and|y|com|with|con)\s)/iu
const centreLast =
  /(?:^|[,;.\n]\s*)["“'«]?([^;:,.\n"”'»]{2,60}?)["”'»]?\s(?:no centro|no meio|en el centro|en el medio|in the (?:centre|center|middle)|as the (?:centre|center)|como centro)(?=[;:,.\n\s]|$)/iu
const branchWords =
  /(?:^|[,;.:\n]\s*|\s)(?:(?:e|and|y)\s)?(?:(?:com |with |con )?(?:os |the |los |las |as )?(?:\p{L}+\s)?(?:ramos|ramas|branches|galhos|t[óo]picos|topics))(?:\s(?:are|s[aã]o|son|for|de|sobre|called))?\s?:?(?=\s)/iu
const below =
  /^(?:under|below|inside|in|within|dentro d[eoa]|embaixo d[eoa]|abaixo d[eoa]|debajo de|bajo|en|em|no|na|de|for|from)\s(.{1,60}?)(?::|,|\s(?:put|add|coloca|p[oõ]e|bota|pon|poner|vai|v[aã]o|van|va|goes?|tem|tiene|hay|h[aá]|have|has|are|is|est[aã]o|est[aá]n)\s)\s?(.+)$/iu
const having = /^(.{1,60}?)\s(?:com|with|con|tem|tiene|has|have|leva|inclui|incluye|includes?)\s(.+)$/iu

interface Branch {
  readonly name: string
  readonly items: ReadonlyArray<string>
  /** Whether the name must already exist. */
  readonly isBelow: boolean
}

const branchOf = (part: string): Branch => {
  const text = part.trim().replace(/^[-*•–]\s+/, "")
  const bracket = /^([^()]{1,80})\(([^()]{1,300})\)\.?$/.exec(text)
  if (bracket !== null)
    return { name: bracket[1] ?? "", items: listIn((bracket[2] ?? "").replace(/\s\/\s|\//g, ", ")), isBelow: false }
  const under = below.exec(text)
  if (under !== null) return { name: under[1] ?? "", items: listIn(under[2] ?? ""), isBelow: true }
  const colon = text.search(/:\s|\s[-–—]\s/)
  if (colon > 0)
    return {
      name: text.slice(0, colon),
      items: listIn(text.slice(colon + 1).replace(/^\s?[-–—]\s/, "")),
      isBelow: false
    }
  const has = having.exec(text)
  if (has !== null) return { name: has[1] ?? "", items: listIn(has[2] ?? ""), isBelow: false }
  return { name: text, items: [], isBelow: false }
}

/** The branches of a sentence: each "name (items)", "name: items" or a bare list of names. */
const branchesIn = (sentence: string): ReadonlyArray<Branch> => {
  const groups = splitOutside(sentence, /;/gu)
  return groups.flatMap((group) => {
    const hasBrackets = /\([^()]{1,300}\)/.test(group)
    const one = hasBrackets ? undefined : branchOf(group)
    if (one !== undefined && one.items.length > 0) return [one]
    return enumeratedParts(group)
      .filter((part) => bareLabel(part) !== "")
      .map((part) => (hasBrackets ? branchOf(part) : { name: part, items: [], isBelow: false }))
  })
}

const cutOut = (text: string, match: RegExpExecArray | null): string =>
  match === null ? text : `${text.slice(0, match.index)}\n${text.slice(match.index + match[0].length)}`

/** A sentence that is only a name. */
const first = /^\s*["“'«]?([^:;,.()\n"”'»]{2,60})["”'»]?\s*(?:[.\n]|(?=,\s(?:ramos|ramas|branches)))/iu

/** Whether the text names its centre. */
export const hasCentre = (text: string): boolean => centreFirst.test(text) || centreLast.test(text)

/** A centre with its branches: "a (b, c), d (e)", "a: b, c; d: e", "under a: b, c", or indented lines. */
export const branchedTree = (data: string, title: string): Graph | undefined => {
  const middle = centreFirst.exec(data) ?? centreLast.exec(data) ?? (title === "" ? first.exec(data) : null)
  const root = bareLabel(middle?.[1] ?? title)
  if (root === "") return undefined
  const named = cutOut(data, middle)
  const rest = cutOut(named, branchWords.exec(named)).replace(/^\s*[,;:.]\s*/gm, "")
  const indented = indentedTree(rest, root, "across")
  if (indented !== undefined) return indented
  const tree = new Tree()
  const top = tree.node(root)
  const sentences = piecesOf(rest, /\n|\.\s|\.$/gu).map((each) => each.text)
  for (const { isBelow, items, name } of sentences.flatMap(branchesIn)) {
    if (bareLabel(name) === "") continue
    if (isBelow && !tree.has(name)) return undefined
    const branch = tree.node(name)
    if (!isBelow || tree.roots.includes(branch)) tree.link(top, branch)
    for (const item of items) tree.link(branch, tree.node(item))
  }
  return hasAllWords(tree, root) ? tree.graph("across", "round") : undefined
}

/** A centre is one thing. If it contains a whole sentence, the text was misread. */
const hasAllWords = (tree: Tree, root: string): boolean => tokensOf(root).length <= 8 && tree.edges.length > 1
