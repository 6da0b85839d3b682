import { expect, it } from "@effect/vitest"
import { Effect, FastCheck, Layer, Schema } from "effect"
import { describe } from "vitest"
import { materialOf } from "../../bench/sites/SiteMaterials.ts"
import { siteWriterByRules } from "../../src/Layers/Websites/Writer/SiteWriterByRules.ts"
import { SiteWriterConfigured } from "../../src/Layers/Websites/Writer/SiteWriterConfigured.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { Site, type SiteBlock } from "../../src/Services/Websites/Site.ts"
import { composeSite } from "../../src/Services/Websites/Writing/ComposeSite.ts"
import { numbersIn, problemsOf, soundSite, sourcesOf, textsOf } from "../../src/Services/Websites/Writing/SiteCheck.ts"
import { type SiteMaterial, SiteWriter } from "../../src/Services/Websites/Writing/SiteWriter.ts"
import { fakeModel } from "../Models/FakeLanguageModel.ts"
import { bakery, clinic, software, solar } from "./support/materials.ts"
import { unseen } from "./support/reviewers.ts"

const decode = Schema.decodeUnknownSync(Site)
const blocksOf = (site: Site): ReadonlyArray<SiteBlock> => site.pages.flatMap(({ blocks }) => blocks)
const block = <Tag extends SiteBlock["_tag"]>(site: Site, tag: Tag): Extract<SiteBlock, { _tag: Tag }> | undefined => {
  const is = (each: SiteBlock): each is Extract<SiteBlock, { _tag: Tag }> => each._tag === tag
  return blocksOf(site).find(is)
}

const caller = Layer.succeed(Caller, Caller.forTask(AccountId.make(1), "paid", "test"))
const fast = { generation: "Fast", reasoning: "Fast" } as const

