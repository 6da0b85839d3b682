import { describe, expect, it } from "vitest"
import { heardIn, isForMaker, isUnsure } from "../../src/Services/Websites/Material/Audience.ts"
import { askedFieldsIn, askedForm } from "../../src/Services/Websites/Material/Fields/AskedFields.ts"
import { hoursIn } from "../../src/Services/Websites/Material/HoursText.ts"
import { addressIn, contactsIn, phonesIn } from "../../src/Services/Websites/Material/MaterialContacts.ts"
import { kindOf } from "../../src/Services/Websites/Material/MaterialLabels.ts"
import { statementsOf } from "../../src/Services/Websites/Material/MaterialText.ts"
import { nameIn } from "../../src/Services/Websites/Material/Names/MaterialNames.ts"
import { briefRules, noTexts, nothing } from "../../src/Services/Websites/Material/ReadStatement.ts"
import type { BriefContext, BriefStatement, Taken } from "../../src/Services/Websites/Material/Rules/BriefRule.ts"
import { peopleIn } from "../../src/Services/Websites/Material/Rules/PeopleRules.ts"
import { questionsIn } from "../../src/Services/Websites/Material/Rules/QuestionRules.ts"
import { quotesIn } from "../../src/Services/Websites/Material/Rules/QuoteRules.ts"

const context: BriefContext = {
  language: "en",
  name: "Casa Rosa",
  about: "",
  isForeignBrief: false,
  facts: nothing,
  texts: noTexts,
  openQuestion: ""
}

/** What the first rule that matches is called, and what it takes. */
const readBy = (text: string, more: Partial<BriefStatement> = {}): readonly [name: string, result: Taken] => {
  const label = more.label ?? ""
  const statement: BriefStatement = {
    text,
    label,
    isItem: false,
    isOwn: true,
    kind: label === "" ? undefined : kindOf(label),
    isOrder: false,
    isDenial: false,
    offer: "",
    ...more
  }
  const rule = briefRules.find(({ matches }) => matches(statement, context))
  return rule === undefined ? ["", {}] : [rule.name, rule.take(statement, context)]
}

describe("for whom a sentence is", () => {
  it.each([
    "Please put no prices on it",
    "I want a website that looks modern",
    "queria algo calmo, tons de areia e lilás",
    "Quiero que la gente entienda rápido",
    "No pictures of gavels.",
    "it must not say that we are certified",
    "navy and gold",
    "Nada de foto de bicho triste.",
    "sin precios"
  ])("for who makes the site: %s", (text) => expect(isForMaker(text)).toBe(true))

  it.each([
    "Everything is baked on site, nothing comes in frozen.",
    "We do not use frozen fish.",
    "Não trabalhamos com MDF.",
    "Clients who want a quote send us a photo of the wall they measured yesterday.",
    "Abrimos diario menos los martes.",
    "Hedges only from September to the end of February."
  ])("for visitors: %s", (text) => expect(isForMaker(text)).toBe(false))

  it.each([
    ["also we buy old steel frames, mention that at the bottom", "also we buy old steel frames"],
    ["I don't do 24 hour, so please don't put 24/7 emergency", ""],
    ["nao poe meu endereço pq é minha casa (rua ipê amarelo 77)", ""],
    ["Slate and flat roofs.", "Slate and flat roofs."]
  ])("what visitors read of: %s", (text, visible) => expect(heardIn(text).visible).toBe(visible))

  it("knows what is not sure", () => {
    expect(isUnsure("telefone 62 3241-5580... ou é 5508")).toBe(true)
    expect(isUnsure("es el 988 44 07 31, no perdon, es 988 44 07 13")).toBe(true)
    expect(isUnsure("A lista de espera abre em maio.")).toBe(false)
  })
})

