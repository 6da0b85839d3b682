import { tidyText } from "../Text/PlainText.ts"

/** A reply taken apart. */
export interface CutText {
  /** The writer's own text, including answers between quoted lines. */
  readonly reply: string
  /** The signature below the reply, without legal text. Empty if there is none. */
  readonly signature: string
  /** The earlier mail that was repeated. */
  readonly quoted: string
  /** Whether some of the reply stood between or below quoted lines. */
  readonly isInline: boolean
}

/** In characters. The text after them is not read. */
const maximumLength = 1_000_000
/** A line longer than this is no header of a quotation, whatever it begins with. */
const maximumHeaderLength = 400
const maximumHeaderLines = 4

const isQuoteLine = (line: string): boolean => /^\s{0,10}(?:>|&gt;)/.test(line)

const forwardOrOriginal =
  /^\s{0,10}[*_]?(?:[-_=]{2,40} ?)?(?:mensagem original|mensagem encaminhada|original message|original appointment|forwarded message|mensaje original|mensaje reenviado|mensagem reencaminhada)(?: ?[-_=]{2,40})?[*_:]?\s{0,10}$/i
const beginForwarded =
  /^\s{0,10}(?:begin forwarded message|in[ií]cio da mensagem (?:encaminhada|reenviada)|inicio del mensaje reenviado):?\s{0,10}$/i
const rule = /^\s{0,10}[_\-=*]{5,200}\s{0,10}$/
const underscores = /^\s{0,10}_{10,200}\s{0,10}$/

const senderLabel = /^\s{0,10}[*_]{0,2}(?:de|from)[*_]{0,2}\s?:[*_]{0,2}\s?\S/i
const otherLabel =
  /^\s{0,10}[*_]{0,2}(?:enviad[oa](?: em| el)?|data|date|sent|fecha|para|to|cc|cco|bcc|assunto|subject|asunto|responder a|reply-to)[*_]{0,2}\s?:/i

/** Two more labels must follow the sender's within five lines: `De:` alone is an ordinary word. */
const isHeaderBlock = (lines: ReadonlyArray<string>, index: number): boolean => {
  const first = lines[index]
  if (first === undefined || first.length > maximumHeaderLength || !senderLabel.test(first)) return false
  let labels = 0
  for (let next = index + 1; next <= index + 6 && next < lines.length; next++) {
    const line = lines[next] ?? ""
    if (line.length <= 4 * maximumHeaderLength && otherLabel.test(line)) labels++
  }
  return labels >= 2
}

// `Em seg., 3 de fev. de 2025 às 10:00, Ana <ana@x.com> escreveu:` and similar lines begin so …
const attributionStart =
  /^\s{0,10}(?:em|no dia|on|el|le|am)\s|^\s{0,10}(?:[A-Za-zÀ-ÿ]{2,12}[.,]? )?\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}|^\s{0,10}[^\s>][^>]{0,150}<[^<>\s]{3,250}>/i
// … and end so.
const attributionEnd = /(?:escreveu|wrote|escribi[oó]|a [ée]crit|schrieb)\s?:?\s{0,10}$/i
const gmailWithoutVerb = /^\s{0,10}\d{4}-\d{2}-\d{2} .{0,120}<[^<>\s]{3,250}>:\s{0,10}$/
const yahooHeader =
  /^\s{0,10}(?:em|on|el) .{3,160}[,;] .{1,160}<[^<>\s]{3,250}> (?:escreveu|wrote|escribi[oó]):?\s{0,10}$/i

const hasDateOrAddress = (text: string): boolean => /\d/.test(text) || text.includes("@")

/** The number of lines that the attribution at `index` takes. 0 if there is none. Mail programs wrap it. */
const attributionLines = (lines: ReadonlyArray<string>, index: number): number => {
  const first = lines[index] ?? ""
  if (first.length > maximumHeaderLength || !attributionStart.test(first)) return 0
  if (gmailWithoutVerb.test(first) || yahooHeader.test(first)) return 1
  let joined = ""
  for (let count = 1; count <= maximumHeaderLines; count++) {
    const line = lines[index + count - 1]
    if (line === undefined || line.trim() === "" || isQuoteLine(line)) return 0
    joined = count === 1 ? line : `${joined} ${line.trim()}`
    if (joined.length > maximumHeaderLength) return 0
    if (attributionEnd.test(joined)) return hasDateOrAddress(joined) ? count : 0
  }
  return 0
}

const wroteColon = /(?:escreveu|wrote|escribi[oó]):/gi
const lookBack = 300
const embeddedStart = /(?:^|\s)(?:em|no dia|on|el) (?=.{0,120}(?:\d{1,2}[:h]\d{2}|@))/gi

