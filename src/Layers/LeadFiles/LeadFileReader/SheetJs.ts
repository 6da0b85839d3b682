import { CFB, SSF } from "@e965/xlsx"

// The spreadsheet library has no types for these two parts.

interface DateCode {
  readonly y: number
  readonly m: number
  readonly d: number
  readonly H: number
  readonly M: number
  readonly S: number
}

interface NumberFormats {
  readonly is_date: (format: string) => boolean
  readonly parse_date_code: (serial: number, options: { readonly date1904: boolean }) => DateCode | null
}

interface Container {
  readonly FullPaths: ReadonlyArray<string>
}

interface Containers {
  readonly read: (bytes: Buffer, options: { readonly type: "buffer" }) => Container
  readonly write: (
    container: Container,
    options: { readonly type: "buffer"; readonly fileType?: "cfb" | "zip"; readonly compression?: boolean }
  ) => Buffer
  readonly find: (container: Container, path: string) => { readonly content: Uint8Array } | null
  readonly utils: {
    readonly cfb_new: () => Container
    readonly cfb_add: (container: Container, path: string, content: Buffer, options?: { readonly unsafe: true }) => void
  }
}

const hasAll = (value: unknown, names: ReadonlyArray<string>) =>
  typeof value === "object" && value !== null && names.every((name) => name in value)

const isNumberFormats = (value: unknown): value is NumberFormats => hasAll(value, ["is_date", "parse_date_code"])
const isContainers = (value: unknown): value is Containers => hasAll(value, ["read", "write", "find", "utils"])

const checked = <A>(value: unknown, isIt: (value: unknown) => value is A): A => {
  if (!isIt(value)) throw new TypeError("The spreadsheet library has changed.")
  return value
}

export const numberFormats: NumberFormats = checked(SSF, isNumberFormats)

/** Reads and writes compound documents and zip archives. */
export const containers: Containers = checked(CFB, isContainers)
