import { at, textAt } from "../../src/Layers/Crm/Answers.ts"
import type { SimulatedRecord } from "../../src/Layers/Crm/CrmSimulator.ts"
import type { CrmName } from "../../src/Services/Crm/Ids.ts"

interface Kinds {
  readonly company: string
  readonly person: string
  readonly deal: string
  readonly note: string
  /** Requests that change something, of a lead that is sent for the first time. */
  readonly writes: number
  readonly stageOf: (deal: SimulatedRecord | undefined) => string
  readonly stateOfDeal: (deal: SimulatedRecord | undefined) => string
}

const neutral = { company: "company", person: "person", deal: "deal", note: "note", writes: 4 }

const pipedrive: Kinds = {
  ...neutral,
  stageOf: (deal) => textAt(deal?.body, "stage_id"),
  stateOfDeal: (deal) => textAt(deal?.body, "status")
}

/** What each simulated CRM calls the records. */
export const crmKinds: { readonly [N in CrmName]: Kinds } = {
  pipedrive,
  hubspot: {
    company: "companies",
    person: "contacts",
    deal: "deals",
    note: "notes",
    writes: 4,
    stageOf: (deal) => textAt(deal?.body, "properties", "dealstage"),
    stateOfDeal: (deal) => {
      const stage = at(deal?.body, "properties", "dealstage")
      return stage === "closedwon" ? "won" : stage === "closedlost" ? "lost" : "open"
    }
  },
  ploomes: pipedrive,
  crmsuite: pipedrive,
  odoo: pipedrive,
  omie: pipedrive,
  agendor: pipedrive,
  piperun: pipedrive,
  nectar: pipedrive,
  moskit: pipedrive,
  twenty: pipedrive
}
