export const sections = ["tools", "requests", "webhooks", "tokens", "events", "test-accounts"] as const
export type Section = (typeof sections)[number]

/** The parameters of the developers' screens in the address. */
export interface DevelopersSearch {
  /** The tool that is open in the explorer, or the only one of the log. */
  readonly tool?: string
  /** First values of the explorer's form. */
  readonly args?: Readonly<Record<string, string | number | boolean>>
  /** The request that is open in the log. */
  readonly request?: string
  readonly reason?: string
  readonly failed?: true
  readonly token?: number
  /** The webhook subscription whose attempts are shown. */
  readonly subscription?: number
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const idOf = (value: unknown): number | undefined => {
  const id = Number(value)
  return Number.isInteger(id) && id > 0 ? id : undefined
}

const argsOf = (value: unknown): DevelopersSearch["args"] => {
  if (typeof value !== "object" || value === null) return undefined
  const scalars = Object.entries(value).flatMap(([name, one]: [string, unknown]) =>
    typeof one === "string" || typeof one === "number" || typeof one === "boolean" ? [[name, one] as const] : []
  )
  return scalars.length === 0 ? undefined : Object.fromEntries(scalars)
}

/** Reads the address. What it does not know is ignored, so an old link still opens. */
export const parseDevelopersSearch = (search: Readonly<Record<string, unknown>>): DevelopersSearch => {
  const tool = textOf(search["tool"])
  const args = argsOf(search["args"])
  const request = textOf(search["request"])
  const reason = textOf(search["reason"])
  const token = idOf(search["token"])
  const subscription = idOf(search["subscription"])
  return {
    ...(tool === undefined ? {} : { tool }),
    ...(args === undefined ? {} : { args }),
    ...(request === undefined ? {} : { request }),
    ...(reason === undefined ? {} : { reason }),
    ...(search["failed"] === true ? { failed: true } : {}),
    ...(token === undefined ? {} : { token }),
    ...(subscription === undefined ? {} : { subscription })
  }
}
