import { Effect, Option } from "effect"
import { readForm } from "../../Services/Websites/FormReading.ts"
import { FormSubmissions } from "../../Services/Websites/FormSubmissions.ts"
import { siteCountry, siteLanguage } from "../../Services/Websites/FormTexts.ts"
import { PublishedSites } from "../../Services/Websites/PublishedSites.ts"
import type { SiteField } from "../../Services/Websites/Site.ts"
import { findForm, hiddenFields, variantFor } from "../../Services/Websites/SiteForms.ts"
import { unknownSource } from "../../Services/Websites/VisitSource.ts"
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

/** What a visitor writes into a field. */
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

/** People who leave their contact on the account's capture page. */
export const visitCapturePage = Effect.gen(function* () {
  const pages = yield* Effect.flatMap(Websites, (websites) => websites.list("LeadCapturePage"))
  const published = yield* PublishedSites
  const submissions = yield* FormSubmissions
  for (const { subdomain, url } of pages) {
    const found = yield* published.byName(subdomain)
    if (found._tag !== "Published") continue
    const { site } = found
    const block = site.site.pages.flatMap(({ blocks }) => blocks).find(({ _tag }) => _tag === "Form")
    for (const [index, visitor] of visitors.entries()) {
      const page = site.site.pages[0]
      const variant = page === undefined ? "a" : variantFor(page, visitor.email)
      const placed = Option.fromNullable(findForm(site.site, block?.id ?? "", { pageId: page?.id ?? "", variant }))
      if (Option.isNone(placed)) continue
      const firstText = placed.value.form.fields.find(({ kind }) => kind === "text")
      const sent = new URLSearchParams([
        ...placed.value.form.fields.map((field): [string, string] => [
          field.name,
          answerTo(field, visitor, field === firstText)
        ]),
        [hiddenFields.consent, "yes"],
        ...(index === 0 ? [[hiddenFields.marketing, "yes"] satisfies [string, string]] : [])
      ])
      yield* submissions.submit({
        site,
        placed: placed.value,
        reading: readForm(placed.value.form, sent, {
          country: siteCountry(site.site.language),
          language: siteLanguage(site.site.language)
        }),
        nonce: `sample-visitor-${index}`,
        isConfirmed: false,
        isEmbedded: false,
        source: { ...unknownSource, utm_source: visitor.source },
        network: `192.0.2.${index}`,
        visitorEmail: undefined,
        url
      })
    }
  }
})
