import { stripVTControlCharacters } from "node:util"
import { CliConfig, CommandDescriptor, HelpDoc, Usage } from "@effect/cli"
import { Predicate } from "effect"

type Descriptor = CommandDescriptor.Command<unknown>

const plain = (doc: HelpDoc.HelpDoc): string => stripVTControlCharacters(HelpDoc.toAnsiText(doc)).trim()

/** What the library says of a value's type and of its being optional stands in the line of usage already. */
const saidTwice =
  /^(?:A user-defined piece of text\.|An integer\.|A true or false value\.|One of the following: .*|This setting is optional\.)$/

const paragraphs = (doc: HelpDoc.HelpDoc): ReadonlyArray<string> =>
  plain(doc)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !saidTwice.test(line))

/** The library adds these to every command. */
const ofEveryCommand = /^(?:--completions|--log-level|--wizard|--version|\(?-h)\b/

interface Described {
  readonly text: ReadonlyArray<string>
  readonly options: ReadonlyArray<readonly [name: string, text: string]>
}

/** The command's own description and what each of its options is for. */
const described = (doc: HelpDoc.HelpDoc): Described => {
  if (HelpDoc.isSequence(doc)) {
    const [left, right] = [described(doc.left), described(doc.right)]
    return { text: [...left.text, ...right.text], options: [...left.options, ...right.options] }
  }
  if (HelpDoc.isDescriptionList(doc)) {
    const options = doc.definitions.map(([name, text]) => [plain(HelpDoc.p(name)), paragraphs(text).join(" ")] as const)
    return { text: [], options }
  }
  return HelpDoc.isParagraph(doc) ? { text: paragraphs(doc), options: [] } : { text: [], options: [] }
}

interface Found {
  /** With the program's name. */
  readonly path: ReadonlyArray<string>
  readonly descriptor: Descriptor
}

const isDescriptor = (value: unknown): value is Descriptor => Predicate.hasProperty(value, CommandDescriptor.TypeId)

/** The library's own list of subcommands forgets what is below them, so its nodes are walked; its version is pinned. */
const childrenOf = (node: unknown): ReadonlyArray<Descriptor> => {
  if (Predicate.hasProperty(node, "command")) return childrenOf(node.command)
  return Predicate.hasProperty(node, "children") && Array.isArray(node.children)
    ? node.children.filter(isDescriptor)
    : []
}

/** Its subcommands, where it has any. */
const below = ({ descriptor, path }: Found): ReadonlyArray<Found> =>
  childrenOf(descriptor).flatMap((child) =>
    [...CommandDescriptor.getNames(child)].map((name) => ({ path: [...path, name], descriptor: child }))
  )

const leaves = (found: Found): ReadonlyArray<Found> => {
  const children = below(found)
  return children.length === 0 ? [found] : children.flatMap(leaves)
}

const usageOf = ({ descriptor, path }: Found): string => {
  const [, ...options] = plain(Usage.getHelp(CommandDescriptor.getUsage(descriptor))).split(" ")
  return [...path, ...options].join(" ")
}

const descriptionOf = ({ descriptor }: Found): Described =>
  described(CommandDescriptor.getHelp(descriptor, CliConfig.defaultConfig))

/** The command that arguments name, as far as they name one. */
const named = (root: Found, args: ReadonlyArray<string>): Found => {
  const [next, ...rest] = args
  const child = below(root).find(({ path }) => path.at(-1) === next)
  return child === undefined ? root : named(child, rest)
}

const leafPage = (leaf: Found): string => {
  const { options, text } = descriptionOf(leaf)
  const own = options.filter(([option]) => !ofEveryCommand.test(option))
  const width = Math.max(0, ...own.map(([option]) => option.length))
  const lines = own.map(([option, what]) => `  ${option.padEnd(width)}  ${what}`.trimEnd())
  return [usageOf(leaf), "", ...text, ...(lines.length === 0 ? [] : ["", ...lines])].join("\n")
}

/**
 * The whole command that the arguments name, with its options; of a group each of its commands. The library's own page
 * begins at the last word of a command.
 */
export const commandHelp = (program: string, descriptor: Descriptor, args: ReadonlyArray<string>): string => {
  const found = named({ path: [program], descriptor }, args)
  if (below(found).length === 0) return leafPage(found)
  return leaves(found)
    .map((leaf) => `${usageOf(leaf)}\n    ${descriptionOf(leaf).text.join(" ")}`)
    .join("\n\n")
}

/** Whether the arguments ask for help: they say so, or name a group alone. */
export const asksForHelp = (descriptor: Descriptor, args: ReadonlyArray<string>): boolean => {
  if (args.some((arg) => arg === "--help" || arg === "-h")) return true
  if (args.some((arg) => arg.startsWith("-"))) return false
  const found = named({ path: [""], descriptor }, args)
  return found.path.length === args.length + 1 && below(found).length > 0
}
