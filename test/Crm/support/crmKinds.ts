import { at, textAt } from "../../../src/Layers/Crm/Calling/JsonPath.ts"
import type { SimulatedRecord } from "../../../src/Layers/Crm/sandbox/CrmSandbox.ts"
import type { CrmName } from "../../../src/Services/Crm/Ids.ts"

interface Kinds {
  readonly company: string
  readonly person: string
  readonly deal: string
  readonly note: string
  /** Where persons and companies are one collection. */
  readonly isOf?: (kind: "company" | "person" | "deal", record: SimulatedRecord) => boolean
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
  ploomes: {
    company: "Contacts",
    person: "Contacts",
    deal: "Deals",
    note: "InteractionRecords",
    isOf: (kind, { body }) => kind === "deal" || body["TypeId"] === (kind === "company" ? 1 : 2),
    writes: 4,
    stageOf: (deal) => textAt(deal?.body, "StageId"),
    stateOfDeal: (deal) => ["", "open", "won", "lost"][Number(deal?.body["StatusId"])] ?? ""
  },
  crmsuite: {
    company: "organizations",
    person: "contacts",
    deal: "deals",
    note: "activities",
    writes: 4,
    stageOf: (deal) => textAt(deal?.body, "deal_stage", "id"),
    stateOfDeal: (deal) => (deal?.body["win"] === true ? "won" : deal?.body["win"] === false ? "lost" : "open")
  },
  odoo: {
    company: "res.partner",
    person: "res.partner",
    deal: "crm.lead",
    note: "mail.message",
    isOf: (kind, { body }) => kind === "deal" || body["is_company"] === (kind === "company"),
    writes: 4,
    stageOf: (deal) => textAt(deal?.body, "stage_id"),
    stateOfDeal: (deal) =>
      deal?.body["active"] === false ? "lost" : deal?.body["probability"] === 100 ? "won" : "open"
  },
  omie: {
    company: "contas",
    person: "contatos",
    deal: "oportunidades",
    note: "tarefas",
    writes: 4,
    stageOf: (deal) => textAt(deal?.body, "fasesStatus", "nCodFase"),
    stateOfDeal: (deal) => {
      const status = textAt(deal?.body, "fasesStatus", "nCodStatus")
      return status === "5" ? "won" : status === "3" ? "lost" : "open"
    }
  },
  agendor: {
    company: "organizations",
    person: "people",
    deal: "deals",
    note: "tasks",
    writes: 4,
    stageOf: (deal) => textAt(deal?.body, "dealStage", "sequence"),
    stateOfDeal: (deal) => ["", "open", "won", "lost"][Number(textAt(deal?.body, "dealStatus", "id"))] ?? ""
  },
  piperun: {
    company: "companies",
    person: "persons",
    deal: "deals",
    note: "notes",
    writes: 4,
    stageOf: (deal) => textAt(deal?.body, "stage_id"),
    stateOfDeal: (deal) => ["open", "won", "lost", "lost"][Number(deal?.body["status"])] ?? ""
  },
  nectar: {
    company: "contatos",
    person: "contatos",
    deal: "oportunidades",
    note: "tarefas",
    isOf: (kind, { body }) => kind === "deal" || body["empresa"] === (kind === "company"),
    writes: 4,
    stageOf: (deal) => textAt(deal?.body, "etapa"),
    stateOfDeal: (deal) => ["", "open", "won", "lost"][Number(deal?.body["status"])] ?? ""
  },
  moskit: {
    company: "companies",
    person: "contacts",
    deal: "deals",
    note: "notes",
    writes: 4,
    stageOf: (deal) => textAt(deal?.body, "stage", "id"),
    stateOfDeal: (deal) => textAt(deal?.body, "status").toLowerCase()
  },
  twenty: {
    company: "companies",
    person: "people",
    deal: "opportunities",
    note: "notes",
    writes: 4,
    stageOf: (deal) => textAt(deal?.body, "stage"),
    stateOfDeal: (deal) => {
      const stage = textAt(deal?.body, "stage")
      return stage === "CUSTOMER" ? "won" : stage === "LOST" ? "lost" : "open"
    }
  }
}
