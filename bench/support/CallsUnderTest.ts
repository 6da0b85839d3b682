import { firstNames, lastNames, trades } from "./SampleLeads.ts"

type Arguments = { readonly [name: string]: string | number | boolean }

/** A tool call that is repeated under load. */
export interface CallUnderTest {
  readonly name: string
  readonly tool: string
  /** The arguments of the `n`th call. `run` is different in each run of the load. */
  readonly args: (n: number, run: RunOfCalls) => Arguments
  /** Headers of the `n`th call. */
  readonly headers?: (n: number, run: RunOfCalls) => Readonly<Record<string, string>>
}

/** Distinguishes two runs of a call. */
export interface RunOfCalls {
  readonly id: string
  readonly firstLeadId: number
  readonly leads: number
  /** Webhook subscriptions whose receiver never answers. */
  readonly deadSubscriptions?: ReadonlyArray<number>
}

export const wordAt = (words: ReadonlyArray<string>, at: number): string => words[at % words.length] ?? ""

/** Distributes consecutive numbers over all leads. 7919 is a prime that does not divide the number of leads. */
export const leadAt = (n: number, { firstLeadId, leads }: RunOfCalls): number => firstLeadId + ((n * 7919) % leads)

const asciiWord = (word: string): string =>
  word
    .normalize("NFD")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase()

export const callsUnderTest: ReadonlyArray<CallUnderTest> = [
  { name: "whoami", tool: "whoami", args: () => ({}) },
  { name: "get_lead", tool: "get_lead", args: (n, run) => ({ lead_id: leadAt(n, run) }) },
  { name: "search_leads, all", tool: "search_leads", args: (n) => ({ page: n % 5, page_size: 20 }) },
  {
    // About 28 of 100 000 leads have each of these names.
    name: "search_leads, by name",
    tool: "search_leads",
    args: (n) => ({ query: `${wordAt(firstNames, n)} ${wordAt(lastNames, n * 7)}`, page_size: 20 })
  },
  {
    name: "register_lead",
    tool: "register_lead",
    args: (n, run) => {
      const [first, last] = [wordAt(firstNames, n), wordAt(lastNames, n * 7)]
      return {
        name: `${first} ${last}`,
        email: `${asciiWord(first)}.${asciiWord(last)}.${run.id}.${n}@novo.example`,
        company: `${wordAt(trades, n)} ${last}`
      }
    }
  }
]

/** A change of a lead. No peer has it. */
export const updateLead: CallUnderTest = {
  name: "update_lead",
  tool: "update_lead",
  args: (n, run) => ({ lead_id: leadAt(n, run), background: `Seen in ${run.id} as number ${n}` })
}

/** The same call with an idempotency key, another one each time. */
export const withKey = (call: CallUnderTest): CallUnderTest => ({
  ...call,
  name: `${call.name}, with a key`,
  headers: (n, run) => ({ "idempotency-key": `${run.id}-${n}` })
})

/** The path for calling a tool on all servers: `POST`, with the arguments as a JSON object. */
export const pathOf = (tool: string): string => `/rest/v1/tools/${tool}`
