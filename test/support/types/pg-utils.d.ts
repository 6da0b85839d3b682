/** The driver's conversion of values, which has no types. */
declare module "pg/lib/utils.js" {
  export function prepareValue(value: unknown): string | Buffer | null
}
