import { Effect } from "effect"
import PDFDocument from "pdfkit"
import type { Page, Presentation } from "../../Services/Presentations/PresentationPages.ts"
import {
  type Document,
  heightOf,
  ink,
  inner,
  margin,
  type Palette,
  palettes,
  quiet,
  setText,
  size,
  type Typeface
} from "./PdfCanvas.ts"

const footer = (doc: Document, presentation: Presentation, palette: Palette, number: number): void => {
  const y = size.height - 40
  doc.rect(margin, y - 12, inner, 0.75).fill("#d5dbe1")
  const common = { y, height: 14, font: "Regular", size: 10, color: quiet } as const
  setText(doc, presentation.footer, { ...common, x: margin, width: inner - 100 })
  const place = `${number} / ${presentation.pages.length}`
  const width = doc.font("SemiBold").fontSize(10).widthOfString(place) + 2
  setText(doc, place, {
    ...common,
    font: "SemiBold",
    color: palette.accent,
    x: size.width - margin - width,
    width: width + 2
  })
}

const heading = (doc: Document, text: string, palette: Palette): number => {
  doc.rect(0, 0, 12, size.height).fill(palette.deep)
  doc.rect(margin, 58, 44, 5).fill(palette.accent)
  const taken = setText(doc, text, {
    x: margin,
    y: 76,
    width: inner,
    height: 76,
    font: "Bold",
    size: 32,
    smallest: 22,
    color: palette.deep
  })
  return 76 + taken + 18
}

type PageOf<T extends Page["_tag"]> = Extract<Page, { readonly _tag: T }>

/** Draws the logo in a tile, as large as possible. */
const drawLogo = (doc: Document, logo: Uint8Array): void => {
  const [side, x, y, border] = [60, margin, 58, 6]
  doc.roundedRect(x, y, side, side, 14).fill("#ffffff")
  doc.image(Buffer.from(logo), x + border, y + border, {
    fit: [side - 2 * border, side - 2 * border],
    align: "center",
    valign: "center"
  })
}

/** Draws the business's initials in a tile, if there is no logo. */
const drawMark = (doc: Document, name: string, palette: Palette): void => {
  const words = name.split(/\s+/).filter((word) => /^\p{Lu}|^\p{N}/u.test(word))
  const initials = (words.length === 0 ? [name] : words)
    .slice(0, 2)
    .map((word) => [...word][0] ?? "")
    .join("")
  const [side, x, y] = [60, margin, 58]
  doc.roundedRect(x, y, side, side, 14).fill("#ffffff")
  const fontSize = initials.length > 1 ? 25 : 32
  const font = doc.font("Bold").fontSize(fontSize)
  setText(doc, initials, {
    x: x + (side - font.widthOfString(initials)) / 2,
    y: y + (side - font.currentLineHeight()) / 2,
    width: side,
    height: side,
    font: "Bold",
    size: fontSize,
    color: palette.deep
  })
}

const drawCover = (doc: Document, page: PageOf<"Cover">, palette: Palette, logo: Uint8Array | undefined): void => {
  doc.rect(0, 0, size.width, size.height).fill(palette.deep)
  doc.rect(0, size.height - 150, size.width, 150).fill(palette.accent)
  doc
    .circle(size.width - 80, 70, 190)
    .fillOpacity(0.12)
    .fill("#ffffff")
    .fillOpacity(1)
  doc
    .circle(size.width - 20, 240, 90)
    .fillOpacity(0.1)
    .fill("#ffffff")
    .fillOpacity(1)
  const white = "#ffffff"
  const width = inner - 120
  if (logo === undefined) drawMark(doc, page.title, palette)
  else drawLogo(doc, logo)
  setText(doc, page.label, {
    x: margin + 84,
    y: 79,
    width: width - 84,
    height: 18,
    font: "SemiBold",
    size: 13,
    color: palette.tint
  })
  const title = setText(doc, page.title, {
    x: margin,
    y: 142,
    width,
    height: 110,
    font: "Bold",
    size: 50,
    smallest: 28,
    color: white
  })
  if (page.subtitle !== undefined) {
    const y = 142 + title + 14
    setText(doc, page.subtitle, {
      x: margin,
      y,
      width,
      height: size.height - 166 - y,
      font: "Regular",
      size: 18,
      smallest: 14,
      color: palette.tint
    })
  }
  const bottom = size.height - 122
  setText(doc, page.preparedFor, {
    x: margin,
    y: bottom,
    width: inner,
    height: 18,
    font: "Regular",
    size: 13,
    color: white
  })
  setText(doc, page.recipient, {
    x: margin,
    y: bottom + 24,
    width: inner,
    height: 32,
    font: "Bold",
    size: 24,
    smallest: 14,
    color: white
  })
  if (page.company !== undefined && page.company !== page.recipient) {
    setText(doc, page.company, {
      x: margin,
      y: bottom + 60,
      width: inner,
      height: 24,
      font: "Regular",
      size: 16,
      smallest: 12,
      color: white
    })
  }
}

