// Imports nothing: the thread that parses workbooks loads it, and should load little else.

/** A row as a lead file has it. `fileRow` counts from 1, blank rows included. */
export interface ImportRow {
  readonly fileRow: number
  readonly cells: ReadonlyArray<string>
}

/** Further columns are not looked at: a hostile row may have thousands. */
export const maximumColumns = 256

/** Characters that are kept of a field. */
export const maximumFieldLength = 1000

/** True for a row that has nothing but white space. */
export const isBlank = (cells: ReadonlyArray<string>): boolean => cells.every((cell) => cell.trim() === "")
