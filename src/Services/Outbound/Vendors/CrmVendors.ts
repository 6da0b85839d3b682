import type { Vendor } from "./Vendor.ts"

const hubspotSpecs = "github.com/HubSpot/HubSpot-public-api-spec-collection"
const hubspotVersions = "developers.hubspot.com/docs/developer-tooling/platform/versioning"
const pipedriveClient = "github.com/pipedrive/client-nodejs 32.2.1"

/** The CRMs of accounts. */
export const crmVendors: ReadonlyArray<Vendor> = [
  {
    vendor: "hubspot",
    title: "HubSpot",
    interfaces: [
      {
        name: "CRM objects, associations, pipelines, properties, owners, account info",
        version: "2026-09",
        // A version is supported for 18 months.
        endsOn: "2028-03-01",
        source: `${hubspotSpecs}, ${hubspotVersions}`,
        readOn: "2026-11-26"
      }
    ],
    checked: [
      "every request, and every answer of the simulator, against an excerpt of the vendor's OpenAPI files of 2026-09"
    ],
    unverified: [
      "that a search takes no `after` on its first page, which its file demands",
      "`companyCurrency` as the currency of deals that name none",
      "whether search compares values of `IN` in lower case only",
      "how many searches a second it allows (429 is honoured)"
    ]
  },
  {
    vendor: "pipedrive",
    title: "Pipedrive",
    interfaces: [
      {
        name: "Deals, persons, organizations, their fields, pipelines, stages, activities, search",
        version: "v2",
        endsOn: "none announced",
        source: pipedriveClient,
        readOn: "2026-11-26"
      },
      {
        name: "Users, notes and webhooks, which have no twin in v2 yet",
        version: "v1",
        endsOn: "none announced",
        source: pipedriveClient,
        readOn: "2026-11-26"
      }
    ],
    checked: ["every request, and every answer of the simulator, against an excerpt of the vendor's client"],
    unverified: [
      "how late its search shows new records",
      "whether its search of phones finds other forms than the given one",
      "that each account has an activity type with the key `meeting`"
    ]
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
    checked: [
      "every request, and every answer of the simulator, against an excerpt of the server's source",
      "all 32 lines of `npm run check:crm -- odoo` against a simulator that refuses `vals_list` by name with `IndexError`",
      "all 32 lines of it against a real server of version 14, the package odoo-14 of Debian 11 (`bench/odoo/check.sh`)"
    ],
    unverified: ["`lost_reason_id` of versions 14 and 15, where the field is read from `fields_get`"]
  },
  {
    vendor: "twenty",
    title: "Twenty",
    interfaces: [
      {
        name: "REST, metadata and GraphQL",
        version: "1.17 and later; older ones name the targets of notes differently, which the metadata show",
        endsOn: "none announced",
        source: "github.com/twentyhq/twenty",
        readOn: "2026-11-26"
      }
    ],
    checked: ["every request, and every answer of the simulator, against an excerpt"],
    unverified: ["filters, notes and tasks of its second interface"]
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
    checked: [
      "every request, and every answer of the simulator, against an excerpt of the vendor's OpenAPI documents of deals, and of a public client for the rest"
    ],
    unverified: [
      "`exact_name` and `closed_at_period` (answers are filtered again here)",
      "contacts, organizations, activities and tasks, whose documents were not at hand",
      "the time zone of a task's hour (Brasília's is written)",
      "until when v1 stays next to v2, which takes OAuth apps only: the vendor names no end. A deal's value is not written, because v1 takes it as products of the account's catalogue only; it is in the outcome's note"
    ]
  },
  {
    vendor: "ploomes",
    title: "Ploomes",
    interfaces: [
      {
        name: "OData",
        version: "public-api2",
        endsOn: "none announced",
        source:
          "github.com/Ploomes/n8n-nodes-ploomes 02663a8, github.com/victorbenazzi/ploomes-mcp-server 844702c, github.com/filterfeed/ploomes-api-client a9bcb70",
        readOn: "2026-11-27"
      }
    ],
    checked: [
      "every request, and every answer of the simulator, against an excerpt of the vendor's own node for collections, methods and the query language, and of two public clients for members"
    ],
    unverified: [
      "whether `SearchPhoneNumber`, by which public clients look phones up, leaves out a zero before the area code",
      "which type a meeting's task needs, where an account demands one",
      "the members of webhooks"
    ]
  },
  {
    vendor: "agendor",
    title: "Agendor",
    interfaces: [
      {
        name: "REST",
        version: "v3",
        endsOn: "none announced",
        source: "github.com/leonidasjf/agendor_crm-n8n-nodes a56efdd, github.com/verbeux-ai/agendor-go efacba7",
        readOn: "2026-11-27"
      }
    ],
    checked: [
      "every request, and every answer of the simulator, against an excerpt of a list of the vendor's Postman collection for paths and parameters, and of a public client for members"
    ],
    unverified: [
      "the filter of organizations by name",
      "the keys of its custom fields",
      "the members of tasks but for `text`: a meeting is a task with a text",
      "whether a deal takes another title: none is sent"
    ]
  },
  {
    vendor: "omie",
    title: "Omie",
    interfaces: [
      {
        name: "CRM",
        version: "v1",
        endsOn: "none announced",
        source: "github.com/pauloracunha/omie-lib b7c0b4e",
        readOn: "2026-11-27"
      }
    ],
    checked: [
      "every request, and every answer of the simulator, against an excerpt of a public client that is generated from the vendor's service descriptions"
    ],
    unverified: [
      "which members are required: the descriptions do not say",
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
        source: "github.com/LesserWords/n8n-nodes-piperun-openapi b1944e6",
        readOn: "2026-11-27"
      }
    ],
    checked: [
      "every request, and every answer of the simulator, against an excerpt of the vendor's OpenAPI file of April 2026"
    ],
    unverified: [
      "`external_code` of new persons, which the file has in answers and filters only",
      "`with=customFields`, which a public client sends and the file does not have",
      "whether e-mail addresses and phones come as lists, or as the single object that the file shows"
    ]
  },
  {
    vendor: "nectar",
    title: "Nectar",
    interfaces: [
      {
        name: "REST",
        version: "1",
        endsOn: "none announced",
        source: "github.com/ColmeiaSolucoes/nectarcrm-api 35694ae",
        readOn: "2026-11-27"
      }
    ],
    checked: [
      "every request, and every answer of the simulator, against an excerpt of the vendor's own documents and schemas"
    ],
    unverified: ["`cargo`, which is in an example only", "what a change answers, which the documents do not show"]
  },
  {
    vendor: "moskit",
    title: "Moskit",
    interfaces: [
      {
        name: "REST",
        version: "v2",
        endsOn: "none announced",
        source: "github.com/cadubra2/ollow 80faca3, github.com/vitorgume/integracao-moskit-powerbi 2604059",
        readOn: "2026-11-27"
      }
    ],
    checked: [
      "every request, and every answer of the simulator, against an excerpt of two public clients, one of which states what was measured at the vendor: changes are whole records, prices are centavos, a note has a `user`"
    ],
    unverified: [
      "that contacts and companies are changed as whole records too",
      "its search by `dateModified`",
      "how long a record that was just changed is still read as it was"
    ]
  }
]
