import { createHmac, randomBytes } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { getLeadImport, importLeads, listAccountEvents } from "../../typescript/src/generated/tools.ts"
import {
  type AccountEvent,
  type Client,
  eventFeed,
  type Job,
  uploadFile,
  waitForJob
} from "../../typescript/src/index.ts"
import { exitCodes, PgwError } from "./ExitCodes.ts"
import { type Format, note, print, progressBar, renderAnswer, renderRows } from "./Output.ts"

/** Waits for a job with a bar, and returns it. */
export const waitWithBar = async (client: Client, jobId: string): Promise<Job> => {
  const bar = progressBar("job")
  try {
    return await waitForJob(client, jobId, { onProgress: ({ progress, status }) => bar.show(progress, status) })
  } finally {
    bar.end()
  }
}

const largestFile = 25 * 1024 * 1024

const readFile = async (file: string): Promise<Uint8Array> => {
  const stat = await fs.stat(file).catch(() => undefined)
  if (stat === undefined) throw new PgwError(`There is no file ${file}.`)
  if (stat.size > largestFile)
    throw new PgwError(`${file} is larger than ${largestFile / 1024 / 1024} MiB.`, "Split it.")
  return await fs.readFile(file)
}

/** Uploads a spreadsheet and imports it. */
export const importFile = async (
  client: Client,
  file: string,
  options: { readonly campaign: string | undefined; readonly wait: boolean; readonly format: Format }
): Promise<void> => {
  const content = await readFile(file)
  const { customer_file_id } = await uploadFile(client, { name: path.basename(file), content })
  const started = await importLeads(client, {
    customer_file_id,
    ...(options.campaign === undefined ? {} : { campaign: options.campaign })
  })
  if (!options.wait) return await print(renderAnswer(started, undefined, options.format))
  await waitWithBar(client, started.job_id)
  const {
    columns: _columns,
    rows,
    ...summary
  } = await getLeadImport(client, {
    lead_import_id: started.lead_import_id,
    page_size: 100
  })
  await print(
    renderAnswer({ ...summary, rows: options.format === "json" ? rows : rows.length }, undefined, options.format)
  )
  if (summary.status !== "finished") throw new PgwError(`The import was ${summary.status}.`, "", exitCodes.jobFailed)
}

/** The cursor after the newest event. */
const endOfFeed = async (client: Client): Promise<number> => {
  for (let since_cursor = 0; ; ) {
    const { has_more, next_cursor } = await listAccountEvents(client, { since_cursor, limit: 200 })
    if (!has_more) return next_cursor
    since_cursor = next_cursor
  }
}

export interface EventChoices {
  readonly follow: boolean
  /** A cursor; by default the beginning, or with `follow` the end. */
  readonly since: number | undefined
  readonly types: string | undefined
  readonly format: Format
}

const rowOf = ({ cursor, data, id, occurred_at, type }: AccountEvent) => ({ cursor, occurred_at, type, id, data })

const isType = (type: string): type is AccountEvent["type"] => /^[a-z_]+$/.test(type)

/** Prints events, and with `follow` those to come. */
export const printEvents = async (client: Client, choices: EventChoices): Promise<void> => {
  const { follow, format, types } = choices
  const since = choices.since ?? (follow ? await endOfFeed(client) : 0)
  if (follow) {
    const followedTypes = types?.split(",").filter(isType)
    for await (const event of eventFeed(client, {
      since,
      ...(followedTypes === undefined ? {} : { types: followedTypes })
    })) {
      await print(
        format === "json" || format === "jsonl"
          ? JSON.stringify(rowOf(event))
          : `${event.occurred_at}  ${event.type}  ${JSON.stringify(event.data)}`
      )
    }
    return
  }
  const collected: Array<AccountEvent> = []
  for (let since_cursor = since; ; ) {
    const page = await listAccountEvents(client, {
      since_cursor,
      limit: 200,
      ...(types === undefined ? {} : { event_types: types })
    })
    collected.push(...page.events)
    if (!page.has_more) break
    since_cursor = page.next_cursor
  }
  await print(renderRows(collected.map(rowOf), format))
}

/** A secret for deliveries to this machine. */
const localSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`

const signatureOf = (secret: string, signedText: string): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  return `v1,${createHmac("sha256", key).update(signedText).digest("base64")}`
}

const deliveryMillis = 15_000

const deliver = async (target: string, secret: string, event: AccountEvent): Promise<string> => {
  const { data, id, occurred_at, type } = event
  const body = JSON.stringify({ id, type, occurred_at, data })
  const timestamp = `${Math.floor(Date.now() / 1000)}`
  try {
    const response = await fetch(target, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": signatureOf(secret, `${id}.${timestamp}.${body}`)
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(deliveryMillis)
    })
    await response.body?.cancel()
    return String(response.status)
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

/** Sends new events to a program on this machine, signed like webhooks, each once. */
export const listen = async (
  client: Client,
  target: string,
  options: { readonly secret: string | undefined; readonly types: string | undefined }
): Promise<void> => {
  const secret = options.secret ?? localSecret()
  const since = await endOfFeed(client)
  note(`Events are sent to ${target}, signed with ${secret}`)
  const types = options.types?.split(",").filter(isType)
  for await (const event of eventFeed(client, {
    since,
    ...(types === undefined ? {} : { types }),
    intervalMillis: 1_000
  })) {
    note(`${event.occurred_at}  ${event.type}  ${await deliver(target, secret, event)}`)
  }
}

interface SandboxMail {
  readonly sandbox_mail_id: number
  readonly to: string
}

/** A member of the sandbox's answer, as its document describes it. */
function parsed<A>(text: string): A
function parsed(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return value
}

const sandbox = <A>(client: Client, method: "GET" | "POST", route: string, body?: object): Promise<A> =>
  client.send(
    { method, path: route, subject: route, ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
    method === "POST" ? { maxRetries: 0 } : {},
    async (response) => parsed<A>(await response.text())
  )

/** Prints what the simulated mail server has. */
export const printSandboxMail = async (client: Client, format: Format): Promise<void> =>
  await print(renderAnswer(await sandbox<object>(client, "GET", "/sandbox/mail"), "mail", format))

const largestMailPage = 100

/** The mail that went out with this number. */
const sentMail = async (client: Client, mailId: number): Promise<SandboxMail> => {
  for (let page = 0; ; page++) {
    const route = `/sandbox/mail?direction=outbound&page_size=${largestMailPage}&page=${page}`
    const { mail } = await sandbox<{ readonly mail: ReadonlyArray<SandboxMail> }>(client, "GET", route)
    const match = mail.find(({ sandbox_mail_id }) => sandbox_mail_id === mailId)
    if (match !== undefined) return match
    if (mail.length < largestMailPage) {
      throw new PgwError(`No simulated mail ${mailId} went out.`, "pgw sandbox mail lists them.", exitCodes.notFound)
    }
  }
}

/** Answers a mail that the simulated server got, as its recipient. */
export const sandboxReply = async (client: Client, mailId: number, text: string, format: Format): Promise<void> => {
  const { to } = await sentMail(client, mailId)
  const reply = { from: to, text, in_reply_to_sandbox_mail_id: mailId }
  await print(renderAnswer(await sandbox<object>(client, "POST", "/sandbox/mail/inbound", reply), undefined, format))
}
