/** The values that a planner was given or found in answers. */
export type Facts = { readonly [name: string]: string | number | boolean }

/** One thing to do: the wish in a person's words, and its values. */
interface Step {
  readonly wish: string
  readonly facts?: (facts: Facts) => Facts
  /** Values of the answer that later steps and the check need, by their names there. */
  readonly keep?: ReadonlyArray<string>
}

export interface AgentTask {
  readonly name: string
  readonly steps: ReadonlyArray<Step>
  /** A read of the state by REST, and what its answer must contain. */
  readonly check: {
    readonly tool: string
    readonly facts?: (facts: Facts) => Facts
    readonly says: (facts: Facts) => ReadonlyArray<string>
    readonly saysNot?: (facts: Facts) => ReadonlyArray<string>
  }
}

const factNamed =
  (...names: ReadonlyArray<string>) =>
  (knownFacts: Facts): Facts =>
    Object.fromEntries(names.flatMap((name) => (knownFacts[name] === undefined ? [] : [[name, knownFacts[name]]])))

const findLead = (query: string): Step => ({ wish: "find a lead by name", facts: () => ({ query }), keep: ["lead_id"] })

const ofLead =
  (facts: Facts = {}) =>
  (knownFacts: Facts): Facts => ({ ...factNamed("lead_id")(knownFacts), ...facts })

const registered = (name: string): Step => ({
  wish: "cadastrar um lead novo",
  facts: () => ({ name, email: `${name.toLowerCase().replaceAll(" ", ".")}@agent.example`, company: "Agente Ltda" }),
  keep: ["lead_id"]
})

