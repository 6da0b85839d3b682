import { CFB, utils, type WorkBook, write } from "@e965/xlsx"
import { crc32, deflateRawSync, constants } from "node:zlib"

export type Cell = string | number | boolean | Date | null | { readonly f: string } | { readonly v: number; z: string }
