import type { Sector } from "../Material/Sectors.ts"

/** The purposes of forms. */
export type FormPurpose = "contact" | "quote" | "booking" | "table" | "signUp" | "order" | "download" | "lead"

interface FormWords {
  readonly title: string
  readonly submit: string
  readonly thanksTitle: string
  readonly thanks: string
  readonly collection: string
}

/** Headings and labels of sites. They say nothing of a business: that is the material's alone. */
export interface SiteWords {
  readonly home: string
  readonly services: string
  readonly offers: { readonly [S in Sector]?: string }
  readonly benefits: string
  readonly about: string
  readonly aboutTitle: string
  /** Over sentences that are about nothing else. */
  readonly information: string
  readonly prices: string
  readonly plans: string
  readonly menu: string
  readonly steps: string
  readonly programme: string
  readonly figures: string
  readonly quotes: string
  readonly clients: string
  readonly partners: string
  readonly people: string
  readonly speakers: string
  readonly questions: string
  readonly contact: string
  readonly visit: string
  readonly gallery: string
  readonly seeOffers: (heading: string) => string
  readonly more: string
  readonly call: string
  readonly write: string
  readonly talk: string
  readonly entries: string
  readonly entriesOwn: string
  readonly kinds: { readonly [S in Sector]: string }
  readonly and: string
  readonly at: (place: string) => string
  readonly forms: { readonly [P in FormPurpose]: FormWords }
  readonly fields: {
    readonly name: string
    readonly email: string
    readonly phone: string
    readonly company: string
    readonly role: string
    readonly city: string
    readonly message: string
    readonly date: string
    readonly time: string
    readonly people: string
    readonly employees: string
    readonly service: string
    readonly website: string
  }
  readonly illustration: (subject: string) => string
  readonly notes: {
    readonly pages: (count: number, names: string) => string
    readonly noContact: string
    readonly noForm: string
    readonly foreign: (count: number) => string
    readonly sparse: string
    readonly noName: string
    readonly notStored: string
    readonly ownPictures: string
  }
}
