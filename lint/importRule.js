import * as path from "node:path"
import { breach, targetOf } from "./rooms.js"

const slashed = (/** @type {string} */ file) => file.split(path.sep).join("/")

/**
 * @typedef {{ readonly type: string, readonly value?: unknown }} Source
 * @typedef {{ readonly source?: Source | null }} Importing
 * @typedef {{ readonly node: Source, readonly messageId: string, readonly data: { readonly what: string } }} Report
 * @typedef {{ readonly cwd: string, readonly filename: string, readonly report: (report: Report) => void }} Context
 */

/** Checks imports by `rooms.js`: static imports, re-exports, types and dynamic imports. */
export const importRule = {
  meta: { type: "problem", messages: { breach: "{{ what }}" }, schema: [] },
  create(/** @type {Context} */ context) {
    const from = slashed(path.relative(context.cwd, context.filename))
    const check = (/** @type {Importing} */ { source }) => {
      if (source?.type !== "Literal" || typeof source.value !== "string") return
      const to = targetOf(from, source.value)
      const what = to === undefined ? undefined : breach(from, to)
      if (what !== undefined) context.report({ node: source, messageId: "breach", data: { what } })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      // `import("…").Name` in a type.
      TSImportType: check
    }
  }
}
