import { Chunk, Effect, Layer, Option, type Scope, Stream } from "effect"
import { type ImportRow, isBlank } from "../../Services/LeadFiles/ImportRow.ts"
import { type LeadFile, LeadFileError, LeadFileReader, type LeadFileRow } from "../../Services/LeadFiles/LeadFile.ts"
import type { LeadFileColumn } from "../../Services/LeadFiles/LeadFileColumns.ts"
import {
  columnReport,
  headerSearchRows,
  type LeadFileColumns,
  recogniseColumns,
  toLeadFileRow
} from "../../Services/LeadFiles/LeadFileHeaders.ts"
import { allBytes, openBytes } from "./LeadFileReader/ByteSource.ts"
import { delimitedRows, type RowBatches } from "./LeadFileReader/DelimitedText.ts"
import { contentOf, type FileContent } from "./LeadFileReader/FileSignature.ts"
import { defaultLimits, type LeadFileLimits } from "./LeadFileReader/Limits.ts"
import { workbookRows } from "./LeadFileReader/Workbook.ts"

const fileTypes: Record<string, { readonly format: "text" | "xlsx" | "xls"; readonly content: FileContent }> = {
  csv: { format: "text", content: "text" },
  txt: { format: "text", content: "text" },
  xlsx: { format: "xlsx", content: "zip" },
  xls: { format: "xls", content: "compound_document" }
}

const extensionOf = (fileName: string) => /\.([a-z0-9]{1,10})$/i.exec(fileName.slice(-20))?.[1]?.toLowerCase() ?? ""

const unsupportedType = () =>
  new LeadFileError({
    reason: "unsupported_file_type",
    message: "Leads are imported from .csv, .xlsx, .xls and .txt files.",
    detail: "Save the file as one of these types, with the matching ending in its name."
  })

const contentNames: Record<FileContent, string> = {
  zip: "a zip archive or an .xlsx workbook",
  compound_document: "an .xls workbook or another Office document",
  pdf: "a PDF document",
  picture: "a picture",
  archive: "an archive",
  html: "a web page (HTML)",
  xml: "XML",
  rich_text: "rich text (RTF)",
  binary: "binary data",
  text: "plain text"
}

const wrongContent = (extension: string, content: FileContent) =>
  new LeadFileError({
    reason: "content_does_not_match_extension",
    message: `The file's name ends in .${extension}, but its content is ${contentNames[content]}.`,
    detail: "Save it as .xlsx or CSV from a spreadsheet program."
  })

const encryptedWorkbook = () =>
  new LeadFileError({
    reason: "malformed_file",
    message: "The workbook is protected by a password.",
    detail: "Save a copy without the password, and upload that."
  })

const emptyFile = () =>
  new LeadFileError({
    reason: "empty_file",
    message: "The file is empty.",
    detail: "Upload a file with a header row and at least one lead."
  })

const noDataRows = () =>
  new LeadFileError({
    reason: "no_data_rows",
    message: "The file has a header but no leads below it.",
    detail: "Add at least one row with an e-mail address or a phone number."
  })

const tooManyRows = (rows: number) =>
  new LeadFileError({
    reason: "too_many_rows",
    message: `The file has more than ${rows} rows.`,
    detail: "Split the file and import its parts one after the other."
  })

/** An .xlsx file with a password is a compound document. Its directory names the encrypted package. */
const encryptedPackage = Buffer.from("EncryptedPackage", "utf16le")

const openRows = <E>(
  file: LeadFile<E>,
  limits: LeadFileLimits,
  places: Effect.Semaphore
): Effect.Effect<RowBatches<E>, E | LeadFileError, Scope.Scope> =>
  Effect.gen(function* () {
    const extension = extensionOf(file.fileName)
    const type = Object.hasOwn(fileTypes, extension) ? fileTypes[extension] : undefined
    if (type === undefined) return yield* unsupportedType()
    const maximumBytes = type.format === "text" ? limits.textBytes : limits.workbookBytes
    const source = yield* openBytes(file.bytes, file.sizeBytes, maximumBytes)
    if (source.head.length === 0) return yield* emptyFile()
    const content = contentOf(source.head)
    if (content !== type.content) {
      const mayBeEncrypted = content === "compound_document" && type.format === "xlsx"
      const encrypted = mayBeEncrypted && Buffer.from(yield* allBytes(source)).includes(encryptedPackage)
      return yield* encrypted ? encryptedWorkbook() : wrongContent(extension, content)
    }
    return yield* type.format === "text"
      ? delimitedRows(source, limits)
      : workbookRows(source, type.format, limits, places)
  })

/** Converts rows to leads. The first rows determine the columns, then each batch is mapped. */
const leadRows = <E>(
  batches: RowBatches<E>,
  maximumRows: number,
  observeColumns: ((columns: ReadonlyArray<LeadFileColumn>) => void) | undefined
): Stream.Stream<LeadFileRow, E | LeadFileError> =>
  Stream.suspend(() => {
    let columns: LeadFileColumns | undefined
    let headRows: Array<ImportRow> = []
    let isEnded = false
    let emittedCount = 0

    const nextRows = Effect.map(batches, (rows) => {
      isEnded = rows.length === 0
      return rows.filter((row) => !isBlank(row.cells))
    })

    const findColumns = Effect.gen(function* () {
      while (headRows.length < headerSearchRows && !isEnded) headRows.push(...(yield* nextRows))
      if (headRows.length === 0) return yield* emptyFile()
      const head = headRows.slice(0, headerSearchRows)
      const columnMatch = yield* recogniseColumns(head)
      observeColumns?.(columnReport(columnMatch, head))
      const rows = headRows.filter((row) => row.fileRow > columnMatch.headerRow)
      headRows = []
      return { columnMatch: columnMatch, rows }
    })

    const next: Effect.Effect<Chunk.Chunk<LeadFileRow>, Option.Option<E | LeadFileError>> = Effect.gen(function* () {
      let rows: ReadonlyArray<ImportRow> = []
      if (columns === undefined) {
        const first = yield* findColumns
        columns = first.columnMatch
        rows = first.rows
      }
      while (rows.length === 0 && !isEnded) rows = yield* nextRows
      if (rows.length === 0 && emittedCount === 0) return yield* noDataRows()
      emittedCount += rows.length
      if (emittedCount > maximumRows) return yield* tooManyRows(maximumRows)
      const columnMatch = columns
      return Chunk.unsafeFromArray(rows.map((row) => toLeadFileRow(columnMatch, row)))
    }).pipe(
      Effect.mapError(Option.some),
      Effect.filterOrFail(Chunk.isNonEmpty, () => Option.none())
    )

    return Stream.repeatEffectChunkOption(next)
  })

/** Makes the reader with these limits. */
export const make = (limits: LeadFileLimits) =>
  Effect.map(Effect.makeSemaphore(limits.workbooksAtOnce), (places) =>
    LeadFileReader.of({
      read: (file, observeColumns) =>
        openRows(file, limits, places).pipe(
          Effect.map((batches) => leadRows(batches, limits.rows, observeColumns)),
          Stream.unwrapScoped,
          Stream.withSpan("LeadFileReader.read")
        )
    })
  )

export const layer: Layer.Layer<LeadFileReader> = Layer.effect(LeadFileReader, make(defaultLimits))
