import type { InboundMail } from "../../../Services/Mail/MailInbox.ts"

// This file is used outside the parser's threads, so it must not import the parser.

/** The limit of one part's header. The library needs quadratic time for folded header lines. */
export const maximumHeaderBytes = 96 * 1024

/** A parsed message, in a form that can be passed between threads. */
export interface ParsedMail extends Omit<InboundMail, "header" | "headers"> {
  /** Field bodies by lower-case name, unfolded. */
  readonly fields: ReadonlyMap<string, ReadonlyArray<string>>
}

export const inboundMail = ({ fields, ...mail }: ParsedMail): InboundMail => ({
  ...mail,
  header: (name) => fields.get(name)?.[0],
  headers: (name) => fields.get(name) ?? []
})

/** Returns only the header, for messages that cannot be parsed. */
export const headOf = (raw: Uint8Array): Buffer => {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, maximumHeaderBytes / 2))
  const ends = [bytes.indexOf("\r\n\r\n"), bytes.indexOf("\n\n")].filter((at) => at >= 0)
  return Buffer.concat([bytes.subarray(0, Math.min(bytes.length, ...ends)), Buffer.from("\r\n\r\n")])
}
