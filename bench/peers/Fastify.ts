import { randomUUID } from "node:crypto"
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify"
import { z } from "zod"
import { isWellFormedToken } from "../../src/Services/Accounts/Tokens/AccessTokenFormat.ts"
import { fromMillis, parseInstant } from "../../src/Services/Core/Timestamp.ts"
import { LeadStatus } from "../../src/Services/Leads/Ids.ts"
import { leadSorts, searchText } from "../../src/Services/Leads/LeadSearch.ts"
import { makePeerPool } from "./PeerPool.ts"
import {
  findCampaign,
  findToken,
  getLead,
  registerLead,
  searchLeads,
  type TokenRow,
  ToolRefused,
  whoami
} from "./ToolStatements.ts"

/**
 * The gateway's four calls as a team would write them with Fastify, Zod and `pg`, with the same token look-up for each,
 * the same parameters and the same answers.
 */

const isStorable = (value: string): boolean => value.isWellFormed() && !value.includes("\u0000")

/** Converts numbers and booleans to text, and texts to numbers. */
const text = (maximum: number) =>
  z
    .union([z.string(), z.number().transform(String), z.boolean().transform(String)])
    .pipe(z.string().refine(isStorable).max(maximum))
const filled = (maximum: number) => text(maximum).refine((value) => value.trim() !== "")
const integer = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?(?:0|[1-9][0-9]*)$/)
    .transform(Number)
    .pipe(z.int())
])
const boolean = z.union([
  z.boolean(),
  z.union([z.literal(["true", "1"]), z.literal(1)]).transform(() => true),
  z.union([z.literal(["false", "0"]), z.literal(0)]).transform(() => false)
])
const instant = (pick: (millis: number, isDay: boolean) => number) =>
  text(100).transform((value, context) => {
    const parsed = parseInstant(value)
    if (parsed !== undefined) return fromMillis(pick(parsed.millis, parsed.precision === "day"))
    context.addIssue({ code: "invalid_value", values: [], message: "not a date" })
    return z.NEVER
  })
const lower = instant((millis) => millis)
const upper = instant((millis, isDay) => millis + (isDay ? 86_400_000 : 1000))

const WhoAmI = z.strictObject({})
const GetLead = z.strictObject({ lead_id: integer })
const SearchLeads = z.strictObject({
  query: text(200).nullish(),
  status: z.enum(LeadStatus.literals).nullish(),
  campaign: text(200).nullish(),
  created_after: lower.nullish(),
  created_before: upper.nullish(),
  last_prospecting_message_after: lower.nullish(),
  sort_by: z.enum(leadSorts).catch("date_created"),
  page: integer.pipe(z.int().min(0).max(2_147_483_647)).default(0),
  page_size: integer
    .pipe(z.int().min(1).max(2_147_483_647))
    .default(20)
    .transform((size) => Math.min(size, 100)),
  has_linkedin: boolean.nullish()
})
const RegisterLead = z.strictObject({
  name: filled(200),
  email: text(320).nullish(),
  phone: text(100).nullish(),
  company: text(200).nullish(),
  status: z.enum(["Cold", "Confirmed"]).default("Cold"),
  campaign: text(200).nullish()
})

const pool = makePeerPool("fastify-peer")
const app = Fastify({
  bodyLimit: 16 * 1024 * 1024,
  requestIdHeader: "x-request-id",
  genReqId: () => randomUUID()
})

const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" }

const refuse = (reply: FastifyReply, status: number, type: string) => reply.code(status).send({ error: type, type })

/** When each token was last used, until the next flush to the database. */
const uses = new Map<number, { readonly accountId: number; readonly at: number }>()

const holders = new WeakMap<FastifyRequest, TokenRow>()

