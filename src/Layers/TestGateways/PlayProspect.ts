import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { notFound, refused } from "../../Errors.ts"
import { ChatAppSandbox } from "../../Services/ChatApp/ChatAppSandbox.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import {
  contactMissing,
  type Play,
  type PlayedView,
  playOutcomeMissing,
  playTextMissing
} from "../../Services/TestAccounts/TestClock.ts"
import { makeSandboxInbound } from "../Mail/sandbox/MailSandboxInbound.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { makeSandboxScripts } from "../Voice/sandbox/SandboxScript.ts"

interface LeadRow {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  /** The last mail that the lead got. */
  readonly mailId: number | null
}

const messageRefused = (detail: string) => refused("message_refused", "The account does not take the message.", detail)

/** Answers as a lead through the simulated services. The message is handled like one from outside. */
export const makePlayProspect = Effect.gen(function* () {
  const sql = yield* SqlClient
  const inbound = yield* makeSandboxInbound
  const scripts = yield* makeSandboxScripts
  const chat = yield* ChatAppSandbox

  const findLead = Effect.fnUntraced(function* (leadId: number) {
    const { accountId } = yield* Caller
    const rows = yield* sql<LeadRow>`
      select l.name, l.email, l.phone, (
        select s.sandbox_mail_id from email_message m
          join sandbox_mail s on s.account_id = m.account_id and s.email_message_id = m.email_message_id
        where m.account_id = l.account_id and m.lead_id = l.lead_id and s.direction = 'outbound'
        order by s.sandbox_mail_id desc limit 1) as "mailId"
      from lead l where l.account_id = ${accountId} and l.lead_id = ${leadId}`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("lead", "lead_id", leadId))
  })

  const write = Effect.fnUntraced(function* (lead: LeadRow, { isAutoReply, text }: Play) {
    const { accountId } = yield* Caller
    if (lead.email === null) return yield* contactMissing("email")
    if (text === undefined) return yield* playTextMissing
    yield* inbound
      .deliver(accountId, {
        from: lead.email,
        from_name: lead.name,
        text,
        is_auto_reply: isAutoReply,
        ...(lead.mailId === null ? {} : { in_reply_to_sandbox_mail_id: lead.mailId })
      })
      .pipe(Effect.catchTag("RequestRefused", ({ detail }) => messageRefused(detail)))
  })

  const chatWith = Effect.fnUntraced(function* (lead: LeadRow, { text }: Play) {
    if (lead.phone === null) return yield* contactMissing("phone")
    if (text === undefined) return yield* playTextMissing
    yield* chat
      .receive({ from: lead.phone, text, file: undefined })
      .pipe(Effect.catchTag("Refused", ({ detail, error }) => messageRefused(`${error} ${detail}`)))
  })

  const prepareCall = Effect.fnUntraced(function* (lead: LeadRow, { outcome, text }: Play) {
    const { accountId } = yield* Caller
    if (lead.phone === null) return yield* contactMissing("phone")
    if (outcome === undefined) return yield* playOutcomeMissing
    const lines = text?.split("\n").filter((line) => line.trim() !== "")
    yield* scripts(accountId, { phone_number: lead.phone, outcome, person_says: lines?.slice(0, 20) ?? null }).pipe(
      Effect.catchTag("Refused", ({ detail, error }) => messageRefused(`${error} ${detail}`))
    )
  })

  return Effect.fn("TestGateway.play")(function* (play: Play) {
    const lead = yield* findLead(play.leadId)
    switch (play.channel) {
      case "email":
        yield* write(lead, play)
        break
      case "chatapp":
        yield* chatWith(lead, play)
        break
      case "voice":
        yield* prepareCall(lead, play)
    }
    const view: PlayedView = {
      lead_id: play.leadId,
      channel: play.channel,
      result: play.channel === "voice" ? "prepared" : "received"
    }
    return view
  })
})
