import { base, en, en_GB, es_MX, Faker, type LocaleDefinition, pt_BR } from "@faker-js/faker"
import type { Language } from "../../Services/Text/Language.ts"

export interface SampleLead {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly company: string
  readonly jobTitle: string
  readonly website: string
  readonly linkedInUrl: string
  readonly city: string
  readonly state: string
  readonly country: string
}

export interface SampleCampaign {
  readonly name: string
  /** The language of its leads and of messages to them. */
  readonly language: Language
  /** The country code (ISO 3166-1 alpha-2). */
  readonly country: "BR" | "GB" | "MX"
  readonly business: string
  readonly description: string
  readonly goal: string
  /** An activity code of Brazil's company register, for Brazil only. */
  readonly cnae: string | undefined
  readonly size: number
  /** Patterns of company names in this trade. `%` is a family name or a place. */
  readonly companies: ReadonlyArray<string>
  readonly jobTitles: ReadonlyArray<string>
}

/** The campaigns of a company that sells appointment software in Brazil and abroad. */
export const sampleCampaigns: ReadonlyArray<SampleCampaign> = [
  {
    name: "Clínicas odontológicas",
    language: "pt-BR",
    country: "BR",
    business: "Ondas",
    description:
      "Ajudamos clínicas odontológicas a reduzir faltas com agenda on-line e lembretes automáticos por mensagem.",
    goal: "Uma reunião por vídeo de 20 minutos com quem decide na clínica",
    cnae: "8630-5/04",
    size: 1700,
    companies: ["Clínica % Odontologia", "Odonto %", "Sorriso %", "Instituto % de Implantes", "% Ortodontia"],
    jobTitles: ["Dentista responsável", "Sócia", "Gerente da clínica", "Recepção"]
  },
  {
    name: "Escritórios de contabilidade",
    language: "pt-BR",
    country: "BR",
    business: "Ondas",
    description:
      "Organizamos a agenda e os pedidos de documentos de escritórios de contabilidade, com lembretes por e-mail e mensagem.",
    goal: "Um teste grátis de duas semanas com um dos sócios",
    cnae: "6920-6/01",
    size: 1200,
    companies: ["% Contabilidade", "Escritório Contábil %", "% & Associados Contadores", "Contábil %"],
    jobTitles: ["Contador", "Sócia-diretora", "Gerente fiscal", "Analista contábil"]
  },
  {
    name: "Contatos da feira",
    language: "pt-BR",
    country: "BR",
    business: "Ondas",
    description: "Cuidamos da agenda de pequenos negócios de serviço, como os que nos visitaram na feira do setor.",
    goal: "Saber se ainda procuram um sistema de agenda e conversar",
    cnae: "9602-5/01",
    size: 700,
    companies: ["Studio %", "% Estética", "Pet Shop %", "Academia %", "Oficina %"],
    jobTitles: ["Proprietária", "Proprietário", "Gerente"]
  },
  {
    name: "Dental practices UK",
    language: "en",
    country: "GB",
    business: "Ondas",
    description: "We help dental practices cut no-shows with online booking and automatic reminders.",
    goal: "A video call of 20 minutes with whoever decides at the practice",
    cnae: undefined,
    size: 750,
    companies: ["% Dental Practice", "% Dental Care", "The % Dental Clinic", "% Orthodontics"],
    jobTitles: ["Practice Manager", "Principal Dentist", "Practice Owner", "Reception"]
  },
  {
    name: "Clínicas dentales México",
    language: "es",
    country: "MX",
    business: "Ondas",
    description:
      "Ayudamos a clínicas dentales a reducir las ausencias con agenda en línea y recordatorios automáticos.",
    goal: "Una reunión por video de 20 minutos con quien decide en la clínica",
    cnae: undefined,
    size: 650,
    companies: ["Clínica Dental %", "Dental %", "Sonrisas %", "Ortodoncia %"],
    jobTitles: ["Directora", "Gerente de la clínica", "Odontólogo responsable", "Recepción"]
  }
]

/** Cities of one country, with state and telephone area code. */
type Cities = ReadonlyArray<readonly [city: string, state: string, areaCode: string]>