describe("a site by rules", () => {
  it("is what its material says", () => {
    const { site } = composeSite(bakery)
    expect(site.name).toBe("Padaria Aurora")
    expect(block(site, "Hero")).toMatchObject({ title: "Padaria artesanal em Curitiba" })
    expect(block(site, "Features")?.items.map(({ title }) => title)).toEqual([
      "Pães de fermentação natural",
      "Bolos sob encomenda",
      "Café da manhã"
    ])
    expect(block(site, "Prices")?.items.map(({ name, price }) => `${name} ${price}`)).toContain(
      "Focaccia de alecrim R$ 18"
    )
    expect(block(site, "Contact")).toMatchObject({
      phone: "(41) 99876-5432",
      address: "Rua das Flores, 120, Centro, Curitiba",
      hours: "Aberta de terça a domingo, das 7h às 19h",
      email: null
    })
    // The owner asked for none.
    expect(block(site, "Form")).toBeUndefined()
    expect(JSON.stringify(site.pages)).not.toContain("Cores quentes")
  })

  it("has pages where there is enough to fill them", () => {
    const { site } = composeSite(software)
    expect(site.pages.map(({ path }) => path)).toEqual(["", "plans", "contact"])
    expect(block(site, "Prices")?.items[1]).toMatchObject({
      name: "Firm",
      price: "$59 per month",
      includes: ["5 users", "150 clients", "Phone support"]
    })
    expect(block(site, "Quotes")?.items).toEqual([
      { words: "Month end went from nine days to three.", name: "Joan Fisher", role: "partner at Fisher & Daughters" }
    ])
    expect(block(site, "Clients")?.names).toEqual(["Harper & Co", "Bluefield Tax", "Kline Advisors"])
    expect(block(site, "Figures")?.items.map(({ value }) => value)).toEqual(["+1,200", "14"])
    expect(block(site, "Steps")?.items).toHaveLength(3)
  })

  it("stores what the description wants stored", () => {
    const { site } = composeSite(clinic)
    const form = block(site, "Form")
    expect(form?.fields.map(({ kind, name }) => `${name} ${kind}`)).toEqual([
      "name text",
      "email email",
      "phone phone",
      "date date",
      "service choice"
    ])
    expect(site.collections).toMatchObject([{ id: form?.collection, is_public: false }])
    expect(
      block(
        composeSite({
          ...clinic,
          storesData: true,
          description: `${clinic.description} Mural público: listado público de citas.`
        }).site,
        "Records"
      )
    ).toBeDefined()
  })

  it("is one page with an offer and a form where leads are to be captured, without passwords", () => {
    const { notes, site } = composeSite(solar)
    expect(site.pages).toHaveLength(1)
    expect(block(site, "Hero")?.title).toBe("Diagnóstico gratuito da conta de luz")
    expect(block(site, "Form")).toMatchObject({ collection: null })
    expect(block(site, "Form")?.fields.map(({ name }) => name)).toEqual(["name", "email", "phone", "city"])
    expect(site.campaign).toBe("Residencial 2027")
    expect(notes.join(" ")).toContain("Senhas")
    expect(
      block(
        composeSite(materialOf("A page for a free guide", "en-us", { type: "LeadCapturePage" })).site,
        "Form"
      )?.fields.map(({ name }) => name)
    ).toEqual(["name", "email"])
  })

  it("is small and whole where the material is sparse", () => {
    for (const material of [
      materialOf("Site para barbearia em Belo Horizonte"),
      materialOf("A website for a florist", "en-us", { businessName: "Wild Stem" }),
      materialOf("x", "es-mx"),
      materialOf("???", "pt-br")
    ]) {
      const { site } = composeSite(material)
      expect(block(site, "Hero")?.title).not.toBe("")
      expect(blocksOf(site).every((each) => !("items" in each) || each.items.length > 0)).toBe(true)
    }
  })

  // The heading and the words below it of what says little.
  const headings: ReadonlyArray<
    readonly [description: string, language: string, title: string, text: string, type?: SiteMaterial["type"]]
  > = [
    [
      "Taquería El Comal, en Guadalajara. Tacos y salsas hechas cada día.",
      "es-mx",
      "Taquería en Guadalajara",
      "Tacos y salsas hechas cada día."
    ],
    [
      "Oficina mecânica Irmãos Prado, Goiânia. Orçamento por escrito.",
      "pt-br",
      "Oficina mecânica em Goiânia",
      "Orçamento por escrito."
    ],
    [
      "Riverbend School, Boulder, Colorado. Open mornings for children.",
      "en-us",
      "School in Boulder, Colorado",
      "Open mornings for children."
    ],
    [
      "The Copper Kettle: a tea room in York. Warm and old-fashioned.",
      "en-us",
      "The Copper Kettle",
      "Tea room in York."
    ],
    [
      "Aurora Eventos — festas e formaturas em Uberlândia. Visitas às quintas.",
      "pt-br",
      "Festas e formaturas em Uberlândia",
      "Visitas às quintas."
    ],
    ["We help small farms sell online.", "en-us", "We help small farms sell online", ""],
    ["Software de gestão para oficinas mecânicas", "pt-br", "Software de gestão para oficinas mecânicas", ""],
    ["Site simples para consultoria de RH em São Paulo.", "pt-br", "Consultoria de RH em São Paulo", ""],
    ["Uma landing page para captar leads de energia solar", "pt-br", "Energia solar", "", "LeadCapturePage"],
    [
      "Página para clínicas pedirem uma demonstração de 20 minutos. Peça nome.",
      "pt-br",
      "Demonstração de 20 minutos",
      "",
      "LeadCapturePage"
    ],
    ["Oi! Preciso de um site pro meu lava-rápido, o Brilho Certo.", "pt-br", "Brilho Certo", "Lava-rápido."],
    [
      "Jane Doe Photography - weddings in Bristol. We take 20 weddings a year.",
      "en-us",
      "Weddings in Bristol",
      "We take 20 weddings a year."
    ],
    ["Site institucional para construtora, fotos de obras, contato", "pt-br", "Construtora", ""],
    [
      "Verde Vivo, Natal. Vasos e mudas. Frete grátis acima de R$ 150.",
      "pt-br",
      "Verde Vivo",
      "Verde Vivo, Natal. Vasos e mudas. Frete grátis acima de R$ 150."
    ],
    ["Página para captar interesados en cursos de inglés", "es-mx", "Cursos de inglés", "", "LeadCapturePage"],
    ["A landing page for our free SEO audit", "en-us", "Free SEO audit", "", "LeadCapturePage"],
    [
      "Página para o curso “Planilhas que funcionam”, da Rita. Oferta: aula gratuita.",
      "pt-br",
      "Aula gratuita",
      "Curso “Planilhas que funcionam”, da Rita.",
      "LeadCapturePage"
    ],
    [
      "Landing page for Brightline Roofing. Free roof inspection after hail. Insured.",
      "en-us",
      "Free roof inspection after hail",
      "Insured.",
      "LeadCapturePage"
    ],
    ["Create a modern website that has a contact form.", "en-us", "Talk to us", ""]
  ]
  it.each(
    headings.map(([description, language, title, text, type = "Website"]) => ({
      description,
      language,
      title,
      text,
      type
    }))
  )("has a heading that says something: $description", ({ description, language, text, title, type }) => {
    const { site } = composeSite(materialOf(description, language, { type }))
    expect(block(site, "Hero")).toMatchObject({ title, text })
  })

  it("lists what a sentence lists, once, and says nothing twice", () => {
    const offersOf = (description: string, language = "pt-br") =>
      block(composeSite(materialOf(description, language)).site, "Features")?.items.map(({ title }) => title)
    expect(offersOf("Clínica Bicho Bem, Natal. Consultas, vacinas, banho e tosa. Plantão aos sábados.")).toEqual([
      "Consultas",
      "Vacinas",
      "Banho",
      "Tosa"
    ])
    expect(offersOf("Beacon Electrical Ltd. Rewiring, fuse boards, EV chargers. Serving Bath.", "en-us")).toEqual([
      "Rewiring",
      "Fuse boards",
      "EV chargers"
    ])
    expect(
      offersOf("Centro Respira, Valencia. Hatha, vinyasa y meditación. Primera clase gratis.", "es-es")
    ).toHaveLength(3)
    for (const sentence of [
      "Toddler, primary and elementary classes.",
      "One walker, six dogs at most, long walks in the woods.",
      "Freight between Leeds, Hull and York.",
      "We listen, we plan, and we build."
    ])
      expect(offersOf(`Northwind Partners. ${sentence} Call us.`, "en-us")).toBeUndefined()
    const { site } = composeSite(materialOf("Lumen Therapy is a practice in Chicago. In person and online.", "en-us"))
    expect(block(site, "Hero")).toMatchObject({ title: "Practice in Chicago", text: "In person and online." })
  })

  it("says what stands as its title nowhere else", () => {
    for (const more of [
      "",
      " Licensed and insured, with a written estimate for every roof that we look at in the city."
    ]) {
      const { site } = composeSite(
        materialOf(`Landing page for Brightline Roofing. Free roof inspection after hail.${more}`, "en-us", {
          type: "LeadCapturePage"
        })
      )
      expect(block(site, "Hero")?.title).toBe("Free roof inspection after hail")
      expect(block(site, "Prose")).toBeUndefined()
    }
  })

  it("says to visitors nothing of how it is to look", () => {
    for (const [language, wish] of [
      ["en-us", "Quiet, elegant, lots of white."],
      ["en-us", "Classic, dark wood."],
      ["pt-br", "Minimalista, preto e branco."],
      ["pt-br", "Dourado e branco, bem sóbrio."],
      ["es-mx", "Tonos suaves, verde salvia."]
    ] as const) {
      const { site } = composeSite(
        materialOf(`Volta Studio, Lima. Volta trabaja, works, trabalha desde 1998. ${wish}`, language)
      )
      expect(JSON.stringify(site.pages)).not.toContain(wish.slice(0, -1))
    }
  })

  it("reads sums with their sign behind them, initials of clients, and the trade of a business before that of its customers", () => {
    const { site } = composeSite(
      materialOf(
        "Centro Respira, Valencia. Bono de 8 clases 72 €, mensual 95 €. “Salgo siempre mejor de lo que entré.” - M. K., clienta",
        "es-es"
      )
    )
    expect(block(site, "Prices")?.items.map(({ name, price }) => `${name}: ${price}`)).toEqual([
      "Bono de 8 clases: 72 €",
      "Mensual: 95 €"
    ])
    expect(block(site, "Quotes")?.items[0]?.name).toBe("M. K.")
    const consulting = composeSite(
      materialOf("Consultoria Passo Firme: gestão financeira para restaurantes. Serviços: estoque, cardápio, caixa.")
    ).site
    expect(block(consulting, "Features")?.title).toBe("Serviços")
    expect(block(consulting, "Hero")?.title).toBe("Gestão financeira para restaurantes")
    expect(JSON.stringify(consulting)).not.toContain("Ver consultoria")
  })

  it("leaves out what stands in another language, and says so", () => {
    const { notes, site } = composeSite(
      materialOf("Site para a Volt, empresa de instalações elétricas. Atendemos Campinas e região toda.", "pt-br", {
        facts: [
          {
            source: "knowledge",
            text: "We have been working with the best engineers of the region and you can call us."
          }
        ]
      })
    )
    expect(JSON.stringify(site)).not.toContain("engineers")
    expect(notes.join(" ")).toContain("outra língua")
  })

  it.effect("is refused in languages that rules do not write", () =>
    Effect.gen(function* () {
      for (const language of ["pt-br", "en-us", "es-mx"]) yield* siteWriterByRules.check({ language })
      const refusal = yield* Effect.flip(siteWriterByRules.check({ language: "de-de" }))
      expect(refusal.reason).toBe("language_needs_model")
    })
  )

  it("is the same for the same material, and looks otherwise for another", () => {
    expect(composeSite(bakery)).toEqual(composeSite(bakery))
    const looks = [
      bakery,
      software,
      clinic,
      solar,
      materialOf("Sober website for Northwind Legal, a law firm in Boston", "en-us"),
      materialOf("Portfólio minimalista para Inês Caldas, fotógrafa em Lisboa", "pt-pt")
    ].map((material) => composeSite(material).site.theme)
    expect(new Set(looks.map(({ layout }) => layout)).size).toBeGreaterThanOrEqual(5)
    expect(new Set(looks.map((theme) => JSON.stringify(theme))).size).toBe(looks.length)
  })

  const pieces = FastCheck.constantFrom(
    ...[bakery, software, clinic, solar].flatMap(({ description, facts }) => [
      ...description.split(/(?<=\.)\s|\n/),
      ...facts.map(({ text }) => text)
    ]),
    "Preços: corte R$ 45,00; barba R$ 30,00",
    "Atendemos 350 empresas em 12 estados. 18 anos de experiência.",
    "Entregamos em até 48 horas",
    "<script>alert(1)</script> 7 razões",
    "CNPJ 12.345.678/0001-90",
    "https://evil.example/?a=1&b=2 #99",
    "Equipe: Ana 2 Souza - diretora; 3 estagiários"
  )
  const materials: FastCheck.Arbitrary<SiteMaterial> = FastCheck.record({
    description: FastCheck.array(
      FastCheck.oneof(
        { weight: 4, arbitrary: pieces },
        { weight: 1, arbitrary: FastCheck.string({ maxLength: 60, unit: "grapheme" }) }
      ),
      { minLength: 1, maxLength: 10 }
    ).map((all) => all.join("\n")),
    facts: FastCheck.array(
      pieces.map((text) => ({ source: "knowledge", text }) as const),
      { maxLength: 5 }
    ),
    language: FastCheck.constantFrom("pt-br", "en-us", "es-mx"),
    type: FastCheck.constantFrom<SiteMaterial["type"]>("Website", "LeadCapturePage"),
    storesData: FastCheck.boolean()
  }).map((some) => ({ ...materialOf(""), ...some }))

  it("is a sound site that says no number, contact, link, client or testimonial that its material has not", () => {
    FastCheck.assert(
      FastCheck.property(materials, (material) => {
        const { site } = composeSite(material)
        expect(decode(site)).toEqual(site)
        expect(soundSite(site)).toEqual(site)
        const sources = sourcesOf(material)
        const problems = blocksOf(site).flatMap((each) =>
          problemsOf(each, sources).map((problem) => `${each.id}: ${problem}`)
        )
        expect(problems.filter((problem) => !problem.endsWith("markup") && !problem.endsWith("filler"))).toEqual([])
        const words = [
          site.name,
          site.tagline,
          ...site.pages.flatMap(({ description, label, title }) => [description, label, title]),
          ...blocksOf(site).flatMap(textsOf)
        ]
        for (const number of numbersIn(words.join("\n"))) expect(sources.numbers.has(number)).toBe(true)
      }),
      { numRuns: 150 }
    )
  })
})