const drawStatement = (doc: Document, page: PageOf<"Statement">, palette: Palette): void => {
  const top = heading(doc, page.heading, palette)
  const hasPoints = page.points.length > 0
  const statement = setText(doc, page.statement, {
    x: margin,
    y: top,
    width: inner,
    height: hasPoints ? 130 : 300,
    font: "SemiBold",
    size: hasPoints ? 26 : 30,
    smallest: 15,
    color: ink
  })
  const first = top + statement + 32
  const each = Math.min(62, (size.height - 66 - first) / Math.max(1, page.points.length))
  page.points.forEach((point, index) => {
    const y = first + index * each
    doc.circle(margin + 5, y + 12, 4.5).fill(palette.accent)
    setText(doc, point, {
      x: margin + 26,
      y,
      width: inner - 26,
      height: each - 8,
      font: "Regular",
      size: 20,
      smallest: 11,
      color: ink
    })
  })
}

const drawCards = (doc: Document, page: PageOf<"Cards">, palette: Palette): void => {
  const top = heading(doc, page.heading, palette)
  const introduction = setText(doc, page.introduction, {
    x: margin,
    y: top,
    width: inner,
    height: 64,
    font: "Regular",
    size: 17,
    smallest: 13,
    color: ink
  })
  const gap = 20
  const cardTop = top + introduction + 30
  const width = (inner - gap * (page.cards.length - 1)) / page.cards.length
  // All cards are as tall as the one with the longest text, so that they line up.
  const textHeight = Math.max(...page.cards.map(({ text }) => heightOf(doc, text, { width: width - 48, size: 18 })))
  const cardHeight = Math.min(104 + textHeight, size.height - 70 - cardTop)
  page.cards.forEach(({ text, title }, index) => {
    const x = margin + index * (width + gap)
    doc.roundedRect(x, cardTop, width, cardHeight, 10).fill(palette.tint)
    doc.rect(x + 22, cardTop + 24, 26, 4).fill(palette.accent)
    setText(doc, title, {
      x: x + 22,
      y: cardTop + 40,
      width: width - 44,
      height: 26,
      font: "Bold",
      size: 20,
      smallest: 13,
      color: palette.deep
    })
    setText(doc, text, {
      x: x + 22,
      y: cardTop + 76,
      width: width - 44,
      height: cardHeight - 86,
      font: "Regular",
      size: 18,
      smallest: 11,
      color: ink
    })
  })
}

const drawQuestions = (doc: Document, page: PageOf<"Questions" | "List">, palette: Palette): void => {
  const top = heading(doc, page.heading, palette)
  setText(doc, page.introduction, {
    x: margin,
    y: top,
    width: inner,
    height: 22,
    font: "Regular",
    size: 15,
    color: quiet
  })
  const gap = 16
  // A few items are listed in larger letters. In columns, three of them would leave a gap.
  const columns = page.items.length > 3 ? 2 : 1
  const points = [24, 22, 19][page.items.length - 1] ?? 16
  const first = top + 38
  const rows = Math.ceil(page.items.length / columns)
  const width = (inner - gap * (columns - 1)) / columns
  const most = (size.height - 70 - first - gap * (rows - 1)) / rows
  const needed = page.items.map(
    ({ text, title }) =>
      46 +
      heightOf(doc, title, { width: width - 40, size: points, font: "SemiBold" }) +
      heightOf(doc, text, { width: width - 40, size: points })
  )
  const rowHeights = Array.from({ length: rows }, (_, row) =>
    Math.min(most, Math.max(...needed.slice(row * columns, (row + 1) * columns)))
  )
  page.items.forEach(({ link, text, title }, index) => {
    const row = Math.floor(index / columns)
    const height = rowHeights[row] ?? most
    const x = margin + (index % columns) * (width + gap)
    const y = first + rowHeights.slice(0, row).reduce((sum, above) => sum + above + gap, 0)
    doc.roundedRect(x, y, width, height, 10).fill(palette.tint)
    const asked = setText(doc, title, {
      x: x + 20,
      y: y + 16,
      width: width - 40,
      height: 3 * points,
      font: "SemiBold",
      size: points,
      smallest: 11,
      color: palette.deep,
      ...(link === undefined ? {} : { link })
    })
    setText(doc, text, {
      x: x + 20,
      y: y + 16 + asked + 6,
      width: width - 40,
      height: height - asked - 36,
      font: "Regular",
      size: points,
      smallest: 9,
      color: ink
    })
  })
}

