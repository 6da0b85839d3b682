import { fold } from "../Text/PlainText.ts"

/** A line that closes a mail: "Abraços,", "Best regards,". */
const closingLine =
  /^(?:atenciosamente|att|cordialmente|abraco|abracos|um abraco|abs|obrigado|obrigada|ate breve|ate logo|saudacoes|com os melhores cumprimentos|respeitosamente|best|best regards|kind regards|warm regards|regards|sincerely|thanks|thank you|many thanks|cheers|all the best|saludos|saludos cordiales|un saludo|un abrazo|atentamente|cordiales saludos|quedo atent[oa]|gracias)[,.!]?$/

export const isClosingLine = (line: string): boolean => line.length <= 60 && closingLine.test(fold(line).trim())

const same = (one: string, other: string): boolean => fold(one).trim() === fold(other).trim()

/** The text without a signature of its writer that is appended anyway. */
const withoutNameBlock = (
  lines: ReadonlyArray<string>,
  names: ReadonlyArray<string>,
  signature: string
): Array<string> => {
  const rest = [...lines]
  const signatureLines = [...names, ...signature.split("\n")].filter((line) => line.trim() !== "")
  for (let removed = 0; removed < 8; removed++) {
    while (rest.length > 0 && rest.at(-1)?.trim() === "") rest.pop()
    const last = rest.at(-1) ?? ""
    const bare = last.replace(/^[-–—*\s]+/, "")
    if (rest.length < 2 || isClosingLine(last) || !signatureLines.some((line) => same(line, bare))) break
    rest.pop()
  }
  return rest
}

/**
 * The rule for the end of an e-mail, which no model decides: the account's signature unchanged, or else the sender's
 * name, or else the business. An existing closing line is not repeated.
 */
export const withSignature = (
  body: string,
  sender: { readonly name?: string | undefined; readonly emailSignature?: string | undefined },
  businessName: string
): string => {
  const signature =
    (sender.emailSignature ?? "").trim() === "" ? (sender.name ?? businessName) : (sender.emailSignature ?? "")
  const lines = withoutNameBlock(body.trimEnd().split("\n"), [sender.name ?? businessName, businessName], signature)
  const opensWithClosing = isClosingLine(signature.trimStart().split("\n")[0] ?? "")
  if (opensWithClosing && isClosingLine(lines.at(-1) ?? "")) lines.pop()
  const text = lines.join("\n").trimEnd()
  return isClosingLine(lines.at(-1) ?? "") ? `${text}\n${signature}` : `${text}\n\n${signature}`
}
