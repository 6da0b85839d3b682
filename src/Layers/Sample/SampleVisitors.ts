import { Array, Effect, Option } from "effect"
import { readForm } from "../../Services/Websites/Forms/FormReading.ts"
import { FormSubmissions } from "../../Services/Websites/Forms/FormSubmissions.ts"
import { siteCountry, siteLanguage } from "../../Services/Websites/Forms/FormTexts.ts"
import { findForm, hiddenFields, variantFor } from "../../Services/Websites/Forms/SiteForms.ts"
import { PublishedSites } from "../../Services/Websites/PublishedSites.ts"
import type { SiteField } from "../../Services/Websites/Site.ts"
import { unknownSource } from "../../Services/Websites/Traffic/VisitSource.ts"
import { Websites } from "../../Services/Websites/Websites.ts"

interface SampleVisitor {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly company: string
  readonly words: string
  readonly source: string | null
}

const visitors: ReadonlyArray<SampleVisitor> = [
  {
    name: "Marina Teles",
    email: "marina@clinicateles.example",
    phone: "(11) 98765-4321",
    company: "Clínica Teles",
    words: "Quatro agendas",
    source: "instagram"
  },
  {
    name: "Paulo Arantes",
    email: "paulo@fisioarantes.example",
    phone: "(31) 98822-1100",
    company: "Fisio Arantes",
    words: "Duas agendas e uma recepção",
    source: null
  },
  {
    name: "Lívia Campos",
    email: "livia@odontocampos.example",
    phone: "(41) 99911-2233",
    company: "Odonto Campos",
    words: "Seis agendas",
    source: "newsletter"
  }
]

/** Returns a visitor's input for a field. */
const answerTo = ({ choices, kind, label, name }: SiteField, visitor: SampleVisitor, isFirstText: boolean): string => {
  switch (kind) {
    case "email":
      return visitor.email
    case "phone":
      return visitor.phone
    case "choice":
      return choices[0] ?? ""
    case "checkbox":
      return "yes"
    case "number":
      return "4"
    case "date":
      return "2026-12-01"
    default:
      return /empresa|cl[ií]nica|company/i.test(`${name} ${label}`)
        ? visitor.company
        : isFirstText
          ? visitor.name
          : visitor.words
  }
}

const firstNames = ["Aline", "Bruno", "Cíntia", "Davi", "Elaine", "Fábio", "Gisele", "Hugo", "Ivone", "Jonas"]
const lastNames = ["Barreto", "Couto", "Duarte", "Freire", "Guedes", "Linhares", "Macedo"]
const trades = ["Odonto", "Clínica", "Fisio", "Estética", "Pilates", "Psico", "Nutri", "Derma", "Orto"]
const sources = ["instagram", null, "newsletter", "google"]

const at = <A>(values: ReadonlyArray<A>, index: number, fallback: A): A => values[index % values.length] ?? fallback

const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase()

/** Returns the visitor with the number `index` among those of the later months. */
const laterVisitor = (index: number): SampleVisitor => {
  const [first, last, trade] = [at(firstNames, index, ""), at(lastNames, index, ""), at(trades, index, "")]
  return {
    name: `${first} ${last}`,
    email: `${plain(first)}@${plain(trade)}${plain(last)}${index}.example`,
    phone: `(11) 9${String(87000000 + 13_579 * index).padStart(8, "0")}`,
    company: `${trade} ${last}`,
    words: `${2 + (index % 5)} agendas`,
    source: at(sources, index, null)
  }
}

/** About every six days, with a fraction so that the hours vary. */
const visitInterval = 6.2 * 86_400_000

/** The visits to the capture page between two times, with the visitor of each. */
export const visitsBetween = (start: number, end: number) =>
  Array.makeBy(Math.floor((end - start) / visitInterval), (index) => ({
    at: start + (index + 1) * visitInterval - (index % 5) * 3_600_000,
    visit: visitCapturePage([laterVisitor(index)], index + visitors.length)
  }))

/**
 * Submits the form of the account's capture page for each visitor. `from` is the index of the first one, which selects
 * the page's variant.
 */
export const visitCapturePage = (people: ReadonlyArray<SampleVisitor> = visitors, from = 0) =>
  Effect.gen(function* () {
    const pages = yield* Effect.flatMap(Websites, (websites) => websites.list("LeadCapturePage"))
    const published = yield* PublishedSites
    const submissions = yield* FormSubmissions
    for (const { subdomain, url } of pages) {
      const hosting = yield* published.byName(subdomain)
      if (hosting._tag !== "Published") continue
      const { site } = hosting
      const block = site.site.pages.flatMap(({ blocks }) => blocks).find(({ _tag }) => _tag === "Form")
      for (const [place, visitor] of people.entries()) {
        const index = from + place
        const page = site.site.pages[0]
        const variant = page === undefined ? "a" : variantFor(page, visitor.email)
        const renderedPage = Option.fromNullable(
          findForm(site.site, block?.id ?? "", { pageId: page?.id ?? "", variant })
        )
        if (Option.isNone(renderedPage)) continue
        const firstText = renderedPage.value.form.fields.find(({ kind }) => kind === "text")
        const sent = new URLSearchParams([
          ...renderedPage.value.form.fields.map((field): [string, string] => [
            field.name,
            answerTo(field, visitor, field === firstText)
          ]),
          [hiddenFields.consent, "yes"],
          ...(index === 0 ? [[hiddenFields.marketing, "yes"] satisfies [string, string]] : [])
        ])
        yield* submissions.submit({
          site,
          placed: renderedPage.value,
          reading: readForm(renderedPage.value.form, sent, {
            country: siteCountry(site.site.language),
            language: siteLanguage(site.site.language)
          }),
          nonce: `sample-visitor-${index}`,
          isConfirmed: false,
          isEmbedded: false,
          source: { ...unknownSource, utm_source: visitor.source },
          network: `192.0.${2 + (index >> 8)}.${index & 255}`,
          visitorEmail: undefined,
          url
        })
      }
    }
  })
