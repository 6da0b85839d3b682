import { parsedUrl } from "../Core/ParsedUrl.ts"
import { html, lines, type Markup, nothing, verbatim } from "../Text/Html.ts"
import type { Language } from "../Text/Language.ts"
import { withSignature } from "../Writing/Signature.ts"
import { notMeLine } from "./StrangerMails.ts"

// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Text with one kind of line break, which no server changes on the way. */
const plainLines = (text: string): string =>
  text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(controls, "")
    .toWellFormed()

const webAddress = /https?:\/\/[^\s<>"'`\\^{|}]{1,2000}/gi
// What ends the sentence around an address, not the address.
const afterAddress = /[.,;:!?)\]*_…]+$/

/** A closing bracket belongs to the address where the address has the opening one. */
const trimmedAddress = (text: string): string => {
  const trimmed = text.replace(afterAddress, "")
  return trimmed.includes("(") && text.charAt(trimmed.length) === ")" ? `${trimmed})` : trimmed
}

/** One line in HTML, with its http and https addresses as links. Nothing of the text becomes markup. */
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

const paragraph = (text: string): Markup => {
  const [first = nothing, ...others] = text.split("\n").map(lineHtml)
  return html`<p>${first}${others.map((line) => html`<br>\n${line}`)}</p>`
}

/** Plain text as HTML that looks the same: an empty line ends a paragraph. */
const paragraphs = (text: string): Markup =>
  lines(
    ...text
      .trim()
      .split(/\n{2,}/)
      .map(paragraph)
  )

const wayOut: { readonly [L in Language]: string } = {
  "pt-BR": "Se não quiser mais receber estas mensagens, cancele aqui:",
  en: "If you would rather not get these messages, unsubscribe here:",
  es: "Si no desea recibir más estos mensajes, dese de baja aquí:"
}

export interface MailBody {
  readonly text: string
  readonly html: string
}

export interface ProspectingFrame {
  /** Appended as it is; the sender's name stands there where it is blank. */
  readonly signature: string | null
  readonly senderName: string
  /** Other names under which the same sender may have signed already. */
  readonly otherNames: ReadonlyArray<string>
  readonly unsubscribeUrl: string | undefined
}

/** Whoever wrote the body may have signed it by the same rule. */
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

/**
 * What a message says, in plain text and in HTML. `frame` is what the platform adds to its own messages; what a person
 * wrote goes out as it is. `stopUrl` goes under mail to people who have not confirmed to expect it.
 */
export const mailBody = (
  body: string,
  language: Language,
  frame: ProspectingFrame | undefined,
  stopUrl?: string
): MailBody => {
  const text = plainLines(frame === undefined ? body.trimEnd() : signed(body, frame))
  const url = frame?.unsubscribeUrl ?? stopUrl
  const line = (stopUrl === undefined ? wayOut : notMeLine)[language]
  const footer = url === undefined ? "" : `\n\n${line}\n${url}`
  const footerHtml =
    url !== undefined &&
    html`\n<p style="color:#767676;font-size:12px">${line} <a href="${url}" style="color:#767676">${url}</a></p>`
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
