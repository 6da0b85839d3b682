import { Ajv2020 } from "ajv/dist/2020.js"
import { Predicate } from "effect"
import { webhookSchemas } from "../../../src/Api/OpenApi/WebhookOperations.ts"
import { runToEnd } from "../../../src/Services/Core/Cooperative.ts"
import { documentSchemas } from "../../../src/Tools/Core/ToolSchema.ts"

const schemas = runToEnd(documentSchemas(webhookSchemas, "#/$defs/"))
const ajv = new Ajv2020({ allErrors: true, strict: false })
const judges = new Map(webhookSchemas.map(([name]) => [name, ajv.compile({ $ref: `#/$defs/${name}`, $defs: schemas })]))

/** What is wrong with a webhook's body by the published schema of its type; undefined if nothing is. */
export const eventFaults = (body: unknown): string | undefined => {
  const type = Predicate.hasProperty(body, "type") ? String(body.type) : ""
  const judge = judges.get(`${type}_event`)
  if (judge === undefined) return `there is no schema of ${type}`
  return judge(body) === true ? undefined : ajv.errorsText(judge.errors)
}
