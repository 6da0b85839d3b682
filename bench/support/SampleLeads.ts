import { createHash, randomBytes } from "node:crypto"
import { Effect } from "effect"
import type pg from "pg"
import { makeToken } from "../../src/Services/Accounts/Tokens/AccessTokenFormat.ts"

const words = (text: string) => text.split(" ")

export const firstNames = words(
  "Ana Bruno Carla Daniel Eduarda Fábio Gabriela Henrique Isabela João Karina Leonardo Mariana Natália Otávio Patrícia " +
    "Rafael Sônia Tiago Úrsula Vinícius Yasmin Alice Bernardo Cecília Diego Elisa Felipe Giovana Heitor Inês Jorge " +
    "Larissa Marcelo Nicole Paulo Renata Sérgio Talita Vicente Amanda Breno Camila Davi Esther Francisco Helena Igor " +
    "Júlia Lucas Manuela Noé Olívia Pedro Raquel Samuel Teresa Valentina Wagner Zélia"
)
export const lastNames = words(
  "Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida " +
    "Lopes Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas " +
    "Cardoso Ramos Gonçalves Santana Teixeira Araújo Pinto Correia Farias Batista Campos Moraes Peixoto Tavares Brito " +
    "Azevedo Monteiro Barros Duarte Nogueira Bezerra Cavalcanti Fonseca Sampaio Assis Amaral Coelho Prado Queiroz Viana"
)
export const trades = words(
  "Metalúrgica Transportes Alimentos Engenharia Consultoria Têxtil Papelaria Laticínios Móveis Embalagens Cerâmica " +
    "Logística Tecnologia Farmácia Construtora Padaria Turismo Editora Plásticos Auto"
)

const sqlList = (values: ReadonlyArray<string>) => `array[${values.map((value) => `'${value}'`).join(",")}]`

/** The leads number `$2` to `$3` of the account `$1`. The same numbers give the same leads. */
const insertLeads = `
insert into lead (account_id, name, email, phone, company, job_title, city, state, country, linkedin_url, status,
  pipeline_state, campaign_id, next_touch_at, paused_at, pause_reason, review_requested_at, review_reason, created_at)
select $1, p.first || ' ' || p.last,
  fold(p.first) || '.' || fold(p.last) || '.' || i || '@' || fold(p.company_name) || '.example',
  case when i % 3 > 0 then '+55119' || lpad(i::text, 8, '0') end,
  p.trade || ' ' || p.company_name, (${sqlList(words("Diretora Gerente Compradora Sócio Analista"))})[1 + i % 5],
  (${sqlList(words("Campinas Recife Curitiba Salvador Manaus"))})[1 + i % 5],
  (${sqlList(words("SP PE PR BA AM"))})[1 + i % 5], 'Brasil',
  case when i % 4 = 0 then 'https://www.linkedin.com/in/' || fold(p.first) || '-' || i end,
  (${sqlList(words("Cold Cold Cold Cold Confirmed Aware NotInterested Interested Closed Unqualified"))})[1 + i % 10],
  p.pipeline_state, c.campaign_id,
  case when p.pipeline_state = 'in_pipeline' then timestamptz '2026-09-01' + make_interval(mins => i % 50000) end,
  case when i % 400 = 7 then timestamptz '2026-08-01' + make_interval(mins => i % 40000) end,
  case when i % 400 = 7 then 'Asked for a break' end,
  case when p.pipeline_state = 'pending_review' then timestamptz '2026-08-15' + make_interval(mins => i % 20000) end,
  case when p.pipeline_state = 'pending_review' then 'Asks for a discount' end,
  timestamptz '2025-01-01' + make_interval(secs => i * 20)
from (
  select i, (${sqlList(firstNames)})[1 + i % ${firstNames.length}] as first,
    (${sqlList(lastNames)})[1 + i / ${firstNames.length} % ${lastNames.length}] as last,
    (${sqlList(trades)})[1 + i % ${trades.length}] as trade,
    (${sqlList(lastNames)})[1 + i * 7 % ${lastNames.length}] as company_name,
    case when i % 1000 = 3 then 'pending_review' when i % 50 = 1 then 'user_controlled'
      when i % 20 = 2 then 'finished' else 'in_pipeline' end as pipeline_state
  from generate_series($2::int, $3::int) i
) p
left join (
  select campaign_id, row_number() over (order by campaign_id) as place from campaign where account_id = $1
) c on c.place = i % 6`