/** The position of an attribution inside a line, as in HTML that lost its line breaks. -1 if there is none. */
const embeddedAttribution = (line: string): number => {
  let seen = 0
  for (const end of line.matchAll(wroteColon)) {
    if (++seen > 3) return -1
    const from = Math.max(0, end.index - lookBack)
    const before = line.slice(from, end.index)
    const starts = [...before.matchAll(embeddedStart)]
    // The last start that still has a time or an address behind it is the attribution's own.
    const start = starts.at(-1)
    if (start !== undefined) return from + start.index
  }
  return -1
}

const firstFilled = (lines: ReadonlyArray<string>, from: number): number => {
  let index = from
  while (index < lines.length && (lines[index] ?? "").trim() === "") index++
  return index
}

const mobileSignature =
  /^\s{0,10}[-–—*]?\s?(?:enviad[oa] (?:do|de|pelo|pela|desde|a partir do|por|via|com o|meu)\s.{1,80}|sent (?:from|via|with) .{1,80}|mandado desde .{1,80}|(?:obtenha|obter|baixe|obtén|obtener|descarga|get|download) (?:o |a )?outlook (?:para|for) .{1,80}|outlook (?:para|for) (?:ios|android).{0,60})$/i
// What may follow `Enviado do`: a device or a mail program, so that "Enviado por mim ontem" stays.
const device =
  /iphone|ipad|android|samsung|galaxy|motorola|xiaomi|redmi|huawei|celular|smartphone|m[oó]vil|mobile|telefone|tel[eé]fono|phone|outlook|yahoo|gmail|uol|bol|mail|correo|email|windows|blackberry|tablet|proton|dispositivo|zimbra|spark/i

const farewell =
  /^\s{0,10}(?:atenciosamente|att|atte|at\.?te|cordialmente|respeitosamente|abra[cç]os?|um (?:grande )?abra[cç]o|abs|sauda[cç][oõ]es|sds|(?:com os )?(?:meus )?(?:melhores )?cumprimentos|(?:kind|best|warm)(?:est)? regards|regards|sincerely|yours (?:truly|sincerely|faithfully)|cheers|saludos(?: cordiales)?|un (?:cordial )?saludo|un abrazo|atentamente)[\s,.!;:]{0,5}$/i
// Thanks close a mail too, but can as well open the next paragraph: only a name behind them makes them a closing.
const thanks =
  /^\s{0,10}(?:best|grat[oa]|desde j[aá] (?:obrigad[oa]|agrade[cç]o)|obrigad[oa]|muito obrigad[oa]|many thanks|thanks|thank you|muchas gracias|gracias)[\s,.!;:]{0,5}$/i
const name =
  /^\s{0,10}[*_]{0,2}\p{Lu}[\p{L}'’.-]{0,30}(?: (?:d[aeo]s?|del?|la|e|y|van|von|\p{Lu}[\p{L}'’.-]{0,30})){0,5}[*_]{0,2}\s{0,10}$/u
const delimiter = /^(?:--|—|–)\s{0,3}$/
const disclaimer =
  /^\s{0,10}[*_"']{0,3}(?:aviso legal|aviso de confidencialidad[e]?|confidencialidade|esta mensagem (?:e seus anexos |e qualquer anexo |, incluindo |pode conter|é confidencial|contém informa)|este e-?mail (?:e seus anexos |pode conter|é confidencial)|este mensaje (?:y sus |puede contener|es confidencial|contiene informaci)|este correo (?:electr[oó]nico )?(?:y sus |puede contener|es confidencial)|this (?:e-?mail|message) (?:and any |may contain|is confidential|is intended|contains confidential)|disclaimer|confidentiality notice|the information (?:contained )?in this)/i
const postscript = /^\s{0,10}(?:p\.?\s?s\.?|obs|nota)\s?[.:,-]/i

const maximumSignatureLines = 10
const maximumSignatureLineLength = 90

/** Whether what follows a closing line is a name block: few short lines, none of which asks or adds something. */
const isShortBlock = (lines: ReadonlyArray<string>, from: number): boolean => {
  let filled = 0
  for (let index = from; index < lines.length; index++) {
    const line = (lines[index] ?? "").trim()
    if (line === "") continue
    if (++filled > maximumSignatureLines || line.length > maximumSignatureLineLength) return false
    if (line.endsWith("?") || postscript.test(line)) return false
  }
  return true
}

/** The signature from `from` on, without the legal text that may follow it. */
const nameBlock = (lines: ReadonlyArray<string>, from: number): string => {
  const rest = lines.slice(from)
  const legal = rest.findIndex((line) => line.length <= maximumHeaderLength && disclaimer.test(line))
  return (legal < 0 ? rest : rest.slice(0, legal)).join("\n").trim()
}

const splitSignature = (
  lines: ReadonlyArray<string>
): { readonly kept: ReadonlyArray<string>; readonly cut: string } => {
  const kept: Array<string> = []
  // Only the last lines can hold a name block, so each is looked at against a bounded rest.
  const nearEnd = lastFilled(lines, 40)
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ""
    if (line.length <= maximumHeaderLength) {
      if (mobileSignature.test(line) && device.test(line)) continue
      const endsHere =
        (kept.length > 0 && disclaimer.test(line)) ||
        (index >= nearEnd && delimiter.test(line)) ||
        (index >= nearEnd && farewell.test(line) && isShortBlock(lines, index + 1)) ||
        (index >= nearEnd &&
          thanks.test(line) &&
          name.test(lines[firstFilled(lines, index + 1)] ?? "") &&
          isShortBlock(lines, index + 1))
      if (endsHere && kept.some((text) => text.trim() !== "")) {
        return { kept, cut: nameBlock(lines, index) }
      }
    }
    kept.push(line)
  }
  return { kept, cut: "" }
}

