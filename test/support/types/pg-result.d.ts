/** The driver's collector of an answer's rows. */
declare module "pg/lib/result.js" {
  export default class Result {
    rows: Array<unknown>
    fields: ReadonlyArray<{ readonly name: string }>
    addRow(row: unknown): void
  }
}
