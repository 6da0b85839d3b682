import PDFParser from "pdf2json"
import type { DocumentBlock } from "../../../Services/Knowledge/Passages.ts"
import { DocumentRefused } from "./DocumentMessages.ts"

const maximumPages = 5000

interface Run {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly text: string
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The lines of a page, top down: runs at one height are one line. */
const linesOf = (runs: ReadonlyArray<Run>): ReadonlyArray<{ readonly text: string; readonly size: number }> => {
  const lines: Array<Array<Run>> = []
  for (const run of runs.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const last = lines.at(-1)
    if (last !== undefined && Math.abs((last[0]?.y ?? 0) - run.y) < 0.3) last.push(run)
    else lines.push([run])
  }
  return lines.map((line) => {
    const inOrder = line.toSorted((a, b) => a.x - b.x)
    return {
      text: inOrder
        .map(({ text }) => text)
        .join(" ")
        .replace(/\s+/g, " ")
        .trim(),
      size: Math.max(...inOrder.map(({ size }) => size))
    }
  })
}

/** The text of a PDF by its pages; larger lines are headings. Scripts and forms of it are not looked at. */
export const pdfBlocks = (bytes: Buffer): Promise<ReadonlyArray<DocumentBlock>> =>
  new Promise((resolve, reject) => {
    if (bytes.subarray(-4096).includes("/Encrypt") || bytes.subarray(0, 4096).includes("/Encrypt")) {
      return reject(new DocumentRefused("document_encrypted"))
    }
    const parser = new PDFParser()
    parser.on("pdfParser_dataError", (error) => {
      const message = error instanceof Error ? error.message : String(error.parserError)
      reject(new DocumentRefused(/password|encrypt/i.test(message) ? "document_encrypted" : "document_broken"))
    })
    parser.on("pdfParser_dataReady", ({ Pages: pages }) => {
      if (pages.length > maximumPages) return reject(new DocumentRefused("document_too_large"))
      const blocks: Array<DocumentBlock> = []
      const sizes = new Map<number, number>()
      const lines = pages.flatMap((page) =>
        linesOf(
          page.Texts.map(({ R: runs, x, y }) => ({
            x,
            y,
            size: runs[0]?.TS[1] ?? 0,
            text: runs.map(({ T }) => decoded(T)).join("")
          }))
        )
      )
      for (const { size, text } of lines) sizes.set(size, (sizes.get(size) ?? 0) + text.length)
      const usual = [...sizes].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0
      let paragraph: Array<string> = []
      const flush = (): void => {
        if (paragraph.length > 0) blocks.push({ kind: "text", text: paragraph.join(" ") })
        paragraph = []
      }
      for (const { size, text } of lines) {
        if (text === "") continue
        if (size > usual * 1.15 && text.length < 200) {
          flush()
          blocks.push({ kind: "heading", level: size > usual * 1.6 ? 1 : 2, text })
        } else paragraph.push(text)
      }
      flush()
      resolve(blocks)
    })
    parser.parseBuffer(bytes)
  })
