import ts from "typescript"

/** Words and phrases that have a plainer equivalent; CONTRIBUTING.md lists what to write instead. */
const flaggedWords =
  /\b(told|tells?|stands|anew|whoever|nobody|somebody|of (?:its|his|their|one's) own|who asks|so that it has to|unless told|takes up|goes on|comes again|beside|given up|kept back|thereby|therein|meanwhile)\b/gi

/**
 * Participles that do not say what they hold, when they are a whole name. `sent`, `read` and `held` are words of the
 * published contract.
 */
const bareParticiples = new Set([
  "found",
  "known",
  "told",
  "asked",
  "shown",
  "kept",
  "own",
  "wanted",
  "given",
  "said",
  "taken",
  "seen",
  "made",
  "meant",
  "heard",
  "begun",
  "got",
  "gone",
  "brought",
  "thought",
  "chosen",
  "written"
])

/**
 * @typedef {{ readonly line: number, readonly kind: "word" | "name", readonly text: string }} Finding
 */

const lineAt = (/** @type {string} */ text, /** @type {number} */ position) =>
  text.slice(0, position).split("\n").length

/** The text with everything outside the matches replaced by spaces, so that positions stay the same. */
const only = (/** @type {string} */ text, /** @type {ReadonlyArray<readonly [number, number]>} */ spans) => {
  const blank = text.replaceAll(/[^\n]/g, " ")
  let result = ""
  let end = 0
  for (const [from, to] of spans) {
    result += blank.slice(end, from) + text.slice(from, to)
    end = to
  }
  return result + blank.slice(end)
}

/** @returns {ReadonlyArray<Finding>} */
const wordsIn = (/** @type {string} */ text) =>
  [...text.matchAll(flaggedWords)].map((match) => ({
    line: lineAt(text, match.index),
    kind: "word",
    text: match[0].toLowerCase()
  }))

const isLiteral = (/** @type {ts.Node} */ node) =>
  ts.isStringLiteralLike(node) ||
  ts.isRegularExpressionLiteral(node) ||
  node.kind === ts.SyntaxKind.TemplateHead ||
  node.kind === ts.SyntaxKind.TemplateMiddle ||
  node.kind === ts.SyntaxKind.TemplateTail

/** A declaration's name, or a member's; uses of it are not counted again. */
const isDeclaredName = (/** @type {ts.Identifier} */ node) => {
  const parent = /** @type {ts.Node & { readonly name?: ts.Node }} */ (node.parent)
  return parent.name === node && !ts.isPropertyAccessExpression(parent) && !ts.isImportSpecifier(parent)
}

/** @returns {ReadonlyArray<Finding>} */
const findingsInCode = (/** @type {string} */ file, /** @type {string} */ text) => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  /** @type {Array<Finding>} */
  const names = []
  /** @type {Array<readonly [number, number]>} */
  const literals = []
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (isLiteral(node)) literals.push([node.getStart(source), node.end])
    else if (ts.isIdentifier(node) && bareParticiples.has(node.text) && isDeclaredName(node)) {
      names.push({ line: lineAt(text, node.getStart(source)), kind: "name", text: node.text })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  const bySource = literals.sort((a, b) => a[0] - b[0])
  // A comment sign inside a literal, such as the one of an address, begins no comment.
  const literalsBlank = only(
    text,
    [[0, 0], ...bySource].map(([, end], at) => [end, bySource[at]?.[0] ?? text.length])
  )
  const comments = [...literalsBlank.matchAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g)].map(
    (match) => /** @type {const} */ ([match.index, match.index + match[0].length])
  )
  return [...wordsIn(only(text, comments)), ...names]
}

/** @returns {ReadonlyArray<Finding>} */
const findingsInMarkdown = (/** @type {string} */ text) =>
  wordsIn(text.replaceAll(/^```[\s\S]*?^```|`[^`\n]+`/gm, (code) => code.replaceAll(/[^\n]/g, " ")))

/**
 * Flagged words in the comments and the prose of a file, and names that are bare participles.
 *
 * @returns {ReadonlyArray<Finding>}
 */
export const findingsIn = (/** @type {string} */ file, /** @type {string} */ text) =>
  file.endsWith(".md") ? findingsInMarkdown(text) : findingsInCode(file, text)

/** @typedef {Readonly<Record<string, number>>} Counts */

const totalOf = (/** @type {Counts} */ counts) => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Files with more findings than the baseline allows; a file that is not in it may have none. */
export const filesOver = (/** @type {Counts} */ baseline, /** @type {Counts} */ counts) =>
  Object.keys(counts).filter((file) => (counts[file] ?? 0) > (baseline[file] ?? 0))

/**
 * Whether the counts may replace the baseline. The count of a file may only fall; a file that was moved or split may
 * bring its findings along, as long as the total does not rise.
 */
export const mayReplace = (/** @type {Counts} */ baseline, /** @type {Counts} */ counts) =>
  filesOver(baseline, counts).every((file) => !(file in baseline)) && totalOf(counts) <= totalOf(baseline)
