import { isDeepStrictEqual } from "node:util"
import type { HttpServerResponse } from "@effect/platform"
import { Predicate } from "effect"
import type { CrmName } from "../../../Services/Crm/Ids.ts"
import { html, type Markup, verbatim } from "../../../Services/Text/Web/Html.ts"
import { actForm, inputOf, sandboxPage } from "../../Platform/Http/SandboxPage.ts"
import { sandboxes } from "../Adapters/Adapters.ts"
import { textAt } from "../Calling/JsonPath.ts"
import type { SimulatedBody } from "./CrmSandbox.ts"

interface ShownCrm {
  readonly crm_name: CrmName
  readonly key: string
  readonly is_revoked: boolean
  readonly calls: number
  readonly records: ReadonlyArray<{ readonly kind: string; readonly id: string; readonly body: SimulatedBody }>
}

export const pageTitle = "Simulated CRMs"

const titleOf = (body: SimulatedBody): string =>
  textAt(body, "title") ||
  textAt(body, "name") ||
  textAt(body, "Title") ||
  textAt(body, "nome") ||
  textAt(body, "properties", "dealname") ||
  textAt(body, "identificacao", "cDesOp")

/**
 * The stage of an open deal, or the outcome of a closed one, with its value. A move into its stage would change
 * nothing.
 */
const placeOf = (crm: ShownCrm, deal: ShownCrm["records"][number]): string => {
  const simulator = sandboxes[crm.crm_name]
  const { state, value } = simulator.standing(deal.body)
  const record = { ...deal, createdAt: 0, updatedAt: 0 }
  const stage = simulator.stages.find(({ id }) => isDeepStrictEqual(simulator.moved(record, id), deal.body))?.name
  const place = state === "won" ? "Won" : state === "lost" ? "Lost" : (stage ?? "No stage")
  return (value ?? 0) === 0 ? place : `${place}, R$ ${(value ?? 0).toLocaleString("pt-BR")}`
}

/** The texts of a record at any depth, for a person to read. */
const textsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string")
    return value.trim() === "" ? [] : [value.replaceAll("<br>", " · ").replaceAll("\n", " · ")]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return Predicate.isRecord(value) ? Object.values(value).flatMap(textsOf) : []
}

const mostShown = 400

const otherRow = ({ body, id, kind }: ShownCrm["records"][number]): Markup =>
  html`<tr><td>${kind}</td><td>${textsOf(body).join(" · ").slice(0, mostShown)}</td><td><details><summary>record ${id}</summary><code>${verbatim(
    JSON.stringify(body)
  )}</code></details></td></tr>`

const dealRow = (token: string, crm: ShownCrm, deal: ShownCrm["records"][number]): Markup => {
  const simulator = sandboxes[crm.crm_name]
  const of = { crm_name: crm.crm_name, key: crm.key, deal_id: deal.id }
  const options = simulator.stages.map(({ id, name }) => html`<option value="${verbatim(id)}">${name}</option>`)
  return html`<tr><td>${titleOf(deal.body)}</td><td>${placeOf(crm, deal)}</td><td><details><summary>record ${deal.id}</summary><code>${verbatim(
    JSON.stringify(deal.body)
  )}</code></details></td><td>${[
    actForm(token, { ...of, act: "win" }, "Win", inputOf("value", "value")),
    actForm(token, { ...of, act: "lose" }, "Lose", inputOf("reason", "reason")),
    actForm(token, { ...of, act: "move" }, "Move", html`<select name="stage">${options}</select>`)
  ]}</td></tr>`
}

const crmSection = (token: string, crm: ShownCrm): Markup => {
  const of = { crm_name: crm.crm_name, key: crm.key }
  const kind = sandboxes[crm.crm_name].dealKind
  const deals = crm.records.filter((record) => record.kind === kind)
  const counts = new Map<string, number>()
  for (const record of crm.records) counts.set(record.kind, (counts.get(record.kind) ?? 0) + 1)
  const counted = [...counts].map(([name, count]) => `${count} ${name}`).join(", ")
  return html`<h2>${crm.crm_name} <code>${crm.key}</code></h2>
<p>${crm.is_revoked ? "The key is revoked." : "The key is taken."} ${crm.calls} calls; ${counted}</p>
${crm.is_revoked ? actForm(token, { ...of, act: "restore" }, "Restore the key") : actForm(token, { ...of, act: "revoke" }, "Revoke the key")}
${actForm(token, { ...of, act: "slow_down" }, "Refuse calls", inputOf("seconds", "60 seconds"))}
<table><tr><th>Deal</th><th>Stage</th><th>As stored</th><th></th></tr>${deals.map((deal) => dealRow(token, crm, deal))}</table>
<details><summary>People, companies and notes</summary><table>${crm.records
    .filter((record) => record.kind !== kind)
    .map(otherRow)}</table></details>`
}

/** Shows the records of the account's simulated CRMs, with the possible actions. */
export const crmPage = (
  token: string,
  said: Markup,
  crms: ReadonlyArray<ShownCrm>
): HttpServerResponse.HttpServerResponse =>
  sandboxPage({
    status: 200,
    title: pageTitle,
    content: html`${said}${crms.length === 0 ? html`<p>No CRM was connected yet.</p>` : crms.map((crm) => crmSection(token, crm))}`
  })
