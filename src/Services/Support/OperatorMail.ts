import { Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"
import { clip } from "../Text/PlainText.ts"
import { SupportRequestId } from "./Ids.ts"
import type { OperatorSupportRequest } from "./SupportRequests.ts"

/** The events of a request about which operators get mail. The messages of one request are one thread. */
export const OperatorMailSubject = Schema.Literal("asked", "answered", "closed")
export type OperatorMailSubject = typeof OperatorMailSubject.Type

/** Mails the operators about a request, never the account that made it. */
export const mailOperators = Task.make("mail_operators", {
  sends: "email",
  payload: Schema.Struct({ accountId: AccountId, supportRequestId: SupportRequestId, about: OperatorMailSubject })
})

/** The part of a thread message's Message-ID before the @. It is the same on each attempt. */
export const operatorLetterId = (
  { account_id, support_request_id }: Pick<OperatorSupportRequest, "account_id" | "support_request_id">,
  about: OperatorMailSubject
): string => `support-${account_id}-${support_request_id}-${about}`

export const oneLine = (text: string): string => clip(text.replace(/\s+/g, " ").trim(), 80)

/** Marks each line as quoted, so that the text cannot be mistaken for the platform's. */
export const quoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n")

/** The subject and the text. */
export const operatorMail = (
  request: OperatorSupportRequest,
  about: OperatorMailSubject
): { readonly subject: string; readonly text: string } => {
  const { account_id: account, account_name: name, severity, support_request_id: id, type } = request
  const subject = `[support ${account}-${id}] ${severity} ${type}: ${oneLine(request.message)}`
  switch (about) {
    case "asked":
      return {
        subject,
        text: `Account ${account} (${oneLine(name)}) asks:\n\n${quoted(request.message)}\n\nAnswer with\n\n  gateway support answer --account ${account} --request ${id} --text "…"\n\nAnswers by mail do not reach the account.`
      }
    case "answered":
      return { subject: `Re: ${subject}`, text: `Answered:\n\n${request.answer ?? ""}` }
    case "closed":
      return { subject: `Re: ${subject}`, text: "Closed." }
  }
}
