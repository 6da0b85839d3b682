import * as fs from "node:fs"
import * as path from "node:path"
import ts from "typescript"

/**
 * A setting as the code reads it. `values` is what it accepts; `fallback` the value without it, where the code that reads
 * it says so.
 *
 * @typedef {{ readonly name: string, readonly values: string, readonly fallback: string | undefined, readonly isSecret: boolean }} Setting
 * @typedef {ReadonlyMap<string, ts.Expression>} Bindings
 * @typedef {ReadonlyMap<string, ts.ArrowFunction>} Helpers
 */

const settingName = /^[A-Z][A-Z0-9_]+$/

/** What the readers of Effect's `Config` accept. Helpers of the project are followed down to these. */
const readers = new Map(
  Object.entries({
    "Config.string": "text",
    "Config.nonEmptyString": "text",
    "Config.redacted": "text",
    "Config.boolean": "`true`, `false`",
    "Config.integer": "a whole number",
    "Config.number": "a number",
    "Config.logLevel": "`All`, `Trace`, `Debug`, `Info`, `Warning`, `Error`, `Fatal`, `None`"
  })
)

const code = (/** @type {string} */ text) => `\`${text}\``

/** @returns {ts.Expression} */
const bare = (/** @type {ts.Expression} */ expression) =>
  ts.isAsExpression(expression) || ts.isParenthesizedExpression(expression) ? bare(expression.expression) : expression

/** Follows a parameter of a local helper to the argument of its call. */
const bound = (/** @type {ts.Expression} */ expression, /** @type {Bindings} */ bindings) => {
  const inner = bare(expression)
  return ts.isIdentifier(inner) ? (bindings.get(inner.text) ?? inner) : inner
}

/** @returns {string | number | undefined} */
const constant = (/** @type {ts.Expression} */ expression, /** @type {Bindings} */ bindings) => {
  const inner = bound(expression, bindings)
  if (ts.isStringLiteralLike(inner)) return inner.text
  if (ts.isTemplateExpression(inner)) {
    return inner.templateSpans.reduce(
      (text, { expression, literal }) => `${text}${constant(expression, bindings)}${literal.text}`,
      inner.head.text
    )
  }
  if (ts.isNumericLiteral(inner)) return Number(inner.text.replaceAll("_", ""))
  if (inner.kind === ts.SyntaxKind.TrueKeyword) return "true"
  if (inner.kind === ts.SyntaxKind.FalseKeyword) return "false"
  if (ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.AsteriskToken) {
    const [left, right] = [constant(inner.left, bindings), constant(inner.right, bindings)]
    return typeof left === "number" && typeof right === "number" ? left * right : undefined
  }
  if (ts.isPropertyAccessExpression(inner)) {
    if (inner.getText() === "Number.MAX_SAFE_INTEGER") return Number.MAX_SAFE_INTEGER
    if (inner.expression.getText() === "LogLevel") return inner.name.text
  }
  return undefined
}

/** The value of `() => value`, which is how `Option.getOrElse` is given one. */
const lazyConstant = (/** @type {ts.Expression | undefined} */ expression, /** @type {Bindings} */ bindings) => {
  const inner = expression === undefined ? undefined : bare(expression)
  return inner !== undefined && ts.isArrowFunction(inner) && !ts.isBlock(inner.body)
    ? constant(inner.body, bindings)
    : undefined
}

/**
 * The settings that an expression of `Config` reads, if it reads one.
 *
 * @param {ts.Expression} expression
 * @param {Bindings} bindings
 * @param {ReadonlyMap<string, ts.ArrowFunction>} helpers
 * @returns {Setting | undefined}
 */
