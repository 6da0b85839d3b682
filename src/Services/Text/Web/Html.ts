import { tidyText } from "../PlainText.ts"

const marks: { readonly [mark: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Text that is safe in HTML, including attributes. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => marks[mark] ?? "")

/** HTML. Text becomes HTML only by being escaped. */
export class Markup {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Part = string | number | Markup | ReadonlyArray<Markup> | undefined | false

/** Text for element content and quoted attributes, without characters that hide or reorder words. */
export const escaped = (text: string): string => escapeHtml(tidyText(text))

const partOf = (part: Part): string => {
  if (part === undefined || part === false) return ""
  if (part instanceof Markup) return part.markup
  if (typeof part === "object") return part.map(({ markup }) => markup).join("")
  return escaped(String(part))
}

/** The one way to write HTML: strings in the template are escaped, markup is inserted unchanged. */
export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Markup =>
  new Markup(strings.reduce((text, string, index) => text + partOf(parts[index - 1]) + string))

/** Markup with a line break between its parts. */
export const lines = (...parts: ReadonlyArray<Markup>): Markup =>
  new Markup(parts.map(({ markup }) => markup).join("\n"))

export const nothing = new Markup("")

/** An attribute, omitted without a value. `true` writes the name alone. The name is not escaped. */
export const attribute = (name: string, value: string | boolean | undefined): Markup =>
  value === undefined || value === false
    ? nothing
    : value === true
      ? new Markup(` ${name}`)
      : html` ${new Markup(name)}="${value}"`

/** A phone number that does not wrap. */
export const unbroken = (text: string): Markup =>
  new Markup(escaped(text).replaceAll(" ", "&nbsp;").replaceAll("-", "&#8209;"))

/** Escapes the text without other changes, for text that a visitor typed and may copy or send again. */
export const verbatim = (text: string): Markup => new Markup(escapeHtml(text))

/** Like `verbatim`, with line breaks. */
export const verbatimLines = (text: string): Markup => new Markup(escapeHtml(text).replaceAll("\n", "<br>"))

export const hiddenField = (name: string, value: string): Markup =>
  html`<input type="hidden" name="${name}" value="${verbatim(value)}">`
