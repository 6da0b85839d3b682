/** How the driver writes a value: without types of its own. */
declare module "pg/lib/utils.js" {
  export function prepareValue(value: unknown): string | Buffer | null
}
