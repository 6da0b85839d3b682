// Imports nothing: the thread that parses workbooks loads it, and should load little else.

/** A row of a lead file. `fileRow` counts from 1, including blank rows. */
export interface ImportRow {
  readonly fileRow: number
  readonly cells: ReadonlyArray<string>
}

/** Further columns are ignored, because a hostile row may have thousands. */
export const maximumColumns = 256

/** The most characters of a field that are stored. */
export const maximumFieldLength = 1000

/** True for a row that has nothing but white space. */
export const isBlank = (cells: ReadonlyArray<string>): boolean => cells.every((cell) => cell.trim() === "")
