import { fold } from "../Text/PlainText.ts"
import type { InboundReply } from "./ReplyText.ts"

/** Senders that only report failed deliveries (RFC 5321, RFC 2142 and common mail servers). */
const daemons: ReadonlySet<string> = new Set([
  "mailer-daemon",
  "postmaster",
  "mail-daemon",
  "mdaemon",
  "bounce",
  "bounces"
])

/** Subjects of reports of failed deliveries, folded. Only looked at where the headers say that a program wrote. */
const bounceSubjects: ReadonlyArray<string> = [
  "undeliver",
  "undelivered mail",
  "delivery status notification",
  "delivery failure",
  "delivery has failed",
  "mail delivery failed",
  "returned mail",
  "failure notice",
  "nao entregue",
  "falha na entrega",
  "nao foi possivel entregar",
  "no se pudo entregar",
  "no entregado",
  "error de entrega"
]

/** Whether a mail server reports that a message was not delivered. */
export const isBounce = ({ fromAddress = "", isAutoSubmitted, subject = "" }: InboundReply): boolean => {
  const local = (fromAddress.split("@")[0] ?? "").toLowerCase().split(/[+=]/)[0] ?? ""
  if (daemons.has(local)) return true
  const folded = fold(subject)
  return isAutoSubmitted === true && bounceSubjects.some((words) => folded.includes(words))
}
