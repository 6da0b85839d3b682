import { expect, it } from "@effect/vitest"
import { Effect, FastCheck, Layer } from "effect"
import { describe } from "vitest"
import { materialOf } from "../../bench/sites/SiteMaterials.ts"
import { siteWriterByRules } from "../../src/Layers/Websites/Writer/SiteWriterByRules.ts"
import { SiteWriterConfigured } from "../../src/Layers/Websites/Writer/SiteWriterConfigured.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { changeByRules } from "../../src/Services/Websites/Edits/EditReader.ts"
import type { Site, SiteBlock } from "../../src/Services/Websites/Site.ts"
import { applyOperations, type SiteOperation } from "../../src/Services/Websites/SiteOperations.ts"
import { composeSite } from "../../src/Services/Websites/Writing/ComposeSite.ts"
import { numbersIn, sourcesOf, textsOf } from "../../src/Services/Websites/Writing/SiteCheck.ts"
import { type SiteMaterial, SiteWriter } from "../../src/Services/Websites/Writing/SiteWriter.ts"
import { fakeModel } from "../Models/FakeLanguageModel.ts"
import { bakery, clinic, software, solar } from "./support/materials.ts"
import { unseen } from "./support/reviewers.ts"

const blocks = (site: Site): ReadonlyArray<SiteBlock> => site.pages.flatMap((page) => page.blocks)

/** The parts of a site that differ: keys of blocks, and names of what else is other than before. */
const differing = (before: Site, after: Site): ReadonlyArray<string> => {
  const texts = (site: Site) => new Map(blocks(site).map((block) => [block.id, JSON.stringify(block)]))
  const [old, now] = [texts(before), texts(after)]
  const ofBlocks = [...new Set([...old.keys(), ...now.keys()])].filter((id) => old.get(id) !== now.get(id))
  const order = (site: Site) =>
    site.pages
      .filter(({ id }) => before.pages.some((page) => page.id === id))
      .map(
        (page) =>
          `${page.id}: ${page.blocks
            .filter(({ id }) => old.has(id) && now.has(id))
            .map(({ id }) => id)
            .join()}`
      )
  const rest = (["name", "tagline", "theme", "pictures", "collections", "language", "campaign"] as const).filter(
    (part) => JSON.stringify(before[part]) !== JSON.stringify(after[part])
  )
  const described = before.pages.flatMap(({ description, id, label, title, variants }) => {
    const page = after.pages.find((each) => each.id === id)
    return JSON.stringify([label, title, description, variants]) ===
      JSON.stringify([page?.label, page?.title, page?.description, page?.variants])
      ? []
      : [`page ${id}`]
  })
  const moved = JSON.stringify(order(before)) === JSON.stringify(order(after)) ? [] : ["order"]
  return [...ofBlocks, ...rest, ...described, ...moved].toSorted()
}

// What a prompt does, and all that may be other afterwards.
const cases: ReadonlyArray<
  readonly [material: SiteMaterial, prompt: string, changed: ReadonlyArray<string>, says: string]