describe("rules of briefs", () => {
  it.each([
    ["Mon-Fri 9am-5pm", {}, "opening hours"],
    ["ola@casa.example", {}, "contacts"],
    ["sourdough loaf €5.80", { isItem: true, label: "Menu" }, "things with their prices"],
    ["Ana Lee, head baker", { isItem: true, label: "Team" }, "people below their heading"],
    ["cuts, braids and colour", { label: "Services" }, "offers below their heading"],
    ["Is there parking? Yes, behind the house.", { label: "FAQ" }, "questions with their answers"],
    ["“They came at once.” — Norma Diaz, neighbour", {}, "words of clients"],
    ["Sus impuestos, en familia", { label: "Slogan" }, "the slogan"],
    ["the button should say Book a class", { isOrder: true }, "what the button says"],
    ["People should be able to ask for a survey", { isOrder: true }, "what is said to who makes the site"],
    ["We opened in an old net loft by the quay.", {}, "a sentence for visitors"]
  ] satisfies ReadonlyArray<readonly [string, Partial<BriefStatement>, string]>)("%s", (text, more, name) =>
    expect(readBy(text, more)[0]).toBe(name)
  )

  it("takes no facts from an order", () => {
    for (const text of [
      "People should be able to ask for a survey for $40",
      "Put our prices: cut $20, beard $10",
      "We want to show cakes, breads and pies"
    ]) {
      const [, { facts = {} }] = readBy(text, { isOrder: true })
      expect(facts).toEqual({ orders: [{ text, isDenial: false }] })
    }
  })

  it.each<readonly [string, ReadonlyArray<readonly [string, string]>]>([
    [
      "Q. Do I need one? A. Yes. Always. Q. How long? A. Nine months.",
      [
        ["Do I need one?", "Yes. Always."],
        ["How long?", "Nine months."]
      ]
    ],
    ["¿Hay ascensor? Sí, y es adaptado.", [["¿Hay ascensor?", "Sí, y es adaptado."]]],
    ["Precisa marcar? - Sim, pelo WhatsApp.", [["Precisa marcar?", "Sim, pelo WhatsApp."]]],
    [
      "What do I bring? Grip socks. / Can I cancel? Yes.",
      [
        ["What do I bring?", "Grip socks."],
        ["Can I cancel?", "Yes."]
      ]
    ]
  ])("questions of: %s", (text, pairs) =>
    expect(questionsIn(text).map(({ answer, question }) => [question, answer])).toEqual(pairs)
  )

  it.each([
    ['"She stood in a bog for us." (Catriona & Neil)', "Catriona & Neil"],
    ['Mrs Akhtar in Pudsey said "Turned up when he said he would"', "Mrs Akhtar in Pudsey"],
    ['"Siempre me salvan la vida", dice Norma, vecina', "Norma"],
    ['"A Marta tem uma paciência de santa." Rui P.', "Rui P."],
    ['Slogan: "Your taxes in the family"', undefined]
  ])("who said %s", (text, name) => expect(quotesIn(text)[0]?.name).toBe(name))

  it.each([
    ["mon to fri 8am - 6pm, sat 9am til 1pm, sundays no", ["mon to fri 8am - 6pm, sat 9am til 1pm, sundays no"]],
    ["Abre de terça a sábado das 9h às 20h e fica na praça", ["Abre de terça a sábado das 9h às 20h"]],
    ["We baked 40 loaves on Monday", []]
  ])("hours of: %s", (text, hours) => expect(hoursIn(text)).toEqual(hours))

  it.each([
    ["Tel. 954 71 36 20", ["954 71 36 20"]],
    ["07700 900231", ["07700 900231"]],
    ["(616) 555-0132", ["(616) 555-0132"]],
    ["CEP 80240-000", []],
    ["R$ 1.450.000 em 2019-2024", []],
    ["12.345.678/0001-90", []]
  ])("phones of: %s", (text, phones) => expect(phonesIn(text)).toEqual(phones))

  it("keeps each number with what it is for", () => {
    const { links, phone } = contactsIn(["El telefono es 963 55 21 08 y wasap 644 19 03 72"], [])
    expect([phone, ...links.map(({ label }) => label)]).toEqual(["963 55 21 08", "WhatsApp 644 19 03 72"])
  })

  it.each([
    ["3/58 Gertie Street, Brunswick VIC 3056", "3/58 Gertie Street, Brunswick VIC 3056"],
    ["C/ Luis Montoto 112, 1.º izq., 41018 Sevilla", "C/ Luis Montoto 112, 1.º izq., 41018 Sevilla"],
    ["fica na Av. Sete de Setembro, 4923, Curitiba. Venha", "Av. Sete de Setembro, 4923, Curitiba"]
  ])("address of: %s", (text, address) => expect(addressIn(text)).toBe(address))

  it("reads people only where each part is one", () => {
    expect(peopleIn("Nadia Petropoulos (owner, ex-dancer), Jules Tran (reformer)", false)).toEqual([
      { name: "Nadia Petropoulos", role: "Owner, ex-dancer", text: "" },
      { name: "Jules Tran", role: "Reformer", text: "" }
    ])
    expect(peopleIn("three mechanics and my brother", false)).toBeUndefined()
  })

  it.each([
    ["Tenho uma pousada em Paraty, Pousada Maré Mansa, e preciso do site", "Pousada Maré Mansa"],
    ["hola! somos migajón, panadería de masa madre", "migajón"],
    ["Necesitamos un sitio.\n\nESTUDIO FERREYRA & DI PAOLO\nContadores", "ESTUDIO FERREYRA & DI PAOLO"],
    ["Website for the Law Office of Mary T. Okon, LLC, 212 West Street", "Law Office of Mary T. Okon, LLC"],
    ["Boa noite. Queijaria Três Porteiras, São Roque de Minas.", "Queijaria Três Porteiras"],
    [
      "CNPJ 12.345.678/0001-90\n“Three days.” - Joan Fisher, partner at Fisher & Daughters\nCNPJ 12.345.678/0001-90",
      undefined
    ],
    ["something nice for my café", undefined],
    ["we do cleaning. need a site.", undefined]
  ])("the name in: %s", (text, name) => expect(nameIn(text)).toBe(name))

  it("parts lines below a heading, questions and flyers", () => {
    expect(statementsOf("MENU\nloaf €5\nbun €3").map(({ isItem, label, text }) => [label, text, isItem])).toEqual([
      ["MENU", "loaf €5", true],
      ["MENU", "bun €3", true]
    ])
    expect(statementsOf("FAQ: What do I bring? Socks. / Can I cancel? Yes.")).toHaveLength(1)
    expect(statementsOf(">> FLAT FIX $25 * BASIC TUNE $80 * CASH ONLY * ASK FOR LUZ <<")).toHaveLength(4)
  })
})

