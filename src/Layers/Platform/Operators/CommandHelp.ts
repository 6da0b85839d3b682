import { stripVTControlCharacters } from "node:util"
import { CliConfig, CommandDescriptor, HelpDoc, Usage } from "@effect/cli"
import { Predicate } from "effect"

type Descriptor = CommandDescriptor.Command<unknown>

const plain = (doc: HelpDoc.HelpDoc): string => stripVTControlCharacters(HelpDoc.toAnsiText(doc)).trim()

/**
 * Texts that the library adds about a value's type. The help leaves them out, because the usage line shows the type.
 */
const repeatsUsage =
  /^(?:A user-defined piece of text\.|An integer\.|A true or false value\.|One of the following: .*|This setting is optional\.)$/

const paragraphs = (doc: HelpDoc.HelpDoc): ReadonlyArray<string> =>
  plain(doc)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !repeatsUsage.test(line))

/** Matches the options that the library adds to every command. */
const ofEveryCommand = /^(?:--completions|--log-level|--wizard|--version|\(?-h)\b/

interface Described {
  readonly text: ReadonlyArray<string>
  readonly options: ReadonlyArray<readonly [name: string, text: string]>
}

/** Returns the command's description, and the name and purpose of each of its options. */
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

interface CommandAt {
  /** The program's name, followed by the names of the commands down to this one. */
  readonly path: ReadonlyArray<string>
  readonly descriptor: Descriptor
}

const isDescriptor = (value: unknown): value is Descriptor => Predicate.hasProperty(value, CommandDescriptor.TypeId)

/**
 * The library's own list of subcommands leaves out their subcommands, so this walks its internal nodes. Its version is
 * pinned.
 */
const childrenOf = (node: unknown): ReadonlyArray<Descriptor> => {
  if (Predicate.hasProperty(node, "command")) return childrenOf(node.command)
  return Predicate.hasProperty(node, "children") && Array.isArray(node.children)
    ? node.children.filter(isDescriptor)
    : []
}

/** The command's subcommands; empty if it has none. */
const below = ({ descriptor, path }: CommandAt): ReadonlyArray<CommandAt> =>
  childrenOf(descriptor).flatMap((child) =>
    [...CommandDescriptor.getNames(child)].map((name) => ({ path: [...path, name], descriptor: child }))
  )

const leaves = (command: CommandAt): ReadonlyArray<CommandAt> => {
  const children = below(command)
  return children.length === 0 ? [command] : children.flatMap(leaves)
}

const usageOf = ({ descriptor, path }: CommandAt): string => {
  const [, ...options] = plain(Usage.getHelp(CommandDescriptor.getUsage(descriptor))).split(" ")
  return [...path, ...options].join(" ")
}

const descriptionOf = ({ descriptor }: CommandAt): Described =>
  described(CommandDescriptor.getHelp(descriptor, CliConfig.defaultConfig))

/** Returns the deepest command that the arguments name. */
const named = (root: CommandAt, args: ReadonlyArray<string>): CommandAt => {
  const [next, ...rest] = args
  const child = below(root).find(({ path }) => path.at(-1) === next)
  return child === undefined ? root : named(child, rest)
}

const leafPage = (leaf: CommandAt): string => {
  const { options, text } = descriptionOf(leaf)
  const commandOptions = options.filter(([option]) => !ofEveryCommand.test(option))
  const width = Math.max(0, ...commandOptions.map(([option]) => option.length))
  const lines = commandOptions.map(([option, what]) => `  ${option.padEnd(width)}  ${what}`.trimEnd())
  return [usageOf(leaf), "", ...text, ...(lines.length === 0 ? [] : ["", ...lines])].join("\n")
}

/**
 * Returns the help text of the command that the arguments name, or of each command of a group. It shows the full
 * command, while the library's help starts at its last word.
 */
export const commandHelp = (program: string, descriptor: Descriptor, args: ReadonlyArray<string>): string => {
  const command = named({ path: [program], descriptor }, args)
  if (below(command).length === 0) return leafPage(command)
  return leaves(command)
    .map((leaf) => `${usageOf(leaf)}\n    ${descriptionOf(leaf).text.join(" ")}`)
    .join("\n\n")
}

/** True if the arguments contain `--help` or `-h`, or name only a group of commands. */
export const asksForHelp = (descriptor: Descriptor, args: ReadonlyArray<string>): boolean => {
  if (args.some((arg) => arg === "--help" || arg === "-h")) return true
  if (args.some((arg) => arg.startsWith("-"))) return false
  const command = named({ path: [""], descriptor }, args)
  return command.path.length === args.length + 1 && below(command).length > 0
}