/** Every fifth lead has exchanged one to six e-mails of half a page. */
const insertEmails = `
insert into email_message (account_id, lead_id, direction, message_type, status, message_id, from_address, to_address,
  subject, body_text, created_at, occurred_at)
select l.account_id, l.lead_id, case when n % 3 = 2 then 'inbound' else 'outbound' end,
  case when n % 3 < 2 then 'follow_up' end, case when n % 3 = 2 then 'received' else 'sent' end,
  '<' || l.lead_id || '.' || n || '@mail.example>', 'vendas@mail.example', l.email, 'Proposta para ' || l.company,
  repeat('Olá, gostaria de apresentar a nossa proposta para a sua empresa. ', 10),
  l.created_at + make_interval(days => n), l.created_at + make_interval(days => n)
from lead l cross join generate_series(1, 6) n
where l.account_id = $1 and l.lead_id % 5 = 0 and n <= 1 + l.lead_id / 5 % 6`

export interface SampleAccount {
  readonly accountId: number
  readonly token: string
  /** The leads have consecutive ids. */
  readonly firstLeadId: number
  readonly leads: number
}

const rowsPerStatement = 250_000

const insertAccount = async (
  client: pg.Client,
  { leads, name }: AccountToSeed
): Promise<Omit<SampleAccount, "firstLeadId">> => {
  const token = makeToken(randomBytes)
  const accounts = await client.query<{ account_id: number }>(
    // Prospecting is off. Otherwise the gateway would contact a hundred thousand leads during the measurement.
    `insert into account (name, email, phone, handle, plan, is_prospecting_active)
     values ($1, 'owner@' || $2 || '.example', '+5511999990000', $2, 'paid', false) returning account_id::int`,
    [name, name.toLowerCase()]
  )
  const accountId = accounts.rows[0]?.account_id ?? 0
  await client.query("insert into prospecting_config (account_id) values ($1)", [accountId])
  await client.query("insert into access_token (account_id, label, token_hash) values ($1, 'bench', $2)", [
    accountId,
    createHash("sha256").update(token).digest()
  ])
  await client.query(
    "insert into campaign (account_id, name) select $1, 'Campanha ' || i from generate_series(1, 5) i",
    [accountId]
  )
  for (let from = 0; from < leads; from += rowsPerStatement) {
    await client.query(insertLeads, [accountId, from + 1, Math.min(from + rowsPerStatement, leads)])
  }
  return { accountId, token, leads }
}

const firstLeadOf = async (client: pg.Client, accountId: number): Promise<number> => {
  const { rows } = await client.query<{ lead_id: number | null }>(
    "select min(lead_id)::int as lead_id from lead where account_id = $1",
    [accountId]
  )
  return rows[0]?.lead_id ?? 0
}

interface AccountToSeed {
  readonly name: string
  readonly leads: number
}

/**
 * Disables what only serves searches while tables are filled. Without it, a million leads and their messages take a
 * fifth of the time.
 */
export const withoutWords = (client: pg.Client) =>
  Effect.promise(async () => {
    await client.query(`
      drop index lead_search, email_message_stems, chatapp_message_stems;
      alter table lead alter column search_text drop expression;
      alter table email_message alter column stems drop expression;
      alter table chatapp_message alter column stems drop expression`)
  })

/** Creates indexes without a constraint after their table is filled, which is ten times as fast. */
export const filled = async (client: pg.Client, tables: ReadonlyArray<string>, fill: () => Promise<void>) => {
  await client.query(
    "update pg_index set indisready = false where indrelid = any ($1::regclass[]) and not indisunique",
    [tables]
  )
  await fill()
  await client.query("set maintenance_work_mem = '512MB'")
  for (const table of tables) await client.query(`reindex table ${table}`)
}

/**
 * Creates accounts, each with a token, five campaigns and its leads. With `mails`, the leads have exchanged e-mails.
 */
export const seedAccounts = (client: pg.Client, accounts: ReadonlyArray<AccountToSeed>, mails = true) =>
  Effect.promise(async (): Promise<ReadonlyArray<SampleAccount>> => {
    const inserted: Array<Omit<SampleAccount, "firstLeadId">> = []
    await filled(client, ["lead"], async () => {
      for (const account of accounts) inserted.push(await insertAccount(client, account))
    })
    // The count comes after the index is filled, because it would search an index that is still empty.
    for (const { accountId } of inserted) await client.query("select recount_leads($1)", [accountId])
    for (const { accountId } of mails ? inserted : []) await client.query(insertEmails, [accountId])
    await client.query("vacuum analyze")
    const seeded: Array<SampleAccount> = []
    // The query comes after the index is filled, because it might read an index that is still empty.
    for (const account of inserted)
      seeded.push({ ...account, firstLeadId: await firstLeadOf(client, account.accountId) })
    return seeded
  })
