import { randomUUID } from "node:crypto"
import { isObject, type JsonObject } from "../../Api/Mcp/Protocol.ts"

const shape = /^s1-([a-z]*)-[0-9a-f-]{36}$/

const carried: ReadonlyArray<readonly [letter: string, capability: string]> = [
  ["e", "elicitation"],
  ["s", "sampling"]
]

/**
 * A session of an older client only contains the client's capabilities. They are encoded in the session's name, so no
 * process stores them. A session grants no rights.
 */
export const sessionOf = (capabilities: JsonObject): string =>
  `s1-${carried
    .filter(([, capability]) => isObject(capabilities[capability]))
    .map(([letter]) => letter)
    .join("")}-${randomUUID()}`

/** The capabilities of a session's client. Undefined if the gateway did not make the session's name. */
export const capabilitiesOf = (session: string): JsonObject | undefined => {
  const letters = shape.exec(session)?.[1]
  return letters === undefined
    ? undefined
    : Object.fromEntries(carried.filter(([letter]) => letters.includes(letter)).map(([, name]) => [name, {}]))
}
