import { Effect } from "effect"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { type BegunCode, type NewWebsite, Websites } from "../../Services/Websites/Websites.ts"

const defaults = {
  language: "pt-br",
  generation: "Fast",
  isRestricted: false,
  storesData: false,
  copyFrom: undefined,
  businessName: undefined
} as const

/** Capture pages name the campaign that their leads join. */
const sites = (campaign: string): ReadonlyArray<NewWebsite> => [
  {
    ...defaults,
    type: "Website",
    description: "Site da Ondas, agenda online e cobrança para clínicas e escritórios."
  },
  {
    ...defaults,
    type: "LeadCapturePage",
    description: `Página para clínicas pedirem uma demonstração de 20 minutos da agenda online. Campanha: ${campaign}. Peça nome, e-mail, telefone e quantas agendas a clínica tem.`
  },
  {
    ...defaults,
    type: "Website",
    isRestricted: true,
    description:
      "Área dos parceiros da Ondas: como indicar uma clínica, o que acontece depois da indicação e a quem perguntar."
  }
]

/** Creates the websites and publishes the first `count`. `settle` waits for the job engine. Returns the first one. */
export const publishSites = <E, R>(campaign: string, count: number, settle: Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const websites = yield* Websites
    const newSites = sites(campaign).slice(0, count)
    const created = yield* Effect.forEach(newSites, (site) => unit.write(websites.register(site)))
    yield* settle
    const [first] = created
    if (first !== undefined) yield* unit.write(websites.snapshot(first.websiteId, "Como foi ao ar"))
    return first
  })

/** Changes the first website, and restores its earlier version. */
export const reworkSite = <E, R>({ codeId, websiteId }: BegunCode, settle: Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const websites = yield* Websites
    yield* unit.write(
      websites.change(websiteId, {
        prompt: 'Troque o título da abertura por "Sua agenda cheia, sem planilhas"',
        storesData: false,
        startsAnew: false,
        reasoning: "Fast",
        generation: "Fast"
      })
    )
    yield* settle
    yield* unit.write(websites.restore(codeId))
  })
