import { Effect } from "effect"
import { inboundMail } from "../../../src/Layers/Mail/MailParser/ParsedMail.ts"
import { parseRaw } from "../../../src/Layers/Mail/MailParser/ParseMail.ts"

/** Reads a message in this thread. */
export const parseMail = (raw: Uint8Array) => Effect.map(parseRaw(raw), inboundMail)