> = [
  [bakery, "Mude as cores para azul", ["theme"], "#1d6fd1"],
  [bakery, "Quero outro layout", ["theme"], "layout"],
  [bakery, "Use uma fonte serifada", ["theme"], "fontes"],
  [bakery, "Troque o telefone para (41) 3333-1212", ["contact", "hero"], "(41) 3333-1212"],
  [bakery, "Horário: de segunda a sábado, das 6h às 20h", ["contact"], "segunda a sábado"],
  [bakery, "O endereço agora é Rua das Acácias, 45, Batel", ["contact"], "Rua das Acácias, 45"],
  [bakery, "Remova a focaccia do cardápio", ["prices"], "Focaccia de alecrim"],
  [bakery, "Remova o cardápio", ["prices"], "Cardápio"],
  [bakery, "O café coado agora custa R$ 8", ["prices"], "R$ 8"],
  [bakery, "Adicione o item Pão de queijo por R$ 6", ["prices"], "Pão de queijo"],
  [
    bakery,
    "Adicione uma pergunta: Vocês fazem entrega? Sim, no centro de Curitiba.",
    ["questions"],
    "Perguntas frequentes"
  ],
  [bakery, "Mude o título para “Pão bom todo dia”", ["hero"], "Pão bom todo dia"],
  [bakery, "Troque “Ligar agora” por “Ligue para a padaria”", ["hero"], "Ligue para a padaria"],
  [bakery, "Adicione depoimentos: “O melhor pão da cidade.” — Carla Nunes, cliente", ["quotes"], "O que dizem"],
  [bakery, "Adicione um formulário de encomendas", ["collections", "form"], "encomenda"],
  [bakery, "Mova o cardápio para o topo", ["order"], "Cardápio"],
  [bakery, "Renomeie o site para Padaria Alvorada", ["name", "page home"], "Padaria Alvorada"],
  [bakery, "Adicione uma página Sobre: Começamos em 1998 com um forno só.", ["about"], "Sobre"],
  [software, "Change the Firm plan to $69 per month", ["prices"], "$69 per month"],
  [software, "Remove the Solo plan", ["prices"], "Solo"],
  [software, "Add a client: Riverbank Ledger", ["clients"], "Riverbank Ledger"],
  [software, "Change the headline to “Close the month in three days”", ["hero"], "Close the month"],
  [software, "Move the clients after the features", ["order"], "Clients"],
  [software, "Make it dark", ["theme"], "palette"],
  [software, "Add team: Rosa Lind - founder; Peter Hale - engineer", ["people"], "Team"],
  [clinic, "Agregue un campo de edad al formulario", ["collections", "form"], "Edad"],
  [clinic, "Cambie el horario a lunes a sábado de 9:00 a 17:00", ["contact"], "9:00 a 17:00"],
  [clinic, "Haga obligatorio el campo Teléfono", ["collections", "form"], "Teléfono"],
  [clinic, "Cambia el color a verde", ["theme"], "#1f8a4c"],
  [clinic, "Quite el teléfono", ["contact"], "Teléfono"],
  [solar, "Adicione uma variante com o título “Sua conta de luz menor”", ["page home"], "variante b"],
  [solar, "Adicione o campo empresa", ["form"], "Empresa"],
  [solar, "Mude o texto do botão para “Quero meu diagnóstico”", ["form", "hero"], "Quero meu diagnóstico"]
]

describe("a change by rules", () => {
  it.each(cases.map(([material, prompt, changed, says]) => ({ material, prompt, changed, says })))(
    "$prompt",
    ({ changed, material, prompt, says }) => {
      const { site } = composeSite(material)
      const after = changeByRules(site, prompt, material)
      expect(differing(site, after.site)).toEqual(changed.toSorted())
      expect(after.notes.join(" ")).toContain(says)
    }
  )

  it("says what it cannot do, and then changes nothing", () => {
    const { site } = composeSite(bakery)
    for (const prompt of [
      "Faça algo incrível",
      "Escreva um poema",
      "Adicione depoimentos",
      "O sonho agora custa R$ 5",
      "Remova a piscina",
      "Adicione o campo senha",
      "…"
    ]) {
      const after = changeByRules(site, prompt, bakery)
      expect(after.site).toBe(site)
      expect(after.notes).not.toEqual([])
    }
  })

  it("puts a price nowhere whose item the site has not, and keeps what is added together", () => {
    const { site } = composeSite(clinic)
    for (const prompt of [
      "Add a client: Riverbank Ledger\nO café coado agora custa R$ 8",
      "Add a client: Riverbank Ledger. O café coado agora custa R$ 8."
    ]) {
      const after = changeByRules(site, prompt, clinic)
      expect(differing(site, after.site)).toEqual(["clients"])
      expect(JSON.stringify(after.site)).not.toContain("R$ 8")
      expect(after.notes).toHaveLength(2)
    }
    const about = changeByRules(
      site,
      "Agregue una sección Historia: Abrimos en 1998. Hoy somos nueve personas.",
      clinic
    )
    expect(blocks(about.site).flatMap(textsOf).join("\n")).toContain("Abrimos en 1998. Hoy somos nueve personas.")
  })

  // A longer run: CHANGES=3000 npx vitest run test/Websites/Change.test.ts -t sentences
  const runs = process.env["CHANGES"]
  const parts = FastCheck.constantFrom(
    ...cases.map(([, prompt]) => prompt),
    "Deixe tudo melhor",
    "Remova o pão",
    "Adicione 12 clientes novos",
    "Our price is now better."
  )
  it("reads its sentences each by itself, and says no number that neither prompt nor material has", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.constantFrom(bakery, software, clinic, solar),
        FastCheck.array(
          FastCheck.oneof(
            { weight: 5, arbitrary: parts },
            { weight: 1, arbitrary: FastCheck.string({ maxLength: 80, unit: "grapheme" }) }
          ),
          { minLength: 1, maxLength: 4 }
        ),
        (material, sentences) => {
          const { site } = composeSite(material)
          const before = JSON.stringify(site)
          // All of them together do what one does after the other.
          const stepwise = sentences.reduce((each, sentence) => changeByRules(each, sentence, material).site, site)
          const after = changeByRules(site, sentences.join("\n\n"), material).site
          expect(JSON.stringify(site)).toBe(before)
          expect(after).toEqual(stepwise)
          const sources = sourcesOf(material, ...sentences)
          for (const number of numbersIn(blocks(after).flatMap(textsOf).join("\n")))
            expect(sources.numbers.has(number)).toBe(true)
        }
      ),
      {
        ...(runs === undefined ? { seed: 17, numRuns: 120 } : { numRuns: Number(runs) }),
        examples: [
          [software, ["Remova o cardápio", "Adicione o item Pão de queijo por R$ 6"]],
          [clinic, ["Add a client: Riverbank Ledger", "O café coado agora custa R$ 8"]]
        ]
      }
    )
  })

  it.effect("starts a copy from the copied site, and applies its description as a change", () =>
    Effect.gen(function* () {
      const { site } = composeSite(bakery)
      const effort = { generation: "Fast", reasoning: "Fast" } as const
      const copyOf = (description: string) =>
        siteWriterByRules.change(site, description, materialOf(description), effort)
      const copy = yield* copyOf("O nome é Padaria Alvorada")
      expect(copy.site.name).toBe("Padaria Alvorada")
      expect(copy.site.pages.map(({ blocks }) => blocks.length)).toEqual(site.pages.map(({ blocks }) => blocks.length))
      const other = yield* copyOf("Site para a Volt Elétrica, empresa de instalações em Campinas.")
      expect(other.site).toEqual(site)
      expect(other.report?.not_done).not.toEqual([])
    }).pipe(Effect.provideService(Caller, Caller.forTask(AccountId.make(1), "paid", "test")))
  )
})

