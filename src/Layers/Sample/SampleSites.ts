import { Effect } from "effect"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { type BegunCode, type NewWebsite, Websites } from "../../Services/Websites/Websites.ts"

const usual = {
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
    ...usual,
    type: "Website",
    description:
      "Site da Ondas, agenda online e cobrança para clínicas e escritórios. Mostre o que fazemos, como começamos, as perguntas mais comuns e como falar com a gente."
  },
  {
    ...usual,
    type: "LeadCapturePage",
    description: `Página para clínicas pedirem uma demonstração de 20 minutos da agenda online. Campanha ${campaign}. Peça nome, e-mail, telefone e quantas agendas a clínica tem.`
  },
  {
    ...usual,
    type: "Website",
    isRestricted: true,
    description:
      "Área dos parceiros da Ondas: como indicar uma clínica, o que acontece depois da indicação e a quem perguntar."
  }
]

/** What the owner published: of the sites, the first so many. `settle` waits for the job engine; answers the first one. */
export const publishSites = <E, R>(campaign: string, count: number, settle: Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const websites = yield* Websites
    const asked = sites(campaign).slice(0, count)
    const begun = yield* Effect.forEach(asked, (site) => unit.write(websites.register(site)))
    yield* settle
    const [first] = begun
    if (first !== undefined) yield* unit.write(websites.snapshot(first.websiteId, "Como foi ao ar"))
    return first
  })

/** The first site was changed, and brought back to what it was. */
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
