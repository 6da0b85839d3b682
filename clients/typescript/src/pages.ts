import type { Client } from "./client.ts"
import type { PagedTool, Rest, RowOf } from "./tool.ts"

const numberOf = (answer: object, name: string): number | undefined => {
  const value: unknown = Object.entries(answer).find(([key]) => key === name)?.[1]
  return typeof value === "number" ? value : undefined
}

/** The rows, as the document describes them. */
function rowsOf<Answer extends object, Key extends keyof Answer>(
  answer: Answer,
  key: Key
): ReadonlyArray<RowOf<Answer, Key>>
function rowsOf(answer: Readonly<Record<PropertyKey, unknown>>, key: PropertyKey): ReadonlyArray<unknown> {
  const value: unknown = answer[key]
  const rows: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
  return rows
}

/** The pages of a list one after the other, from the page of the arguments to the last one. */
export async function* pages<Args extends object, Answer extends object, Reasons, Key extends keyof Answer>(
  client: Client,
  tool: PagedTool<Args, Answer, Reasons, Key>,
  ...[args, options]: Rest<Args>
): AsyncGenerator<Answer, void> {
  const { firstPage, key } = tool.rows
  for (let page = numberOf(args ?? {}, "page") ?? firstPage; ; page++) {
    const answer = await client.call<Answer>(tool.tool, { ...args, page }, options)
    if (rowsOf(answer, key).length === 0) return
    yield answer
    const total = numberOf(answer, "total")
    const size = numberOf(answer, "page_size")
    if (total !== undefined && size !== undefined && (page - firstPage + 1) * size >= total) return
  }
}

/** The rows of all pages. A row that others add or remove in the meantime may be missed or come twice. */
export async function* each<Args extends object, Answer extends object, Reasons, Key extends keyof Answer>(
  client: Client,
  tool: PagedTool<Args, Answer, Reasons, Key>,
  ...rest: Rest<Args>
): AsyncGenerator<RowOf<Answer, Key>, void> {
  for await (const answer of pages(client, tool, ...rest)) yield* rowsOf(answer, tool.rows.key)
}