const drawSteps = (doc: Document, page: PageOf<"Steps">, palette: Palette): void => {
  const top = heading(doc, page.heading, palette)
  const each = 72
  page.steps.forEach(({ text, title }, index) => {
    const y = top + 6 + index * each
    doc.circle(margin + 20, y + 20, 20).fill(palette.accent)
    const number = String(index + 1)
    const width = doc.font("Bold").fontSize(17).widthOfString(number)
    setText(doc, number, {
      x: margin + 20 - width / 2,
      y: y + 10,
      width: width + 4,
      height: 22,
      font: "Bold",
      size: 17,
      color: "#ffffff"
    })
    setText(doc, title, {
      x: margin + 60,
      y,
      width: inner - 60,
      height: 22,
      font: "Bold",
      size: 17,
      color: palette.deep
    })
    setText(doc, text, {
      x: margin + 60,
      y: y + 24,
      width: inner - 60,
      height: 40,
      font: "Regular",
      size: 14,
      smallest: 11,
      color: ink
    })
  })
  const box = top + 6 + page.steps.length * each + 8
  const height = 44 + (page.website === undefined ? 1 : 2) * 28
  doc.roundedRect(margin, box, inner, height, 10).fill(palette.deep)
  setText(doc, page.contact, {
    x: margin + 28,
    y: box + 20,
    width: 240,
    height: 26,
    font: "Bold",
    size: 19,
    color: "#ffffff"
  })
  const contacts: ReadonlyArray<readonly [text: string, link: string | undefined]> = [
    [page.email, `mailto:${page.email}`],
    ...(page.website === undefined
      ? []
      : [[page.website, /^https?:\/\/\S+$/i.test(page.website) ? page.website : undefined] as const])
  ]
  contacts.forEach(([text, link], index) => {
    setText(doc, text, {
      x: margin + 290,
      y: box + 20 + index * 28,
      width: inner - 318,
      height: 22,
      font: "SemiBold",
      size: 16,
      smallest: 10,
      color: "#ffffff",
      ...(link === undefined ? {} : { link })
    })
  })
}

const drawPage = (doc: Document, presentation: Presentation, palette: Palette, page: Page, number: number): void => {
  switch (page._tag) {
    case "Cover":
      return drawCover(doc, page, palette, presentation.logo)
    case "Statement":
      drawStatement(doc, page, palette)
      break
    case "Cards":
      drawCards(doc, page, palette)
      break
    case "Questions":
    case "List":
      drawQuestions(doc, page, palette)
      break
    case "Steps":
      drawSteps(doc, page, palette)
  }
  footer(doc, presentation, palette, number)
}

const beginDocument = (presentation: Presentation, typeface: Typeface): Document => {
  const doc = new PDFDocument({
    size: [size.width, size.height],
    margin: 0,
    autoFirstPage: false,
    lang: presentation.language,
    displayTitle: true,
    // Without this date the library uses the current time, and derives the document's id from it.
    info: { Title: presentation.title, Author: presentation.footer, CreationDate: new Date(presentation.madeAt) }
  })
  for (const [weight, bytes] of Object.entries(typeface)) doc.registerFont(weight, bytes)
  return doc
}

const bytesOf = (doc: Document): Effect.Effect<Uint8Array> =>
  Effect.async<Uint8Array>((resume) => {
    const chunks: Array<Buffer> = []
    doc.on("data", (chunk: Buffer) => chunks.push(chunk))
    doc.on("end", () => resume(Effect.succeed(Buffer.concat(chunks))))
    doc.on("error", (error: Error) => resume(Effect.die(error)))
    doc.end()
  })

/** The presentation as a PDF. The same presentation gives the same bytes. */
export const presentationPdf = (presentation: Presentation, typeface: Typeface): Effect.Effect<Uint8Array> =>
  Effect.gen(function* () {
    const palette = palettes[presentation.palette % palettes.length] ?? palettes[0]
    const doc = beginDocument(presentation, typeface)
    for (const [index, page] of presentation.pages.entries()) {
      doc.addPage()
      drawPage(doc, presentation, palette, page, index + 1)
    }
    return yield* bytesOf(doc)
  })
