import { escapeHtml } from "../../../Services/Text/HtmlText.ts"
import { tidyText } from "../../../Services/Text/PlainText.ts"

/** HTML that was made here; a text becomes one only by being escaped. */
export class Markup {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Part = string | number | Markup | ReadonlyArray<Markup> | undefined | false

/** A text as it may stand between tags and in quoted attributes, without what hides or turns words around. */
export const escaped = (text: string): string => escapeHtml(tidyText(text))

const partOf = (part: Part): string => {
  if (part === undefined || part === false) return ""
  if (part instanceof Markup) return part.markup
  if (typeof part === "object") return part.map(({ markup }) => markup).join("")
  return escaped(String(part))
}

/** Markup of a template: texts in it are escaped, markup stays. */
export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Markup =>
  new Markup(strings.reduce((text, string, index) => text + partOf(parts[index - 1]) + string))

export const nothing = new Markup("")

/** An attribute that is left out without a value; `true` is one that needs none. The name is ours. */
export const attribute = (name: string, value: string | boolean | undefined): Markup =>
  value === undefined || value === false
    ? nothing
    : value === true
      ? new Markup(` ${name}`)
      : html` ${new Markup(name)}="${value}"`

/** A phone number that no line breaks. */
export const unbroken = (text: string): Markup =>
  new Markup(escaped(text).replaceAll(" ", "&nbsp;").replaceAll("-", "&#8209;"))