const settingOf = (expression, bindings, helpers) => {
  const call = bound(expression, bindings)
  if (!ts.isCallExpression(call)) return undefined
  const callee = call.expression.getText()
  const [first, second, third] = call.arguments
  /** @returns {Setting | undefined} */
  const named = (
    /** @type {ts.Expression | undefined} */ argument,
    /** @type {string} */ values,
    /** @type {boolean} */ isSecret = false
  ) => {
    const name = argument === undefined ? undefined : constant(argument, bindings)
    return typeof name === "string" && settingName.test(name)
      ? { name, values, fallback: undefined, isSecret }
      : undefined
  }
  /** @returns {Setting | undefined} */
  const withFallback = (
    /** @type {Setting | undefined} */ setting,
    /** @type {string | number | undefined} */ fallback
  ) => (setting === undefined || fallback === undefined ? setting : { ...setting, fallback: String(fallback) })

  const accepted = readers.get(callee)
  if (accepted !== undefined) return named(first, accepted, callee === "Config.redacted")
  if (callee === "Config.array") return named(second, "texts, separated by commas")
  if (ts.isCallExpression(call.expression) && call.expression.expression.getText() === "Config.literal") {
    return named(first, call.expression.arguments.map((value) => code(String(constant(value, bindings)))).join(", "))
  }
  if (callee === "checked") {
    const setting = second && settingOf(second, bindings, helpers)
    const expected = third && constant(third, bindings)
    return setting && expected ? { ...setting, values: String(expected) } : setting
  }
  if (callee === "Config.option" || callee === "Config.map" || callee === "Config.withDefault") {
    const setting = first && settingOf(first, bindings, helpers)
    if (callee === "Config.withDefault") return withFallback(setting, second && constant(second, bindings))
    if (callee === "Config.option" || setting === undefined) return setting
    const isSecret = setting.isSecret || /\bRedacted\b/.test(second?.getText() ?? "")
    return withFallback({ ...setting, isSecret }, fallbackIn(second, bindings))
  }
  if (ts.isPropertyAccessExpression(call.expression) && call.expression.name.text === "pipe") {
    const start = settingOf(call.expression.expression, bindings, helpers)
    return call.arguments.reduce((setting, step) => withFallback(setting, fallbackIn(step, bindings)), start)
  }
  const helper = helpers.get(callee)
  if (helper === undefined || ts.isBlock(helper.body)) return undefined
  const inner = new Map(bindings)
  helper.parameters.forEach((parameter, at) => {
    const argument = call.arguments[at]
    if (argument !== undefined) inner.set(parameter.name.getText(), bound(argument, bindings))
  })
  return settingOf(helper.body, inner, helpers)
}

/** The fallback that a step of a pipe gives: `Config.withDefault(value)`, `Option.getOrElse(() => value)`. */
const fallbackIn = (/** @type {ts.Expression | undefined} */ step, /** @type {Bindings} */ bindings) => {
  if (step === undefined || !ts.isCallExpression(step)) return undefined
  const [value] = step.arguments
  if (step.expression.getText() === "Config.withDefault") return value && constant(value, bindings)
  return step.expression.getText() === "Option.getOrElse" ? lazyConstant(value, bindings) : undefined
}

const sourceOf = (/** @type {string} */ file) =>
  ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)

/** @returns {ReadonlyArray<readonly [string, ts.ArrowFunction]>} */
const helpersOf = (/** @type {ts.SourceFile} */ source) =>
  source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .flatMap(({ initializer, name }) =>
      initializer !== undefined && ts.isArrowFunction(initializer) ? [[name.getText(), initializer]] : []
    )

/** @returns {ReadonlyArray<Setting>} */
const settingsOf = (/** @type {ts.SourceFile} */ source, /** @type {Helpers} */ helpers) => {
  /** @type {Array<Setting>} */
  const settings = []
  /** @param {ts.Node} node */
  const visit = (node) => {
    const setting = ts.isCallExpression(node) ? settingOf(node, new Map(), helpers) : undefined
    if (setting === undefined) ts.forEachChild(node, visit)
    else settings.push(setting)
  }
  visit(source)
  return settings
}

/** Every setting that the sources read, by its name. */
export const readSettings = (/** @type {string} */ root) => {
  const shared = helpersOf(sourceOf(path.join(root, "src/Layers/Platform/Environment.ts")))
  /** @type {Map<string, Setting>} */
  const settings = new Map()
  for (const entry of fs.readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })) {
    const file = path.join(root, "src", entry)
    if (!entry.endsWith(".ts") || !/\bConfig\b/.test(fs.readFileSync(file, "utf8"))) continue
    const source = sourceOf(file)
    // A helper of the file comes before a shared one of the same name.
    for (const setting of settingsOf(source, new Map([...shared, ...helpersOf(source)]))) {
      const other = settings.get(setting.name)
      settings.set(setting.name, other === undefined ? setting : merged(other, setting))
    }
  }
  return settings
}

