/** The receiving server's verdict on whether the sender is who `From` says. */
export type SenderCheck =
  | "passed"
  /** Someone else wrote the message in the sender's name. */
  | "failed"
  /** No trusted server reports a result. */
  | "unknown"

interface MethodResult {
  readonly method: string
  readonly result: string
  /** By `type.property` in lower case, such as `header.from`. */
  readonly properties: ReadonlyMap<string, string>
}

interface AuthenticationResults {
  /** The reporting server's name in lower case. */
  readonly server: string
  readonly results: ReadonlyArray<MethodResult>
}

interface Piece {
  readonly kind: "word" | "sign"
  readonly text: string
}

const longest = 8 * 1024
const maximumComments = 50
const signs = ";=/"

/** Splits a field into words, quoted words and signs, without comments. Undefined if the field is malformed. */
const piecesOf = (body: string): ReadonlyArray<Piece> | undefined => {
  const pieces: Array<Piece> = []
  let at = 0
  while (at < body.length) {
    const character = body[at] ?? ""
    if (/\s/.test(character)) {
      at++
    } else if (character === "(") {
      let depth = 0
      do {
        const inside = body[at]
        if (inside === "(") depth++
        else if (inside === ")") depth--
        else if (inside === "\\") at++
        if (depth > maximumComments || ++at > body.length) return undefined
      } while (depth > 0)
    } else if (character === '"') {
      let text = ""
      for (at++; body[at] !== '"'; at++) {
        if (body[at] === "\\") at++
        if (at >= body.length) return undefined
        text += body[at] ?? ""
      }
      at++
      pieces.push({ kind: "word", text })
    } else if (signs.includes(character)) {
      pieces.push({ kind: "sign", text: character })
      at++
    } else {
      const [word] = /^[^\s();="/]+/.exec(body.slice(at, at + 1000)) ?? []
      if (word === undefined) return undefined
      pieces.push({ kind: "word", text: word })
      at += word.length
    }
  }
  return pieces
}

const isSign = (piece: Piece | undefined, text: string): boolean => piece?.kind === "sign" && piece.text === text
const wordOf = (piece: Piece | undefined): string | undefined => (piece?.kind === "word" ? piece.text : undefined)

/** One method's result and its properties. `pieces` is the text between two semicolons. */
const resultOf = (pieces: ReadonlyArray<Piece>): MethodResult | undefined => {
  const method = wordOf(pieces[0])
  // A version may follow the method, as in dkim/1=pass.
  const equals = isSign(pieces[1], "/") ? 3 : 1
  const result = wordOf(pieces[equals + 1])
  if (method === undefined || result === undefined || !isSign(pieces[equals], "=")) return undefined
  const properties = new Map<string, string>()
  for (let at = equals + 2; at + 2 < pieces.length; at++) {
    const name = wordOf(pieces[at])?.toLowerCase()
    const value = wordOf(pieces[at + 2])?.toLowerCase()
    if (name === undefined || value === undefined || !isSign(pieces[at + 1], "=")) continue
    if (!properties.has(name)) properties.set(name, value)
    at += 2
  }
  return { method: method.toLowerCase(), result: result.toLowerCase(), properties }
}

/** Parses the body of an `Authentication-Results` field (RFC 8601). Undefined if it is malformed. */
export const readAuthenticationResults = (body: string): AuthenticationResults | undefined => {
  if (body.length > longest) return undefined
  const pieces = piecesOf(body)
  if (pieces === undefined) return undefined
  const parts: Array<Array<Piece>> = [[]]
  for (const piece of pieces) {
    if (isSign(piece, ";")) parts.push([])
    else parts.at(-1)?.push(piece)
  }
  const [name = [], ...methods] = parts
  const server = wordOf(name[0])
  // A version may follow the name. Anything else is not a server's name.
  const isNamed = name.length === 1 || (name.length === 2 && /^\d{1,5}$/.test(wordOf(name[1]) ?? ""))
  if (server === undefined || !isNamed) return undefined
  return {
    server: server.toLowerCase(),
    results: methods.flatMap((method) => {
      const result = resultOf(method)
      return result === undefined ? [] : [result]
    })
  }
}

const dmarcOf = (results: AuthenticationResults): MethodResult | undefined =>
  results.results.find(({ method }) => method === "dmarc")

/** Whether the result concerns the sender's domain. A server may have checked another address. */
const isAbout = ({ properties }: MethodResult, domain: string): boolean => {
  const checked = properties.get("header.from")?.replace(/^.*@/, "")
  return checked === undefined || checked === domain || (checked.includes(".") && domain.endsWith(`.${checked}`))
}

/**
 * The verdict of the trusted servers. Each server writes its field above the existing ones, so only the topmost field
 * of a trusted server can prove the sender: the sender may have written those below. A failed check counts from any
 * trusted server, unless the topmost field contradicts it.
 */
export const senderCheck = (options: {
  /** Bodies of the message's `Authentication-Results` fields, topmost first. */
  readonly fields: ReadonlyArray<string>
  /** The names of the trusted servers in these fields. */
  readonly servers: ReadonlyArray<string>
  readonly fromAddress: string | undefined
  /** The number of `From` fields. Only one can have been checked. */
  readonly fromFields: number
}): SenderCheck => {
  const { fields, fromAddress, fromFields, servers } = options
  const domain = fromAddress?.split("@").at(-1)?.toLowerCase()
  const names = new Set(servers.map((server) => server.toLowerCase()))
  const trustedResults = fields.flatMap((field) => {
    const results = readAuthenticationResults(field)
    return results !== undefined && names.has(results.server) ? [results] : []
  })
  const [topmost] = trustedResults
  if (topmost === undefined) return "unknown"
  const dmarc = dmarcOf(topmost)
  if (dmarc?.result === "fail") return "failed"
  if (dmarc !== undefined) {
    const isSender = domain !== undefined && fromFields === 1 && isAbout(dmarc, domain)
    return dmarc.result === "pass" && isSender ? "passed" : "unknown"
  }
  return trustedResults.some((results) => dmarcOf(results)?.result === "fail") ? "failed" : "unknown"
}
