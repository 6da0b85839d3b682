import { randomInt } from "node:crypto"

/** Eight digits that a person types from a mail. */
export const mailedCode = (): string => String(randomInt(100_000_000)).padStart(8, "0")

/** Returns the code in the form that a mail shows. */
export const spokenCode = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`
