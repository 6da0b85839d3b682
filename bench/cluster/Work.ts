import { setTimeout as pause } from "node:timers/promises"

/** The acknowledged work, to be compared with the database at the end. */
export interface Ledger {
  /** Addresses of acknowledged leads, with the time (ISO 8601). */
  readonly leads: Map<string, string>
  /** Subjects of acknowledged mails, and of those whose caller got no answer. */
  readonly mails: Set<string>
  readonly doubtful: Set<string>
  /** Addresses in acknowledged imports, by import. */
  readonly imports: Map<number, ReadonlyArray<string>>
  /** Milliseconds of answered calls. */
  readonly times: Array<number>
  /** How often callers got each result: a status, or `lost` for a broken connection. */
  readonly outcomes: Record<string, number>
  /** When calls were answered (Unix milliseconds), in their order. */
  readonly answeredAt: Array<number>
}

export const emptyLedger = (): Ledger => ({
  leads: new Map(),
  mails: new Set(),
  doubtful: new Set(),
  imports: new Map(),
  times: [],
  outcomes: {},
  answeredAt: []
})

interface Answer {
  /** 0 if the connection broke, so that the outcome is unknown. */
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * Runs `callers` callers through the proxy until they are stopped. Each repeats a lead, a mail to it, a change, a
 * search, a report and sometimes an import. Temporary refusals are retried, as the answer says. A mail with an unknown
 * outcome is not.
 */
export const startWork = (url: string, tokens: ReadonlyArray<string>, callers: number) => {
  const ledger = emptyLedger()
  let isOver = false
  const call = async (token: string, tool: string, args: object): Promise<Answer> => {
    const startedAt = performance.now()
    try {
      const response = await fetch(`${url}/rest/v1/tools/${tool}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify(args),
        signal: AbortSignal.timeout(60_000)
      })
      const text = await response.text()
      ledger.outcomes[response.status] = (ledger.outcomes[response.status] ?? 0) + 1
      // The proxy's own answers are not JSON: it had no gateway (503), or the gateway broke the connection (502).
      if (!text.startsWith("{")) return { status: response.status === 503 ? 503 : 0, body: {} }
      if (response.status < 500) {
        ledger.times.push(performance.now() - startedAt)
        ledger.answeredAt.push(Date.now())
      }
      const body: unknown = JSON.parse(text)
      return { status: response.status, body: { ...(body as object) } }
    } catch {
      ledger.outcomes["lost"] = (ledger.outcomes["lost"] ?? 0) + 1
      return { status: 0, body: {} }
    }
  }
  const untilAnswered = async (token: string, tool: string, args: object): Promise<Answer | undefined> => {
    while (!isOver) {
      const answer = await call(token, tool, args)
      if (answer.status !== 0 && answer.status < 500) return answer
      await pause(100)
    }
    return undefined
  }

  const round = async (caller: number, number: number): Promise<void> => {
    const token = tokens[caller % tokens.length] ?? ""
    const name = `w${caller}n${number}`
    const email = `${name}@lead.example`
    const lead = await untilAnswered(token, "register_lead", { name: `Lead ${name}`, email })
    if (lead === undefined) return
    ledger.leads.set(email, new Date().toISOString())
    const leadId = lead.body["lead_id"] ?? (lead.body["fields"] as { lead_id?: unknown } | undefined)?.lead_id
    await untilAnswered(token, "update_lead", { lead_id: leadId, background: `Background ${name}` })
    const subject = `Mail ${name}`
    for (let isOpen = true; isOpen && !isOver; ) {
      const { status } = await call(token, "send_message_to_lead", { lead_id: leadId, subject, body: "A few words." })
      if (status === 200) ledger.mails.add(subject)
      // It may have been done, and the caller must check.
      if (status === 0 || status === 500) ledger.doubtful.add(subject)
      isOpen = status === 503
      if (isOpen) await pause(100)
    }
    await untilAnswered(token, "search_leads", { page_size: 20 })
    await untilAnswered(token, "get_prospecting_report", {})
    if (number % 10 !== caller % 10) return
    const rows = Array.from({ length: 40 }, (_, row) => ({ name: `Row ${row}`, email: `${name}r${row}@row.example` }))
    // A repeated import does nothing, because rows of existing leads are reported as duplicates.
    const started = await untilAnswered(token, "import_leads", { rows_json: JSON.stringify(rows) })
    const id = started?.body["lead_import_id"]
    if (typeof id === "number")
      ledger.imports.set(
        id,
        rows.map((row) => row.email)
      )
  }
  const working = Array.from({ length: callers }, async (_, caller) => {
    for (let number = 0; !isOver; number++) await round(caller, number)
  })
  return {
    ledger,
    call,
    stop: async () => {
      isOver = true
      await Promise.all(working)
      return ledger
    }
  }
}