app.addHook("onRequest", async (request, reply) => {
  reply.header("x-request-id", request.id).headers(commonHeaders)
  if (request.url === "/health/live") return
  const header = request.headers.authorization
  const token = header !== undefined && /^bearer /i.test(header) ? header.slice(7).trim() : ""
  const holder = isWellFormedToken(token) ? await findToken(pool, token) : undefined
  if (holder === undefined || holder.is_revoked || holder.is_expired) {
    return reply.header("www-authenticate", "Bearer").code(401).send({ error: "Unauthorized" })
  }
  uses.set(holder.access_token_id, { accountId: holder.account_id, at: Date.now() })
  holders.set(request, holder)
})

const acceptable = new Set(["too_big", "too_small", "invalid_value", "custom"])

app.setErrorHandler((error, request, reply) => {
  if (error instanceof z.ZodError) {
    const codes = error.issues.map(({ code }) => code)
    if (codes.every((code) => acceptable.has(code))) return refuse(reply, 422, "Refused")
    return refuse(reply, 400, codes.includes("unrecognized_keys") ? "UnknownParameter" : "ParameterTypeMismatch")
  }
  if (error instanceof ToolRefused) return refuse(reply, 422, "Refused")
  if (error instanceof Error && "statusCode" in error && error.statusCode === 400) {
    return refuse(reply, 400, "JsonException")
  }
  request.log.error(error)
  return refuse(reply, 500, "Permanent")
})

const accountOf = (request: FastifyRequest): number => holders.get(request)?.account_id ?? 0

app.get("/health/live", () => ({ status: "live" }))

app.post("/rest/v1/tools/whoami", async (request, reply) => {
  WhoAmI.parse(request.body ?? {})
  return (await whoami(pool, accountOf(request))) ?? refuse(reply, 500, "Permanent")
})

app.post("/rest/v1/tools/get_lead", async (request, reply) => {
  const { lead_id } = GetLead.parse(request.body ?? {})
  return (await getLead(pool, accountOf(request), lead_id)) ?? refuse(reply, 404, "NotFound")
})

app.post("/rest/v1/tools/search_leads", async (request, reply) => {
  const args = SearchLeads.parse(request.body ?? {})
  const campaign = args.campaign?.trim()
  const campaignId = campaign ? await findCampaign(pool, accountOf(request), campaign) : undefined
  if (campaign && campaignId === undefined) return refuse(reply, 404, "NotFound")
  return searchLeads(
    pool,
    accountOf(request),
    {
      query: searchText(args.query ?? undefined),
      status: args.status ?? undefined,
      campaignId,
      createdFrom: args.created_after ?? undefined,
      createdBefore: args.created_before ?? undefined,
      lastMessageFrom: args.last_prospecting_message_after ?? undefined,
      hasLinkedIn: args.has_linkedin ?? undefined
    },
    { sort: args.sort_by, page: args.page, pageSize: args.page_size }
  )
})

app.post("/rest/v1/tools/register_lead", async (request, reply) => {
  const args = RegisterLead.parse(request.body ?? {})
  const lead = {
    name: args.name,
    email: args.email ?? undefined,
    phone: args.phone ?? undefined,
    company: args.company ?? undefined,
    status: args.status,
    campaign: args.campaign ?? undefined
  }
  return (await registerLead(pool, accountOf(request), lead)) ?? refuse(reply, 404, "NotFound")
})

const writeUses = async () => {
  const batch = [...uses]
  uses.clear()
  if (batch.length === 0) return
  await pool.query(
    `update access_token t set last_used_at = greatest(t.last_used_at, to_timestamp(u.at / 1000.0))
     from unnest($1::bigint[], $2::bigint[], $3::double precision[]) as u (account_id, access_token_id, at)
     where t.account_id = u.account_id and t.access_token_id = u.access_token_id`,
    [batch.map(([, use]) => use.accountId), batch.map(([id]) => id), batch.map(([, use]) => use.at)]
  )
}
const writer = setInterval(() => void writeUses().catch(() => undefined), 20_000)

process.once("SIGTERM", () => {
  clearInterval(writer)
  void app.close().then(() => pool.end())
})
await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"]) })