describe("the fields that a page asks for", () => {
  const fieldsOf = (text: string) =>
    askedFieldsIn(text).map(
      ({ choices, isRequired, kind, label }) =>
        `${label} ${kind}${isRequired === undefined ? "" : isRequired ? "!" : "?"}${choices.length > 0 ? ` [${choices.join(", ")}]` : ""}`
    )

  it.each([
    ["Ask for full name, email and county.", ["Full name text", "Email email", "County text"]],
    [
      "pede nome, whatsapp e cidade. cidade nao precisa ser obrigatorio",
      ["Nome text", "Whatsapp phone", "Cidade text?"]
    ],
    [
      "Name, phone, best time to call - morning / afternoon / evening. Email optional.",
      ["Name text", "Phone phone", "Best time to call choice [Morning, Afternoon, Evening]", "Email email?"]
    ],
    ["just want people to leave their email for when it is ready", ["Email email"]],
    [
      "Nombre, edad, whatsapp. Horario preferido: 9:00, 10:00 o 12:00.",
      ["Nombre text", "Edad number", "Whatsapp phone", "Horario preferido choice [9:00, 10:00, 12:00]"]
    ],
    ["Campos obrigatórios: nome, empresa. Campos opcionais: cargo.", ["Nome text!", "Empresa text!", "Cargo text?"]],
    [
      "people put their name, phone and preferred day: Monday, Wednesday or Friday.",
      ["Name text", "Phone phone", "Preferred day choice [Monday, Wednesday, Friday]"]
    ],
    [
      "need: Name / Site address / Type of job (domestic, commercial) / Mobile. Name is optional, everything else required.",
      ["Name text?", "Site address text!", "Type of job choice! [Domestic, Commercial]", "Mobile phone!"]
    ],
    [
      "fields: Full name, Box size - small, medium or large, Email, Phone (optional).",
      ["Full name text", "Box size choice [Small, Medium, Large]", "Email email", "Phone phone?"]
    ],
    [
      "Pide Nombre, Correo y Número de personas, todo obligatorio",
      ["Nombre text!", "Correo email!", "Número de personas number!"]
    ],
    [
      "so nome e zap e a pessoa tem q marcar que aceita o regulamento",
      ["Nome text", "WhatsApp phone", "Aceito o regulamento checkbox!"]
    ],
    ["Pede só e-mail e nome, o nome é opcional.", ["E-mail email", "Nome text?"]],
    ["nome, CPF e zap. tudo menos o CPF é obrigatório", ["Nome text!", "CPF text?", "WhatsApp phone!"]],
    [
      "Business name, VAT number, Work email. Last one doesn't have to be filled, VAT number neither",
      ["Business name text", "VAT number text?", "Work email email?"]
    ]
  ])("%s", (text, fields) => expect(fieldsOf(text)).toEqual(fields))

  it.each([
    "Ask for name and phone only if they are a company",
    "name, phone and the usual details",
    "Name, email. The phone is required if they chose delivery",
    "nome e email; se for estudante pede a matrícula",
    "Mascota, nombre y teléfono",
    "ask for the name of who will come, then text them",
    "name, phone, Harbour Dogs in Deal",
    "obrigatório para quem é sócio. nome, zap"
  ])("what is not understood whole is asked: %s", (text) =>
    expect(askedForm(statementsOf(text)).unread).not.toEqual([])
  )

  it.each([
    "Ask for name and phone. Phone optional, some people have none.",
    "deja nombre y correo, nada más",
    "nome e zap. não pede email que ninguém preenche",
    "Name, email and how many are coming",
    "Win a hamper worth £75 from Gillespie's Deli. Name and email.",
    "We ring everyone back within a day. Ask for name and phone."
  ])("what is plain is not asked: %s", (text) => expect(askedForm(statementsOf(text)).unread).toEqual([]))
})
