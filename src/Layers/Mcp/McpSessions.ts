import { randomUUID } from "node:crypto"
import { isObject, type JsonObject } from "../../Api/Mcp/Protocol.ts"

const shape = /^s1-([a-z]*)-[0-9a-f-]{36}$/

const carried: ReadonlyArray<readonly [letter: string, capability: string]> = [
  ["e", "elicitation"],
  ["s", "sampling"]
]

/**
 * A session of an older client holds nothing but what the client said it can do, and its own name carries that: no
 * process has to remember it. It gives no right to anything.
 */
export const sessionOf = (capabilities: JsonObject): string =>
  `s1-${carried
    .filter(([, capability]) => isObject(capabilities[capability]))
    .map(([letter]) => letter)
    .join("")}-${randomUUID()}`

/** What the client of a session can do; `undefined` where the name is none of ours. */
export const capabilitiesOf = (session: string): JsonObject | undefined => {
  const letters = shape.exec(session)?.[1]
  return letters === undefined
    ? undefined
    : Object.fromEntries(carried.filter(([letter]) => letters.includes(letter)).map(([, name]) => [name, {}]))
}
