import { randomUUID } from "node:crypto"
import { isObject, type JsonObject } from "../../Api/Mcp/Protocol.ts"

const shape = /^s1-([a-z]*)-[0-9a-f-]{36}$/

const carried: ReadonlyArray<readonly [letter: string, capability: string]> = [
  ["e", "elicitation"],
  ["s", "sampling"]
]

/**
 * The session of an older client only stores the client's capabilities. They are part of its name, so no process has to
 * remember them. A session grants no rights.
 */
export const sessionOf = (capabilities: JsonObject): string =>
  `s1-${carried
    .filter(([, capability]) => isObject(capabilities[capability]))
    .map(([letter]) => letter)
    .join("")}-${randomUUID()}`

/** The capabilities of a session's client; undefined if the name is not ours. */
export const capabilitiesOf = (session: string): JsonObject | undefined => {
  const letters = shape.exec(session)?.[1]
  return letters === undefined
    ? undefined
    : Object.fromEntries(carried.filter(([letter]) => letters.includes(letter)).map(([, name]) => [name, {}]))
}