describe("a site by a model", () => {
  const hero = (title: string): SiteBlock => ({
    _tag: "Hero",
    id: "hero",
    title,
    text: "Pães de fermentação natural.",
    actions: [{ label: "Ver", target: { _tag: "Block", page: "home", block: "gone" } }],
    picture: { picture: "gone", alt: "x" }
  })
  const clients = (names: ReadonlyArray<string>): SiteBlock => ({
    _tag: "Clients",
    id: "clients",
    title: "Clientes",
    names
  })
  const answer = (blocks: ReadonlyArray<SiteBlock>) => ({
    name: "Padaria Aurora",
    tagline: "Desde 1890",
    theme: { layout: "atelier", brand: "#8a5a2b", palette: 1, typefaces: 1 },
    pages: [{ id: "home", path: "", label: "Início", title: "Padaria Aurora", description: "", blocks }],
    pictures: [],
    collections: []
  })
  const written = (answers: ReadonlyArray<unknown>, effort: Parameters<typeof siteWriterByRules.write>[1] = fast) => {
    const { asked, layer } = fakeModel(answers)
    return Effect.gen(function* () {
      const writer = yield* SiteWriter
      const result = yield* writer.write(bakery, effort)
      return { ...result, asked }
    }).pipe(Effect.provide(Layer.mergeAll(Layer.provide(SiteWriterConfigured, Layer.merge(layer, unseen)), caller)))
  }

  it.effect("stands on its material: what does not is written once more, or left out with a note", () =>
    Effect.gen(function* () {
      const { asked, notes, site, usage } = yield* written([
        answer([hero("40 anos de pão"), clients(["Hotel Imperial"])]),
        { blocks: [hero("Padaria artesanal em Curitiba"), clients(["Hotel Central"])] }
      ])
      expect(blocksOf(site).map(({ title }) => title)).toEqual(["Padaria artesanal em Curitiba"])
      expect(site.tagline).toBe("")
      // What it links to and shows is not there.
      expect(block(site, "Hero")).toMatchObject({ actions: [], picture: null })
      expect(notes).toEqual(["Ficou de fora, porque o material não o sustenta: Clientes."])
      expect(asked.map(({ purpose }) => purpose)).toEqual(["write_website", "repair_website"])
      expect(asked[1]?.prompt.user).toContain("clients: unknown_client")
      expect(usage).toMatchObject({ inputTokens: 200 })
    })
  )

  it.effect("is the best of several where quality is wanted", () =>
    Effect.gen(function* () {
      const poor = answer([hero("Padaria")])
      const rich = answer([
        hero("Padaria artesanal em Curitiba"),
        {
          _tag: "Prose",
          id: "about",
          title: "Quem somos",
          text: "A massa descansa a noite inteira antes de ir ao forno.",
          picture: null
        }
      ])
      const { asked, site } = yield* written([poor, rich, poor], { generation: "Quality", reasoning: "Fast" })
      expect(asked).toHaveLength(3)
      expect(block(site, "Prose")).toBeDefined()
    })
  )

  it.effect("fails where nothing is left", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(written([answer([clients(["Hotel Imperial"])]), { blocks: [] }]))
      expect(failure).toMatchObject({ _tag: "GenerationFailed", code: "not_understood" })
    })
  )
})
