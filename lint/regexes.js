import * as fs from "node:fs"
import * as path from "node:path"
import ts from "typescript"

/** Every regular expression of the sources, as written, with its files. */
export const regexesOf = (/** @type {string} */ root) => {
  /** @type {Map<string, Set<string>>} */
  const filesOfText = new Map()
  const add = (/** @type {string} */ text, /** @type {string} */ file) =>
    filesOfText.set(text, (filesOfText.get(text) ?? new Set()).add(file))
  for (const entry of fs.readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })) {
    if (!entry.endsWith(".ts")) continue
    const file = path.join("src", entry)
    const source = ts.createSourceFile(file, fs.readFileSync(path.join(root, file), "utf8"), ts.ScriptTarget.Latest)
    /** @param {ts.Node} node */
    const visit = (node) => {
      if (ts.isRegularExpressionLiteral(node)) add(node.text, file)
      else if (
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        ts.isIdentifier(node.expression) &&
        node.expression.text === "RegExp"
      ) {
        add(source.text.slice(node.pos, node.end).trim().replace(/\s+/g, " "), file)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return filesOfText
}

/**
 * Expressions proved linear, those without a known attack, and the others with the reason why they are harmless.
 */
export const listFile = "lint/regexes.json"

/** @returns {{ linear: ReadonlyArray<string>, attacked: ReadonlyArray<string>, judged: Readonly<Record<string, string>> }} */
export const readList = (/** @type {string} */ root) => JSON.parse(fs.readFileSync(path.join(root, listFile), "utf8"))