describe("a change by a model", () => {
  const { site } = composeSite(bakery)
  const changed = (answers: ReadonlyArray<unknown>) => {
    const { asked, layer } = fakeModel(answers)
    return Effect.gen(function* () {
      const writer = yield* SiteWriter
      return {
        ...(yield* writer.change(site, "Mude o telefone para 99", bakery, { generation: "Fast", reasoning: "Fast" })),
        asked
      }
    }).pipe(
      Effect.provide(Layer.provide(SiteWriterConfigured, Layer.merge(layer, unseen))),
      Effect.provideService(Caller, Caller.forTask(AccountId.make(1), "paid", "test"))
    )
  }
  const clients = (name: string): SiteOperation => ({
    _tag: "AddBlock",
    page: "home",
    after: "hero",
    block: { _tag: "Clients", id: "clients", title: "Clientes", names: [name] }
  })

  it.effect("applies its operations and leaves out what nobody said", () =>
    Effect.gen(function* () {
      const result = yield* changed([
        {
          understood: true,
          operations: [clients("Hotel Imperial"), { _tag: "RemoveBlock", page: "home", block: "prices" }],
          notes: ["O cardápio saiu."]
        },
        { blocks: [] }
      ])
      expect(differing(site, result.site)).toEqual(["prices"])
      expect(result.notes).toEqual(["O cardápio saiu.", "Ficou de fora, porque o material não o sustenta: Clientes."])
    })
  )

  it.effect("changes nothing where the model understands nothing", () =>
    Effect.gen(function* () {
      const result = yield* changed([{ understood: false, operations: [], notes: [] }])
      expect(result.site).toEqual(site)
      expect(result.notes).toHaveLength(1)
    })
  )
})

describe("operations", () => {
  it("are refused where what they name is not there", () => {
    const { site } = composeSite(bakery)
    const operations: ReadonlyArray<SiteOperation> = [
      { _tag: "RemoveBlock", page: "home", block: "none" },
      { _tag: "RemovePage", page: "home" },
      { _tag: "MoveBlock", page: "home", block: "prices", to: "none", after: null },
      { _tag: "AddVariant", page: "home", id: "a", blocks: [] }
    ]
    const { refused, site: after } = applyOperations(site, operations)
    expect(refused).toHaveLength(4)
    expect(after).toBe(site)
  })
})
