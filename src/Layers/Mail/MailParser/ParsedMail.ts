import type { InboundMail } from "../../../Services/Mail/MailInbox.ts"

// What the gateway itself needs of a message: the parser is loaded in threads alone.

/** Of one part's header, whose folded lines cost the library time by their square. */
export const maximumHeaderBytes = 96 * 1024

/** What a message says, in a form that can be sent from one thread to another. */
export interface ParsedMail extends Omit<InboundMail, "header" | "headers"> {
  /** Field bodies by lower-case name, unfolded. */
  readonly fields: ReadonlyMap<string, ReadonlyArray<string>>
}

export const inboundMail = ({ fields, ...mail }: ParsedMail): InboundMail => ({
  ...mail,
  header: (name) => fields.get(name)?.[0],
  headers: (name) => fields.get(name) ?? []
})

/** The header alone, where the whole cannot be read. */
export const headOf = (raw: Uint8Array): Buffer => {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, maximumHeaderBytes / 2))
  const ends = [bytes.indexOf("\r\n\r\n"), bytes.indexOf("\n\n")].filter((at) => at >= 0)
  return Buffer.concat([bytes.subarray(0, Math.min(bytes.length, ...ends)), Buffer.from("\r\n\r\n")])
}