/** The index of the line from which on at most `count` lines are filled. */
const lastFilled = (lines: ReadonlyArray<string>, count: number): number => {
  let filled = 0
  for (let index = lines.length - 1; index >= 0; index--) {
    if ((lines[index] ?? "").trim() !== "" && ++filled > count) return index + 1
  }
  return 0
}

// "> 50 funcionários" is an answer, not a quotation.
const comparison = /^\s{0,3}>\s?\d[\d.,]*\s?\S/

interface Scan {
  readonly own: Array<string>
  readonly quoted: Array<string>
  isInline: boolean
}

const restIsQuoted = (scan: Scan, lines: ReadonlyArray<string>, from: number): void => {
  for (let index = from; index < lines.length; index++) scan.quoted.push(lines[index] ?? "")
}

/** Whether everything from this line on is quoted. */
const opensRest = (lines: ReadonlyArray<string>, index: number): boolean => {
  const line = lines[index] ?? ""
  return (
    line.length <= maximumHeaderLength &&
    (forwardOrOriginal.test(line) ||
      beginForwarded.test(line) ||
      (underscores.test(line) && senderLabel.test(lines[firstFilled(lines, index + 1)] ?? "")) ||
      (rule.test(line) && isHeaderBlock(lines, firstFilled(lines, index + 1))) ||
      isHeaderBlock(lines, index))
  )
}

const scanLines = (lines: ReadonlyArray<string>): Scan => {
  const scan: Scan = { own: [], quoted: [], isInline: false }
  const quoteLines = lines.reduce((count, line) => (isQuoteLine(line) ? count + 1 : count), 0)
  let hasQuoted = false
  let index = 0
  while (index < lines.length) {
    const line = lines[index] ?? ""
    if (isQuoteLine(line) && !(quoteLines === 1 && !hasQuoted && comparison.test(line))) {
      scan.quoted.push(line)
      hasQuoted = true
      index++
      continue
    }
    const attribution = attributionLines(lines, index)
    if (attribution > 0) {
      for (let count = 0; count < attribution; count++) scan.quoted.push(lines[index + count] ?? "")
      const next = firstFilled(lines, index + attribution)
      // Quoted lines are told by their mark, and answers may stand between them; without marks all the rest is quoted.
      if (next >= lines.length || !isQuoteLine(lines[next] ?? "")) {
        restIsQuoted(scan, lines, index + attribution)
        break
      }
      hasQuoted = true
      index = next
      continue
    }
    if (opensRest(lines, index)) {
      restIsQuoted(scan, lines, index)
      break
    }
    const embedded = line.length > 40 ? embeddedAttribution(line) : -1
    if (embedded >= 0) {
      scan.own.push(line.slice(0, embedded))
      scan.quoted.push(line.slice(embedded))
      restIsQuoted(scan, lines, index + 1)
      break
    }
    if (hasQuoted && line.trim() !== "") scan.isInline = true
    scan.own.push(line)
    index++
  }
  return scan
}

const joined = (lines: ReadonlyArray<string>): string => {
  const text: Array<string> = []
  for (const line of lines) {
    const trimmed = line.trimEnd()
    if (trimmed !== "" || (text.length > 0 && text.at(-1) !== "")) text.push(trimmed)
  }
  return text.join("\n").trim()
}

/**
 * Takes the repeated earlier mail and the signature from a reply in plain text, or in HTML that was made plain text.
 * Knows the mail programs' headers in Portuguese, English and Spanish. Takes time linear in the length of the text.
 */
export const cutQuotedText = (text: string): CutText => {
  const lines = tidyText(text.slice(0, maximumLength)).split("\n")
  const scan = scanLines(lines)
  const { kept, cut } = splitSignature(scan.own)
  return { reply: joined(kept), signature: cut, quoted: joined(scan.quoted), isInline: scan.isInline }
}
