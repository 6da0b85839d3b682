import { parsedUrl } from "../Core/Outside/ParsedUrl.ts"
import { say } from "../Messages/Messages.ts"
import type { Language } from "../Text/Language.ts"
import { html, lines, type Markup, nothing, verbatim } from "../Text/Web/Html.ts"
import { withSignature } from "../Writing/Signature.ts"

// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** The text with uniform line breaks, which no server changes in transit. */
const plainLines = (text: string): string =>
  text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(controls, "")
    .toWellFormed()

const webAddress = /https?:\/\/[^\s<>"'`\\^{|}]{1,2000}/gi
// Punctuation after an address, which is not part of it.
const afterAddress = /[.,;:!?)\]*_…]+$/

/** A closing bracket is part of the address if the address contains the opening one. */
const trimmedAddress = (text: string): string => {
  const trimmed = text.replace(afterAddress, "")
  return trimmed.includes("(") && text.charAt(trimmed.length) === ")" ? `${trimmed})` : trimmed
}

/** One line as HTML, with http and https addresses as links. The text itself is escaped. */
const lineHtml = (line: string): Markup => {
  const parts: Array<Markup> = []
  let from = 0
  for (const match of line.matchAll(webAddress)) {
    const address = trimmedAddress(match[0])
    if (parsedUrl(address) === undefined) continue
    const link = verbatim(address)
    parts.push(verbatim(line.slice(from, match.index)), html`<a href="${link}">${link}</a>`)
    from = match.index + address.length
  }
  return html`${parts}${verbatim(line.slice(from))}`
}

const brokenLines = (text: string): Markup => {
  const [first = nothing, ...others] = text.split("\n").map(lineHtml)
  return html`${first}${others.map((line) => html`<br>\n${line}`)}`
}

const paragraph = (text: string): Markup => html`<p>${brokenLines(text)}</p>`

/** Plain text as HTML. An empty line ends a paragraph. */
const paragraphs = (text: string): Markup =>
  lines(
    ...text
      .trim()
      .split(/\n{2,}/)
      .map(paragraph)
  )

export interface MailBody {
  readonly text: string
  readonly html: string
}

export interface ProspectingFrame {
  /** Appended unchanged. If blank, the sender's name is used. */
  readonly signature: string | null
  readonly senderName: string
  /** Other names with which the sender may have signed the text. */
  readonly otherNames: ReadonlyArray<string>
  readonly unsubscribeUrl: string | undefined
}

/** The writer of the text may already have signed it. */
const signed = (body: string, { otherNames, senderName, signature }: ProspectingFrame): string => {
  const text = body.trimEnd()
  if (signature !== null && signature.trim() !== "") {
    return text.endsWith(signature.trimEnd())
      ? text
      : withSignature(text, { name: senderName, emailSignature: signature }, senderName)
  }
  const lastLine = text.slice(text.lastIndexOf("\n") + 1).trim()
  const isSigned = [senderName, ...otherNames].some((name) => name.trim() === lastLine)
  return isSigned ? text : withSignature(text, { name: senderName }, senderName)
}

const onlyAddress = /^https?:\/\/[^\s<>"'`\\^{|}]{1,2000}$/i

/** A link as a button, followed by its address for programs that show no buttons. */
const button = (label: string, address: string): Markup => {
  const link = verbatim(address)
  return html`<p style="margin:24px 0"><a href="${link}" style="display:inline-block;padding:14px 28px;border-radius:10px;background:#1a5fb4;color:#ffffff;font-weight:600;text-decoration:none">${verbatim(label)}</a></p>
<p style="margin:0 0 16px;color:#5b6877;font-size:12px;word-break:break-all">${link}</p>`
}

/** A paragraph of a notice. A link that is alone, or below its description, becomes a button. */
const noticeParagraph = (text: string, language: Language): Markup => {
  const [first = "", second, ...others] = text.split("\n")
  if (second === undefined && onlyAddress.test(first)) return button(say(language, "mail.open"), first)
  if (second !== undefined && others.length === 0 && first.endsWith(":") && onlyAddress.test(second)) {
    return button(first.slice(0, -1), second)
  }
  return html`<p style="margin:0 0 16px">${brokenLines(text)}</p>`
}

const sameWords = (text: string, heading: string): boolean =>
  text.trim().replace(/[.!]$/, "") === heading.trim().replace(/[.!]$/, "")

/** A notice for people of the account. It looks like the pages that its links open. */
const noticeHtml = (text: string, heading: string, language: Language, footer: Markup | false): Markup => {
  const [first = "", ...others] = text.trim().split(/\n{2,}/)
  // The subject is often the first sentence, which is not repeated.
  const paragraphsOfNotice = sameWords(first, heading) ? others : [first, ...others]
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="margin:0;padding:0;background:#f3f5f8;color:#1d2733;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px;line-height:1.55">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f5f8"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border:1px solid #e2e7ee;border-top:4px solid #1a5fb4;border-radius:16px"><tr><td style="padding:32px 28px">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${verbatim(heading)}</h1>
${lines(...paragraphsOfNotice.map((paragraphOfNotice) => noticeParagraph(paragraphOfNotice, language)))}${footer}
</td></tr></table>
</td></tr></table>
</body></html>
`
}

/**
 * A message in plain text and HTML. `frame` is what the platform adds to its own messages, while a person's message is
 * unchanged. `stopUrl` is added for recipients who have not confirmed that they expect mail. `heading` is the heading
 * of a notice.
 */
export const mailBody = (
  body: string,
  language: Language,
  frame: ProspectingFrame | undefined,
  stopUrl?: string,
  heading?: string
): MailBody => {
  const text = plainLines(frame === undefined ? body.trimEnd() : signed(body, frame))
  const url = frame?.unsubscribeUrl ?? stopUrl
  const line = say(language, stopUrl === undefined ? "mail.unsubscribe" : "mail.not_me")
  const footer = url === undefined ? "" : `\n\n${line}\n${url}`
  const footerHtml =
    url !== undefined &&
    html`\n<p style="color:#767676;font-size:12px">${line} <a href="${url}" style="color:#767676">${url}</a></p>`
  if (heading !== undefined) {
    return { text: `${text}${footer}\n`, html: noticeHtml(text, heading, language, footerHtml).markup }
  }
  return {
    text: `${text}${footer}\n`,
    html: html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"></head>
<body style="font-family:sans-serif;font-size:14px">
${paragraphs(text)}${footerHtml}
</body></html>
`.markup
  }
}