/** Twenty requests of sales managers to an agent, in three languages, each with the expected state afterwards. */
export const agentTasks: ReadonlyArray<AgentTask> = [
  {
    name: "tells which account it works for",
    steps: [{ wish: "who am I and which plan do I have", keep: ["plan"] }],
    check: { tool: "whoami", says: ({ plan }) => [`"plan":"${plan}"`] }
  },
  {
    name: "registers a contact met at a fair",
    steps: [registered("Tarsila Prates")],
    check: {
      tool: "get_lead",
      facts: factNamed("lead_id"),
      says: () => ["Tarsila Prates", "tarsila.prates@agent.example"]
    }
  },
  {
    name: "marks a lead as interested",
    steps: [registered("Otto Brandt"), { wish: "mudar o status do lead", facts: ofLead({ status: "Interested" }) }],
    check: { tool: "get_lead", facts: factNamed("lead_id"), says: () => [`"Interested"`] }
  },
  {
    name: "pauses a lead found by name",
    steps: [
      registered("Ivone Calado"),
      findLead("Ivone Calado"),
      { wish: "dejar de contactar a un lead por ahora", facts: ofLead({ reason: "De vacaciones" }) }
    ],
    check: { tool: "list_paused_prospecting_leads", says: ({ lead_id }) => [`"lead_id":${lead_id}`] }
  },
  {
    name: "takes a lead into the owner's hands",
    steps: [registered("Lia Moura"), { wish: "eu mesmo vou atender esse lead", facts: ofLead() }],
    check: { tool: "get_lead", facts: factNamed("lead_id"), says: () => [`"user_controlled"`] }
  },
  {
    name: "finishes a lead once a person has confirmed",
    steps: [
      registered("Raul Teixeira"),
      { wish: "stop a lead for good", facts: ofLead({ reason: "Bought elsewhere" }) }
    ],
    check: { tool: "get_lead", facts: factNamed("lead_id"), says: () => [`"finished"`] }
  },
  {
    name: "records a sale with its value",
    steps: [
      registered("Nilo Peixoto"),
      { wish: "ganamos la venta con este lead", facts: ofLead({ outcome: "won", deal_value_brl: 12_500 }) }
    ],
    check: { tool: "list_lead_lifecycle_events", facts: factNamed("lead_id"), says: () => ["won"] }
  },
  {
    name: "erases a person who asked for it",
    steps: [registered("Zuleica Amaral"), { wish: "apagar todos os dados da pessoa", facts: ofLead() }],
    check: {
      tool: "search_leads",
      facts: () => ({ query: "Zuleica Amaral" }),
      says: () => [],
      saysNot: () => ["Zuleica"]
    }
  },
  {
    name: "opens a campaign",
    steps: [
      {
        wish: "create a new campaign",
        facts: () => ({ name: "Agent's dentists", business_name: "Ondas", instructions: "Be brief." })
      }
    ],
    check: { tool: "list_campaigns", says: () => ["Agent's dentists"] }
  },
  {
    name: "opens a campaign and gives it another name",
    steps: [
      { wish: "criar uma campanha", facts: () => ({ name: "Nome velho", business_name: "Ondas" }) },
      { wish: "trocar o nome da campanha", facts: () => ({ name: "Nome velho", new_name: "Nome novo" }) }
    ],
    check: { tool: "list_campaigns", says: () => ["Nome novo"], saysNot: () => ["Nome velho"] }
  },
  {
    name: "moves a lead into a campaign",
    steps: [
      { wish: "crear una campaña", facts: () => ({ name: "Hoteles del agente", business_name: "Ondas" }) },
      registered("Paz Otero"),
      {
        wish: "pasar un lead a otra campaña",
        facts: ({ lead_id }) => ({ lead_ids: String(lead_id), campaign: "Hoteles del agente" })
      }
    ],
    check: { tool: "get_lead", facts: factNamed("lead_id"), says: () => ["Hoteles del agente"] }
  },
  {
    name: "blocks a competitor",
    steps: [{ wish: "never contact anybody of a company", facts: () => ({ domain: "rival-of-agent.example" }) }],
    check: { tool: "list_blacklisted_emails", says: () => ["rival-of-agent.example"] }
  },
  {
    name: "sends events to a system",
    steps: [
      {
        wish: "avisar a mi sistema cuando pasa algo",
        facts: () => ({ url: "https://hooks.agent.example/in", event_types: "meeting_booked" })
      }
    ],
    check: { tool: "list_webhook_subscriptions", says: () => ["https://hooks.agent.example/in"] }
  },
  {
    name: "asks support about a fault",
    steps: [
      {
        wish: "falar com o suporte sobre um erro",
        facts: () => ({ message: "The agent's export ends early.", type: "technical", severity: "medium" })
      }
    ],
    check: { tool: "list_support_requests", says: () => ["The agent's export ends early."] }
  },
  {
    name: "teaches the agent a price list",
    steps: [
      {
        wish: "ensenarle al agente los precios",
        facts: () => ({ title: "Precios del agente", text: "El plan básico cuesta 199 por mes." })
      }
    ],
    check: { tool: "list_business_files", says: () => ["Precios del agente"] }
  },
  {
    name: "puts off the next contact",
    steps: [
      registered("Vera Lins"),
      {
        wish: "adiar o próximo contato",
        facts: ({ lead_id }) => ({ lead_ids: String(lead_id), next_touch_date: "2031-01-15T13:00:00Z" })
      }
    ],
    check: { tool: "get_lead", facts: factNamed("lead_id"), says: () => ["2031-01-15T13:00:00"] }
  },
  {
    name: "makes an access token and takes it back",
    steps: [
      { wish: "crear una clave de acceso para otro programa", facts: () => ({ label: "agent's" }), keep: ["token_id"] },
      { wish: "revoke an access token", facts: factNamed("token_id") }
    ],
    check: { tool: "list_mcp_tokens", says: () => [`"agent's"`] }
  },
  {
    name: "exports leads and waits for the file",
    steps: [
      { wish: "exportar os leads", facts: () => ({ status: "Interested" }), keep: ["job_id"] },
      { wish: "wait_for_job", facts: factNamed("job_id"), keep: ["status"] }
    ],
    check: { tool: "list_background_jobs", says: ({ job_id }) => [`"${job_id}"`, `"finished"`] }
  },
  {
    name: "changes the account's name",
    steps: [{ wish: "change my name", facts: () => ({ name: "Renata of the Agent" }) }],
    check: { tool: "whoami", says: () => ["Renata of the Agent"] }
  },
  {
    name: "describes the company anew",
    steps: [
      {
        wish: "mudar a descrição da minha empresa",
        facts: () => ({ business_description: "Software de agenda, diz o agente" })
      }
    ],
    check: { tool: "get_business", says: () => ["Software de agenda, diz o agente"] }
  }
]
