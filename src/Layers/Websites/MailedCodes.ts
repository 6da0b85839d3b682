import { randomInt } from "node:crypto"

/** Eight digits, which a mail tells and a person types. */
export const mailedCode = (): string => String(randomInt(100_000_000)).padStart(8, "0")

/** As a mail shows it. */
export const spokenCode = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`