const brazil: Cities = [
  ["São Paulo", "SP", "11"],
  ["Campinas", "SP", "19"],
  ["Santos", "SP", "13"],
  ["Rio de Janeiro", "RJ", "21"],
  ["Belo Horizonte", "MG", "31"],
  ["Curitiba", "PR", "41"],
  ["Florianópolis", "SC", "48"],
  ["Porto Alegre", "RS", "51"],
  ["Brasília", "DF", "61"],
  ["Goiânia", "GO", "62"],
  ["Salvador", "BA", "71"],
  ["Recife", "PE", "81"],
  ["Fortaleza", "CE", "85"],
  ["Manaus", "AM", "92"]
]
const unitedKingdom: Cities = [
  ["London", "Greater London", ""],
  ["Manchester", "Greater Manchester", ""],
  ["Bristol", "Bristol", ""],
  ["Leeds", "West Yorkshire", ""],
  ["Edinburgh", "Scotland", ""]
]
const mexico: Cities = [
  ["Ciudad de México", "CDMX", "55"],
  ["Guadalajara", "Jalisco", "33"],
  ["Monterrey", "Nuevo León", "81"],
  ["Puebla", "Puebla", "222"],
  ["Querétaro", "Querétaro", "442"]
]

interface Country {
  readonly locale: LocaleDefinition
  readonly cities: Cities
  /** Returns an E.164 number, a different one for each `index`. */
  readonly phone: (areaCode: string, index: number) => string
}

// The numbers have a fixed distance, so that they look random.
const countries: { readonly [C in SampleCampaign["country"]]: Country } = {
  BR: {
    locale: pt_BR,
    cities: brazil,
    phone: (areaCode, index) => `+55${areaCode}9${60_000_000 + ((index * 7919) % 39_999_983)}`
  },
  // Numbers that the regulator reserves for fiction. There are a thousand.
  GB: {
    locale: en_GB,
    cities: unitedKingdom,
    phone: (_, index) => `+447700900${String((index * 7) % 1000).padStart(3, "0")}`
  },
  MX: {
    locale: es_MX,
    cities: mexico,
    phone: (areaCode, index) =>
      `+52${areaCode}${String(20_000_000 + ((index * 7919) % 59_999_983)).slice(0, 10 - areaCode.length)}`
  }
}

const slug = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "")

/**
 * A campaign's leads: invented people and companies of its country. The same seed gives the same leads. Addresses end
 * in `.example`, and no two leads share a contact.
 */
export const sampleLeads = (campaign: SampleCampaign, seed: number): ReadonlyArray<SampleLead> => {
  const { cities, locale, phone } = countries[campaign.country]
  const faker = new Faker({ locale: [locale, en, base] })
  const offset = sampleCampaigns.indexOf(campaign)
  faker.seed(seed * sampleCampaigns.length + offset)
  return Array.from({ length: campaign.size }, (_, index) => {
    const firstName = faker.person.firstName()
    const lastName = faker.person.lastName()
    const [city, state, areaCode] = faker.helpers.arrayElement(cities)
    const company = faker.helpers.arrayElement(campaign.companies).replace("%", faker.person.lastName())
    const domain = `${slug(company)}${offset}${index}.example`
    const hasEmail = faker.number.float() < 0.94
    return {
      name: `${firstName} ${lastName}`,
      email: hasEmail ? `${slug(firstName)}.${slug(lastName)}@${domain}` : "",
      phone: !hasEmail || faker.number.float() < 0.7 ? phone(areaCode, index + offset * 13_000_001) : "",
      company,
      jobTitle: faker.helpers.arrayElement(campaign.jobTitles),
      website: faker.number.float() < 0.6 ? `https://${domain}` : "",
      linkedInUrl:
        faker.number.float() < 0.35
          ? `https://www.linkedin.com/in/${slug(firstName)}-${slug(lastName)}-${offset}${index}`
          : "",
      city,
      state,
      country: campaign.country
    }
  })
}

const quotedCell = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

/** The leads as a CSV file for upload. */
export const toCsv = (leads: ReadonlyArray<SampleLead>): string =>
  [
    "Nome;E-mail;Telefone;Empresa;Cargo;Site;LinkedIn;Cidade;UF;País",
    ...leads.map((lead) =>
      [
        lead.name,
        lead.email,
        lead.phone,
        lead.company,
        lead.jobTitle,
        lead.website,
        lead.linkedInUrl,
        lead.city,
        lead.state,
        lead.country
      ]
        .map(quotedCell)
        .join(";")
    )
  ].join("\r\n")
