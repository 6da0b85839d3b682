import { base, en, Faker, pt_BR } from "@faker-js/faker"

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
}

export interface SampleCampaign {
  readonly name: string
  readonly business: string
  readonly description: string
  readonly goal: string
  readonly cnae: string
  readonly size: number
  /** What companies of the trade are called: `%` stands for a family name or a place. */
  readonly companies: ReadonlyArray<string>
  readonly jobTitles: ReadonlyArray<string>
}

/** Three campaigns of a company that sells appointment software in Brazil. */
export const sampleCampaigns: ReadonlyArray<SampleCampaign> = [
  {
    name: "Dental clinics",
    business: "Ondas Software",
    description: "Online scheduling and reminders for dental clinics: fewer no-shows, fuller weeks.",
    goal: "A video call of 20 minutes with the clinic's owner",
    cnae: "8630-5/04",
    size: 2400,
    companies: ["Clínica % Odontologia", "Odonto %", "Sorriso %", "Instituto % de Implantes", "% Ortodontia"],
    jobTitles: ["Dentista responsável", "Sócia", "Gerente da clínica", "Recepção"]
  },
  {
    name: "Accountants",
    business: "Ondas Software",
    description: "Appointments and document requests for accounting firms, with reminders by e-mail and messages.",
    goal: "A trial of two weeks with one of the partners",
    cnae: "6920-6/01",
    size: 1900,
    companies: ["% Contabilidade", "Escritório Contábil %", "% & Associados Contadores", "Contábil %"],
    jobTitles: ["Contador", "Sócia-diretora", "Gerente fiscal", "Analista contábil"]
  },
  {
    name: "Old fair contacts",
    business: "Ondas Software",
    description: "Scheduling for small service businesses that visited the stand at a trade fair.",
    goal: "Find out whether they still look for a scheduling tool",
    cnae: "9602-5/01",
    size: 700,
    companies: ["Studio %", "% Estética", "Pet Shop %", "Academia %", "Oficina %"],
    jobTitles: ["Proprietária", "Proprietário", "Gerente"]
  }
]

/** Cities with their state and telephone area code. */
const cities = [
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
] as const

const slug = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "")

/**
 * The leads of a campaign: invented people and companies, the same for the same seed. Addresses end in `.example`, and
 * no two leads share a contact.
 */
export const sampleLeads = (campaign: SampleCampaign, seed: number): ReadonlyArray<SampleLead> => {
  const faker = new Faker({ locale: [pt_BR, en, base] })
  const offset = sampleCampaigns.indexOf(campaign)
  faker.seed(seed * sampleCampaigns.length + offset)
  return Array.from({ length: campaign.size }, (_, index) => {
    const firstName = faker.person.firstName()
    const lastName = faker.person.lastName()
    const [city, state, areaCode] = faker.helpers.arrayElement(cities)
    const company = faker.helpers.arrayElement(campaign.companies).replace("%", faker.person.lastName())
    const domain = `${slug(company)}${offset}${index}.example`
    // Consecutive numbers with a stride, so that they differ and do not look like a series.
    const subscriber = 60_000_000 + ((index * 7919 + offset * 13_000_001) % 39_999_983)
    const hasEmail = faker.number.float() < 0.94
    return {
      name: `${firstName} ${lastName}`,
      email: hasEmail ? `${slug(firstName)}.${slug(lastName)}@${domain}` : "",
      phone: !hasEmail || faker.number.float() < 0.7 ? `+55${areaCode}9${subscriber}` : "",
      company,
      jobTitle: faker.helpers.arrayElement(campaign.jobTitles),
      website: faker.number.float() < 0.6 ? `https://${domain}` : "",
      linkedInUrl:
        faker.number.float() < 0.35
          ? `https://www.linkedin.com/in/${slug(firstName)}-${slug(lastName)}-${offset}${index}`
          : "",
      city,
      state
    }
  })
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

/** The leads as the CSV file that somebody would upload. */
export const toCsv = (leads: ReadonlyArray<SampleLead>): string =>
  [
    "Nome;E-mail;Telefone;Empresa;Cargo;Site;LinkedIn;Cidade;UF",
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
        lead.state
      ]
        .map(quoted)
        .join(";")
    )
  ].join("\r\n")
