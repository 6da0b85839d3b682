import type { Vendor } from "./Vendor.ts"

const hubspotSpecs = "github.com/HubSpot/HubSpot-public-api-spec-collection"
const hubspotEnds = "developers.hubspot.com/changelog/legacy-apis-and-legacy-apps-whats-going-unsupported-and-when"
const pipedriveClient = "github.com/pipedrive/client-nodejs 32.2.1"

/** The CRMs of accounts. */
export const crmVendors: ReadonlyArray<Vendor> = [
  {
    vendor: "hubspot",
    title: "HubSpot",
    interfaces: [
      {
        name: "CRM objects, pipelines, properties, owners, account info",
        version: "v3",
        endsOn: "2027-09-01",
        source: `${hubspotSpecs}, ${hubspotEnds}`,
        readOn: "2026-11-26"
      },
      {
        name: "Associations",
        version: "v4",
        endsOn: "2027-03-30",
        source: `${hubspotSpecs}, ${hubspotEnds}`,
        readOn: "2026-11-26"
      }
    ],
    checked: [],
    unverified: [
      "whether search compares values of `IN` in lower case only",
      "how many searches a second it allows (429 is honoured)"
    ]
  },
  {
    vendor: "pipedrive",
    title: "Pipedrive",
    interfaces: [
      {
        name: "Deals, persons, organizations, pipelines, stages, search",
        version: "v2",
        endsOn: "none announced",
        source: pipedriveClient,
        readOn: "2026-11-26"
      },
      {
        name: "Users, notes, webhooks, which have no v2",
        version: "v1",
        endsOn: "none announced",
        source: pipedriveClient,
        readOn: "2026-11-26"
      }
    ],
    checked: [],
    unverified: ["how late its search shows new records"]
  },
  {
    vendor: "odoo",
    title: "Odoo",
    interfaces: [
      {
        name: "/jsonrpc of servers 14 to 18; servers from 20 on no longer have it",
        version: "14 to 18",
        endsOn: "none announced",
        source: "github.com/odoo/documentation, external_rpc_api.rst",
        readOn: "2026-11-26"
      },
      {
        name: "JSON-2",
        version: "19 and later",
        endsOn: "none announced",
        source: "github.com/odoo/documentation, external_json2_api.rst",
        readOn: "2026-11-26"
      }
    ],
    checked: [],
    unverified: ["notes for many deals at once, created as `mail.message` records"]
  },
  {
    vendor: "twenty",
    title: "Twenty",
    interfaces: [
      {
        name: "REST, metadata and GraphQL",
        version: "1.x",
        endsOn: "none announced",
        source: "github.com/twentyhq/twenty",
        readOn: "2026-11-26"
      }
    ],
    checked: [],
    unverified: ["filters and notes of its second interface"]
  },
  {
    vendor: "rdstation",
    title: "RD Station",
    interfaces: [
      {
        name: "CRM, by token",
        version: "v1",
        endsOn: "none announced",
        source: "developers.rdstation.com, github.com/fernandoludvig/rdstation-crm-mcp",
        readOn: "2026-11-26"
      },
      {
        name: "Marketing conversions, by key",
        version: "platform/conversions",
        endsOn: "none announced",
        source: "developers.rdstation.com",
        readOn: "2026-11-26"
      }
    ],
    checked: [],
    unverified: ["`exact_name` and `closed_at_period` (answers are filtered again here)"]
  },
  {
    vendor: "ploomes",
    title: "Ploomes",
    interfaces: [
      {
        name: "OData",
        version: "public-api2",
        endsOn: "none announced",
        source: "github.com/Ploomes/n8n-nodes-ploomes",
        readOn: "2026-11-26"
      }
    ],
    checked: [],
    unverified: ["the filter on phones"]
  },
  {
    vendor: "agendor",
    title: "Agendor",
    interfaces: [
      {
        name: "REST",
        version: "v3",
        endsOn: "none announced",
        source: "github.com/leonidasjf/agendor_crm-n8n-nodes",
        readOn: "2026-11-26"
      }
    ],
    checked: [],
    unverified: ["the filter of organizations by name", "the keys of its custom fields"]
  },
  {
    vendor: "omie",
    title: "Omie",
    interfaces: [
      {
        name: "CRM",
        version: "v1",
        endsOn: "none announced",
        source: "github.com/pauloracunha/omie-lib",
        readOn: "2026-11-26"
      }
    ],
    checked: [],
    unverified: [
      "what `Verificar…` answers if no one is found (a fault and a number of 0 are both accepted)",
      "its lock on a read repeated within a minute"
    ]
  },
  {
    vendor: "piperun",
    title: "PipeRun",
    interfaces: [
      {
        name: "REST",
        version: "v1",
        endsOn: "none announced",
        source: "github.com/LesserWords/n8n-nodes-piperun-openapi",
        readOn: "2026-11-26"
      }
    ],
    checked: [],
    unverified: ["the filter of companies by name", "its reasons of loss"]
  },
  {
    vendor: "nectar",
    title: "Nectar",
    interfaces: [
      {
        name: "REST",
        version: "1",
        endsOn: "none announced",
        source: "github.com/ColmeiaSolucoes/nectarcrm-api",
        readOn: "2026-11-26"
      }
    ],
    checked: [],
    unverified: ["`cargo`"]
  },
  {
    vendor: "moskit",
    title: "Moskit",
    interfaces: [
      {
        name: "REST",
        version: "v2",
        endsOn: "none announced",
        source: "github.com/vitorgume/integracao-moskit-powerbi",
        readOn: "2026-11-26"
      }
    ],
    checked: [],
    unverified: ["the name of its notes", "its search by change"]
  }
]
