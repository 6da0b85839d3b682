import { clip } from "../Text/PlainText.ts"

/** Enhanced status codes (RFC 3463) for a mailbox, domain or host that does not exist. */
const deadAddressCode = /^5\.(?:1\.(?:0|1|2|3|6|10)|2\.1|4\.4)$/
const enhancedCode = /\b([245]\.\d{1,3}\.\d{1,3})\b/
const replyCode = /(?:^|[\s:;#(])([45]\d\d)[\s-]/

// Words by which a plain 550 means a policy and not a missing mailbox.
const policyWords =
  /spam|block|polic|reputation|blacklist|denylist|listed|rbl|spf|dkim|dmarc|rate|limit|virus|content|reject(?:ed)? due|too many|denied|prohibit|banned|greylist|quota|full/i
const deadAddressWords =
  /no such|not exist|n[aã]o existe|no existe|n[aã]o (?:foi )?encontrad|no se (?:encontr|pudo encontrar)|unknown (?:user|recipient|mailbox|address)|(?:user|recipient|mailbox|address)(?: \S+){0,4} (?:unknown|(?:was|is|could)? ?n[o']t (?:be )?found|not found|does ?n[o']t exist|invalid|disabled|unavailable|inactive)|user unknown|invalid (?:recipient|mailbox|address)|account (?:has been )?(?:disabled|closed)|not a valid (?:mailbox|recipient)|no mailbox|host (?:or domain name )?not found/i

/** The enhanced status code in a server's response or a bounce. */
export const enhancedCodeIn = (text: string): string | undefined => enhancedCode.exec(text)?.[1]

/** 4 for a temporary refusal, 5 for a permanent one. */
export const refusalClassIn = (text: string): 4 | 5 | undefined => {
  const [digit] = enhancedCodeIn(text) ?? replyCode.exec(text)?.[1] ?? ""
  return digit === "4" ? 4 : digit === "5" ? 5 : undefined
}

/** Whether a permanent refusal of a recipient means that the address is dead for every sender. */
export const saysAddressDead = (code: string | undefined, text: string): boolean =>
  code === undefined || code === "5.0.0" || code === "5.1.0"
    ? deadAddressWords.test(text) && !policyWords.test(text)
    : deadAddressCode.test(code)

const maximumResponse = 500

/** A server's response as it is stored: one line of limited length. */
export const storedResponse = (response: string): string =>
  clip(response.replace(/[\p{Cc}\u2028\u2029\s]+/gu, " ").trim(), maximumResponse)
