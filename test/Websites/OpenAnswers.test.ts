import { describe, expect, it } from "vitest"
import { materialOf } from "../../bench/sites/SiteMaterials.ts"
import { changeByRules } from "../../src/Services/Websites/Edits/EditReader.ts"
import type { OpenQuestion, Site } from "../../src/Services/Websites/Site.ts"

/** A site that waits for answers of its owner. */
const waiting = (language: string, questions: ReadonlyArray<OpenQuestion>): Site => ({
  language,
  name: "Bakery",
  tagline: "Bakery",
  theme: { layout: "ledger", brand: "#12502c", palette: 2, typefaces: 2 },
  pages: [
    {
      id: "home",
      path: "",
      label: "Home",
      title: "Bakery",
      description: "",
      blocks: [{ _tag: "Hero", id: "hero", title: "Bakery", text: "", actions: [], picture: null }],
      variants: []
    }
  ],
  pictures: [],
  collections: [],
  questions,
  unclear: questions.includes("unclear") ? ["and the other thing too"] : [],
  campaign: null
})

/** A page whose form is not understood. */
const withForm = (language: string): Site => {
  const site = waiting(language, ["fields"])
  const thanks = { title: "Thank you", text: "" }
  const email = { name: "email", label: "Email", kind: "email" as const, is_required: true, choices: [] }
  const form = {
    _tag: "Form" as const,
    id: "form",
    title: "Sign up",
    text: "",
    fields: [email],
    submit: "Send",
    thanks,
    collection: null
  }
  return {
    ...site,
    unreadFields: ["the usual things"],
    pages: site.pages.map((page) => ({ ...page, blocks: [...page.blocks, form] }))
  }
}

const answered = (language: string, questions: ReadonlyArray<OpenQuestion>, prompt: string) =>
  changeByRules(waiting(language, questions), prompt, materialOf("a bakery", language))

describe("answers to the questions of a site", () => {
  it.each([
    ["pt-br", "O nome da empresa é Casa Azul"],
    ["pt-br", "o nome é Casa Azul"],
    ["pt-br", "Se chama Casa Azul"],
    ["pt-br", "Pode pôr Casa Azul como nome"],
    ["pt-br", "pode colocar Casa Azul como nome"],
    ["pt-br", "Somos a Casa Azul"],
    ["pt-br", "Nome: Casa Azul"],
    ["pt-br", "Casa Azul"],
    ["en-us", "The business is called Casa Azul"],
    ["en-us", "The name is Casa Azul"],
    ["en-us", "our name is Casa Azul."],
    ["en-us", "It's called Casa Azul"],
    ["en-us", "We're Casa Azul"],
    ["en-us", "It's Casa Azul"],
    ["en-us", "we are called Casa Azul"],
    ["en-us", "Please use Casa Azul as the name"],
    ["en-us", "Casa Azul"],
    ["es-mx", "El nombre es Casa Azul"],
    ["es-mx", "El nombre del negocio es Casa Azul"],
    ["es-mx", "Nos llamamos Casa Azul"],
    ["es-mx", "Somos Casa Azul"],
    ["es-mx", "Es Casa Azul"],
    ["es-mx", "Puedes poner Casa Azul como nombre"],
    ["es-mx", "Casa Azul"]
  ])("the name, %s: %s", (language, prompt) => {
    const { report, site } = answered(language, ["name"], prompt)
    expect(site.name).toBe("Casa Azul")
    expect(site.questions).toBeUndefined()
    expect(report).toMatchObject({ not_done: [], needs_input: [] })
  })

  it.each([
    ["pt-br", "O zap é 47 99655-1083"],
    ["pt-br", "47 99655-1083"],
    ["pt-br", "telefone: 47 99655-1083"],
    ["en-us", "The phone number is 0117 496 0123"],
    ["en-us", "0117 496 0123"],
    ["en-us", "They can call us on 0117 496 0123"],
    ["en-us", "hello@bakery.example"],
    ["es-mx", "El teléfono es 222 431 0956"],
    ["es-mx", "222 431 0956"]
  ])("the contact, %s: %s", (language, prompt) => {
    const { report, site } = answered(language, ["contact"], prompt)
    expect(site.questions).toBeUndefined()
    expect(report).toMatchObject({ not_done: [], needs_input: [] })
  })

  it.each([
    ["pt-br", "Fazemos pães e bolos"],
    ["en-us", "We sell bread, cakes and pies."],
    ["es-mx", "Hacemos panes y tortas"],
    ["es-mx", "Vendemos panes, tortas y galletas"]
  ])("the offer, %s: %s", (language, prompt) => {
    const { report, site } = answered(language, ["offer"], prompt)
    expect(site.questions).toBeUndefined()
    expect(report).toMatchObject({ not_done: [], needs_input: [] })
  })

  it.each([
    ["pt-br", "Publique assim"],
    ["en-us", "Publish it as it is"],
    ["es-mx", "Publíquelo así"]
  ])("what could not be read, %s: %s", (language, prompt) =>
    expect(answered(language, ["foreign", "unclear", "fields"], prompt).site.questions).toBeUndefined()
  )

  it.each([
    ["pt-br", "Campos: nome, zap e e-mail. O e-mail é opcional", ["Nome", "WhatsApp", "E-mail"]],
    ["en-us", "Fields: name, phone, email (optional)", ["Name", "Phone", "Email"]],
    ["en-us", "Ask for name and phone", ["Name", "Phone"]],
    ["es-mx", "Pide nombre, celular y ciudad", ["Nombre", "Celular", "Ciudad"]]
  ] satisfies ReadonlyArray<readonly [string, string, ReadonlyArray<string>]>)(
    "the fields of a form, %s: %s",
    (language, prompt, labels) => {
      const { report, site } = changeByRules(withForm(language), prompt, materialOf("a bakery", language))
      const fields = site.pages
        .flatMap(({ blocks }) => blocks)
        .flatMap((each) => (each._tag === "Form" ? each.fields : []))
      expect(fields.map(({ label }) => label)).toEqual(labels)
      expect(site.questions).toBeUndefined()
      expect(report).toMatchObject({ not_done: [], needs_input: [] })
    }
  )

  it("the fields of a form in words that are not understood whole change nothing", () => {
    const before = withForm("en-us")
    const { site } = changeByRules(before, "Ask for the usual details if they are new", materialOf("a bakery", "en-us"))
    expect(site.pages).toEqual(before.pages)
    expect(site.questions).toEqual(["fields"])
  })

  it.each([
    ["en-us", "Make it blue"],
    ["pt-br", "Não sei ainda o nome"],
    ["es-mx", "¿Cuál nombre te gusta más?"]
  ])("no answer, %s: %s", (language, prompt) =>
    expect(answered(language, ["name"], prompt).site.questions).toEqual(["name"])
  )
})
