/** An answer of the simulated database. */
export interface SimulatedReply {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly body: unknown
}

const largestPage = 100
const maximumPages = 500

/** The lists and their numbers of contacts. A key with `large` in it has a list that exceeds the API's limit. */
const listsOf = (key: string) => [
  { id: "list-clinics", name: "Clínicas", modality: "contacts", cached_count: 130 },
  { id: "list-schools", name: "Escolas", modality: "contacts", cached_count: 24 },
  ...(key.includes("large") ? [{ id: "list-all", name: "Brasil", modality: "contacts", cached_count: 50_250 }] : []),
  { id: "list-accounts", name: "Empresas", modality: "accounts", cached_count: 5 }
]

const first = ["Ana", "Bruno", "Carla", "Davi", "Elisa", "Fábio", "Gisele", "Hugo", "Iara", "João"]
const last = ["Souza", "Lima", "Prado", "Costa", "Rocha", "Alves", "Nunes"]
const titles = ["Diretora", "Gerente", "Sócio", "Coordenadora"]

/** A contact of a list, always the same. One in eleven has a dead address, one in thirteen has unsubscribed. */
const contactAt = (list: string, index: number) => {
  const [firstName, lastName] = [first[index % first.length] ?? "", last[index % last.length] ?? ""]
  const company = `${list} ${Math.floor(index / 2) + 1}`
  const host = `${list.replace("list-", "")}${Math.floor(index / 2) + 1}.example`
  const isDead = index % 11 === 10
  return {
    id: `${list}-${index}`,
    first_name: firstName,
    last_name: lastName,
    name: `${firstName} ${lastName}`,
    email: index % 17 === 16 ? null : `p${index}@${host}`,
    email_status: isDead ? "invalid" : "verified",
    email_unsubscribed: index % 13 === 12,
    sanitized_phone: index % 3 === 0 ? `+55119${String(80_000_000 + index).padStart(8, "0")}` : null,
    title: titles[index % titles.length],
    organization_name: company,
    organization: { id: `organization-${host}`, name: company, website_url: `https://${host}` },
    linkedin_url: `https://www.linkedin.com/in/${list}-${index}`,
    city: "São Paulo",
    state: "São Paulo",
    country: "Brazil",
    contact_stage_id: null,
    label_ids: [list]
  }
}

const failed = (status: number, error_code: string, message: string): SimulatedReply => ({
  status,
  body: { error: message, error_code, message }
})

export const apolloSandbox = {
  /** The lists as shown on the sandbox page. */
  lists: (key: string) =>
    listsOf(key).map(({ cached_count, id, name }) => ({ list_id: id, name, contact_count: cached_count })),
  /** The number of calls per path and key in some seconds, as on Apollo's smallest plan. */
  windows: [
    { name: "minute", seconds: 60, limit: 50 },
    { name: "hourly", seconds: 3600, limit: 200 },
    { name: "24-hour", seconds: 86_400, limit: 600 }
  ],
  unauthorized: (): SimulatedReply => ({ status: 401, body: "Invalid access credentials." }),
  limited: (seconds: number): SimulatedReply => ({
    status: 429,
    headers: { "retry-after": `${seconds}` },
    body: { error: "limit", error_code: "RATE_LIMITED", message: "limit", retry_after_seconds: seconds }
  }),
  answer: (
    key: string,
    { body, method, path }: { readonly method: string; readonly path: string; readonly body: unknown }
  ): SimulatedReply => {
    const parameters: { readonly [name: string]: unknown } =
      typeof body === "object" && body !== null ? { ...body } : {}
    if (method === "GET" && path === "/api/v1/auth/health")
      return { status: 200, body: { healthy: true, is_logged_in: true } }
    if (method === "GET" && path === "/api/v1/labels") return { status: 200, body: listsOf(key) }
    if (method !== "POST" || path !== "/api/v1/contacts/search")
      return failed(403, "API_INACCESSIBLE", "This key was not made for it.")
    const list = parameters["contact_label_ids"]
    const lists = listsOf(key).filter(
      ({ id, modality }) => modality === "contacts" && (!Array.isArray(list) || list.includes(id))
    )
    const total = lists.reduce((sum, { cached_count }) => sum + cached_count, 0)
    const page = typeof parameters["page"] === "number" ? parameters["page"] : 1
    const size = Math.min(largestPage, typeof parameters["per_page"] === "number" ? parameters["per_page"] : 25)
    if (page > maximumPages) return failed(422, "PAGE_LIMIT", "Pages end at 500.")
    const from = (page - 1) * size
    const contacts = []
    let earlierCount = 0
    for (const { cached_count, id } of lists) {
      for (
        let index = Math.max(0, from - earlierCount);
        index < cached_count && earlierCount + index < from + size;
        index++
      )
        contacts.push(contactAt(id, index))
      earlierCount += cached_count
    }
    return {
      status: 200,
      body: {
        contacts,
        pagination: { page, per_page: size, total_entries: total, total_pages: Math.ceil(total / size) }
      }
    }
  }
}
