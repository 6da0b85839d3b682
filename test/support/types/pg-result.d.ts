/** What the driver collects the rows of an answer in. */
declare module "pg/lib/result.js" {
  export default class Result {
    rows: Array<unknown>
    fields: ReadonlyArray<{ readonly name: string }>
    addRow(row: unknown): void
  }
}