/** Two places that read one setting, such as `SMTP_URL` for mail and for the choice of name servers. */
const merged = (/** @type {Setting} */ one, /** @type {Setting} */ other) => ({
  ...one,
  fallback: one.fallback ?? other.fallback,
  isSecret: one.isSecret || other.isSecret
})

/**
 * @typedef {{ readonly meaning: string, readonly fallback?: string }} Description
 * @typedef {{ readonly title: string, readonly text: string, readonly settings: Readonly<Record<string, Description>> }} Section
 */

export const page = "docs/reference/settings.md"

/** What `gateway settings` shows of each setting, and which of them are secrets. */
export const listFile = "src/Layers/Platform/settingList.json"

/** @returns {ReadonlyArray<Section>} */
const sectionsOf = (/** @type {string} */ root) =>
  JSON.parse(fs.readFileSync(path.join(root, "lint/settings.json"), "utf8")).sections

const cell = (/** @type {string} */ text) => text.replaceAll("|", "\\|")

const fallbackOf = (/** @type {Setting} */ setting, /** @type {Description} */ description) =>
  description.fallback ?? (setting.fallback === undefined || setting.fallback === "" ? "unset" : code(setting.fallback))

const rowOf = (/** @type {Setting} */ setting, /** @type {Description} */ description) => {
  const values = setting.values.replace(/^an? /, "") + (setting.isSecret ? " (secret)" : "")
  const fallback = fallbackOf(setting, description)
  return `| \`${setting.name}\` | ${cell(values)} | ${cell(fallback)} | ${cell(description.meaning)} |`
}

/** The list of all settings for the program, in the order of the page. */
export const settingList = (/** @type {string} */ root) => {
  const settings = readSettings(root)
  const plain = (/** @type {string} */ text) => text.replaceAll("`", "")
  const list = sectionsOf(root).flatMap(({ settings: descriptions, title }) =>
    Object.entries(descriptions).flatMap(([name, description]) => {
      const setting = settings.get(name)
      if (setting === undefined) return []
      return {
        section: title,
        name,
        accepts: plain(setting.values),
        fallback: plain(fallbackOf(setting, description)),
        isSecret: setting.isSecret
      }
    })
  )
  return `${JSON.stringify(list, undefined, 2)}\n`
}

/**
 * The page of all settings. Fails with what is missing where a setting has no description, or a description no setting.
 *
 * @returns {string}
 */
export const settingsPage = (/** @type {string} */ root) => {
  const settings = readSettings(root)
  const sections = sectionsOf(root)
  const described = new Set(sections.flatMap((section) => Object.keys(section.settings)))
  const missing = [...settings.keys()].filter((name) => !described.has(name))
  const unused = [...described].filter((name) => !settings.has(name))
  if (missing.length > 0) throw new Error(`Describe in lint/settings.json: ${missing.join(", ")}`)
  if (unused.length > 0) throw new Error(`No code reads, remove from lint/settings.json: ${unused.join(", ")}`)
  const chapters = sections.map(({ settings: descriptions, text, title }) => {
    const rows = Object.entries(descriptions).flatMap(([name, description]) => {
      const setting = settings.get(name)
      return setting === undefined ? [] : [rowOf(setting, description)]
    })
    return [
      `## ${title}`,
      "",
      text,
      "",
      "| Name | Accepts | Default | Meaning |",
      "|---|---|---|---|",
      ...rows,
      ""
    ].join("\n")
  })
  return [
    "# Settings",
    "",
    "<!-- Generated by `npm run settings` from the code that reads the settings and from lint/settings.json. -->",
    "",
    "The gateway reads all settings from environment variables when it starts. Every setting is optional. A wrong value stops",
    "the start with an error that names the setting, what it accepts, and never the value. In most settings an empty value",
    "counts as unset. `gateway settings` shows each value, where it comes from, and whether it is valid.",
    "",
    "Each secret can be in a file instead: `SMTP_URL_FILE=/run/secrets/smtp` for `SMTP_URL`. The line break at its end is",
    "ignored. A secret and its file cannot both be set.",
    "",
    "Integrations run in a local sandbox until you set their credentials or their mode. `whoami` and `/health/ready` show the",
    "mode of each.",
    "",
    ...chapters
  ].join("\n")
}
