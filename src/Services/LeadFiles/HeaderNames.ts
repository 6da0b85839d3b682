import type { ColumnMeaning } from "./LeadFileColumns.ts"

export const optionalFields = ["linkedin_url", "city", "state", "country", "job_title", "website", "notes"] as const
type OptionalField = (typeof optionalFields)[number]
export type Field = "name" | "first_name" | "last_name" | "email" | "phone" | "company" | OptionalField

const list = (...lines: ReadonlyArray<string>) => lines.flatMap((line) => line.split(", "))

/** Header names in Portuguese, English and Spanish. */
const headerNames: { readonly [field in Field]: ReadonlyArray<string> } = {
  name: list(
    "nome, nome completo, nome e sobrenome, nome do lead, contato, cliente, responsável, pessoa, decisor",
    "name, full name, contact, contact name, lead, lead name, person, display name",
    "nombre, nombre completo, nombre y apellido, nombre y apellidos, contacto, responsable, persona",
    // The person in charge of a place of business.
    "sócio, sócio responsável, encarregado, gerente, titular, médico, dentista, advogado, corretor, comprador, diretor",
    "encargado, dueño, propietario, gerente, titular, socio, abogado, comprador, persona de contacto, director",
    "dono, dona, proprietário, proprietária, dueña, propietaria, owner, owner name, proprietor, founder, decision maker",
    "quem atende, quem decide, pessoa responsável, nome do responsável, doutor, doctor, pessoa de contato, fala com",
    "contact person, primary contact, main contact, key contact, point of contact, poc, partner, manager, buyer"
  ),
  first_name: list("primeiro nome, prenome", "first name, given name, forename", "primer nombre, nombres"),
  last_name: list("sobrenome, último nome", "last name, surname, family name", "apellido, apellidos, primer apellido"),
  email: list(
    "e-mail, endereço eletrônico, correio eletrônico",
    "mail",
    "correo, correo e, correo electrónico, dirección electrónica, e-mails, correos, mail de contacto"
  ),
  phone: list(
    "telefone, tel, fone, celular, cel, móvel, telemóvel, whatsapp, whats, wpp, zap",
    "telefone celular, telefone móvel, telefone fixo, telefone residencial, telefone whatsapp, telefone da empresa",
    "phone, ph, telephone, mobile, mobile phone, phone mobile, cell, cell phone, home phone, office phone, other phone",
    "whatsapp phone, company phone",
    "teléfono, móvil, teléfono móvil, teléfono celular, teléfono fijo, teléfono whatsapp, teléfono de la empresa",
    "fixo, fijo, landline, direct line, direct dial, direct phone, cellphone, cellular, telefones, celulares",
    "fone fixo, tel fixo, tel fijo, tel móvil, tel celular, fone celular, fone whatsapp, ddd telefone, ddd e telefone",
    "teléfonos, tfno, tlf, tlfno, telf, tfno móvil, telf móvil, tlf móvil, tel comercial, tel com, tel trabajo, móviles",
    "contato telefônico, contacto telefónico, contact no, direct, whatsapps, whatsapp comercial, mobiles, phones, msisdn",
    "telefone para contato, telefone de contato, teléfono de contacto, contact phone, contact number, number"
  ),
  company: list(
    "empresa, nome da empresa, razão social, nome fantasia, companhia, organização, instituição, negócio",
    "company, company name, organization, organization name, organisation, organisation name, account, account name",
    "business, business name, employer",
    "compañía, nombre de la empresa, nombre de la compañía, razón social, nombre comercial, organización, negocio",
    // Lists of one trade label this column with the kind of company.
    "clínica, consultório, escritório, loja, estabelecimento, restaurante, hotel, pousada, escola, academia, salão",
    "imobiliária, construtora, agência, farmácia, hospital, laboratório, oficina, indústria, firma, estúdio, conta",
    "concessionária, supermercado, mercado, padaria, transportadora, contabilidade, fornecedor, distribuidora, revenda",
    "tienda, comercio, establecimiento, consultorio, despacho, bufete, agencia, farmacia, inmobiliaria, colegio",
    "taller, estudio, gimnasio, constructora, proveedor, distribuidor, fábrica, cuenta, escuela, peluquería",
    "agency, firm, law firm, shop, store, clinic, practice, studio, restaurant, dealership, school, gym, brand",
    "pet shop, veterinária, barbearia, pizzaria, ótica, autoescola, cafeteria, lanchonete, floricultura, papelaria, buffet",
    "joalheria, ateliê, confeitaria, marcenaria, lavanderia, gráfica, creche, instituto, negócios",
    "veterinaria, barbería, cafetería, floristería, panadería, librería, ferretería, joyería, óptica, autoescuela, hostal",
    "imprenta, lavandería, instituto, nombre fiscal, empresa cliente, sociedad, bodega, kiosco",
    "pub, cafe, bakery, garage, surgery, venue, spa, nursery, care home, charity, trader, merchant, trading as",
    "supplier, vendor, hospital, pharmacy, salon, client company, company legal name, legal name, trading name"
  ),
  linkedin_url: list(
    "linkedin, perfil linkedin, url linkedin, link linkedin, url do perfil linkedin",
    "linkedin url, linkedin profile, linkedin profile url, person linkedin url",
    "url de perfil de linkedin"
  ),
  city: list(
    "cidade, município, localidade, cidade da empresa",
    "city, town, company city",
    "ciudad, localidad, población, municipio"
  ),
  state: list(
    "estado, uf, província, região, estado da empresa",
    "state, province, region, company state, county",
    "prov, edo, provincia, región, entidad federativa, comunidad autónoma, departamento"
  ),
  country: list("país, país da empresa", "country, country region, company country, nation"),
  job_title: list(
    "cargo, função, ocupação, profissão",
    "job title, job, title, position, role, organization title",
    "puesto, ocupación, profesión"
  ),
  website: list(
    "site, site da empresa, url do site, página web, domínio",
    "website, web site, company website, homepage, url, web, domain, company domain",
    "sitio, sitio web, dominio"
  ),
  notes: list(
    "observações, observação, obs, notas, nota, anotações, anotação, comentários, comentário, observação interna",
    "notes, note, comments, remarks",
    "observaciones, observación, comentarios, comentario, apuntes, anotaciones"
  )
}

const wordSet = (...lines: ReadonlyArray<string>) => new Set(lines.flatMap((line) => line.split(" ")))

const articles = wordSet("de do da dos das del la el los las o os the of no na")
/** Words that may accompany a field's name without changing which field it is. */
const qualifiers = wordSet(
  "principal primary main work business personal pessoal profissional professional profesional corporativo corporate",
  "comercial direct direto directo preferred preferencial atual current lead leads cliente client customer prospect",
  "obrigatorio obligatorio required opcional optional",
  "alt alternative alternate alternativo alternativa other outro otro secundario secondary extra"
)

const notOfAPerson = new Set<Field>(["company", "website"])
/** `Endereço de e-mail` is an e-mail address, `Endereço da empresa` is not a company's name. */
const addressWords = wordSet("address endereco direccion numero number num nr nro n no value valor")
const placeFields = new Set<Field>(["city", "state", "country"])
const withAddressWords = new Set<Field>(["email", "phone", "city", "state", "country"])

/** The words of a header without accents, case, punctuation, remarks in brackets and counting numbers. */
const wordsOf = (header: string): ReadonlyArray<string> =>
  header
    .slice(0, 100)
    .replace(/\([^)]*\)|\[[^\]]*\]/g, " ")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/^\d+|\d+$/g, ""))
    .filter((word) => word !== "")

// Words are joined for the look-up, so E-mail, eMail and EMAIL are one name, and so are Whats App and WhatsApp.
const keyOf = (words: ReadonlyArray<string>) => words.join("")
const withoutArticles = (words: ReadonlyArray<string>) => words.filter((word) => !articles.has(word))

const headerWords = (...lines: ReadonlyArray<string>) => new Set(lines.flatMap(wordsOf))
/** `Contato da empresa` is a person at the company, not the company. */
const personWords = headerWords(
  "contato contact contacto pessoa person persona responsável responsable decisor dono dona dueño dueña owner",
  "proprietário proprietária propietario propietaria sócio sócia socio socia gerente manager partner"
)
const phoneWords = headerWords(
  "tel telefone teléfono telephone phone ph fone cel celular cell mobile móvil whatsapp whats zap"
)
/** `Tel. oficina` is a phone number, and `Oficina` alone a company. */
const phonePlaces = headerWords(
  "office work home house reception desk shop store clinic practice main",
  "oficina casa trabajo recepción tienda consultorio despacho local negocio",
  "escritório trabalho recepção loja clínica sede residência"
)
const isPhoneAtPlace = (words: ReadonlyArray<string>) =>
  words.some((word) => phoneWords.has(word)) &&
  words.every((word) => phoneWords.has(word) || phonePlaces.has(word) || articles.has(word) || qualifiers.has(word))

export const fieldNames: ReadonlyArray<Field> = [
  ...(["name", "first_name", "last_name", "email", "phone", "company"] as const),
  ...optionalFields
]

const fieldByKey = new Map<string, Field>(
  fieldNames.flatMap((field) =>
    headerNames[field].flatMap((name): ReadonlyArray<readonly [string, Field]> => {
      const words = wordsOf(name)
      return [
        [keyOf(words), field],
        [keyOf(withoutArticles(words)), field]
      ]
    })
  )
)

const nameWords = headerWords("nome name nombre")

/** `Nome da clínica` is a company, because the name is that of a kind of company. */
const companyOfName = (words: ReadonlyArray<string>): Field | undefined => {
  const [first = "", ...rest] = withoutArticles(words)
  const isNamed = nameWords.has(first) && fieldByKey.get(keyOf(rest)) === "company"
  return isNamed ? "company" : undefined
}

/** A CRM's label for the person responsible for a record, who belongs to the account. */
const ownPeople = new Set([
  "contact owner",
  "lead owner",
  "company owner",
  "account owner",
  "deal owner",
  "record owner"
])

const fieldOfName = (header: string): Field | undefined => {
  const words = wordsOf(header)
  if (ownPeople.has(words.join(" "))) return undefined
  const exact = fieldByKey.get(keyOf(words)) ?? companyOfName(words)
  if (exact !== undefined) return exact
  if (isPhoneAtPlace(words)) return "phone"
  const significant = words.filter(
    (word) => !articles.has(word) && !qualifiers.has(word) && !personWords.has(word) && !addressWords.has(word)
  )
  const field = fieldByKey.get(keyOf(significant))
  if (field === undefined) return undefined
  if (notOfAPerson.has(field) && words.some((word) => personWords.has(word))) return undefined
  if (!withAddressWords.has(field) && words.some((word) => addressWords.has(word))) return undefined
  return field
}

/** The meaning of a header with two names. `Telefone / Celular` is one field, and `Município/UF` is read as a city. */
const meaningOfParts = (fields: ReadonlySet<Field | undefined>): ColumnMeaning | undefined => {
  const [only] = fields
  if (fields.size === 1) return only
  // The column more often contains companies, and a person's name in it does no harm.
  if (fields.size === 2 && fields.has("company") && fields.has("name")) return "company"
  if (fields.size === 2 && fields.has("email") && fields.has("phone")) return "email_or_phone"
  const isPlace = fields.has("city") && [...fields].every((field) => field !== undefined && placeFields.has(field))
  return isPlace ? "city" : undefined
}

/** The meaning of a column according to its header. */
export const meaningOfHeader = (header: string): ColumnMeaning | undefined => {
  const wholeField = fieldOfName(header)
  const inBrackets = wholeField === "name" ? fieldOfName(/\(([^)]{1,40})\)/.exec(header)?.[1] ?? "") : undefined
  // `Contato (e-mail)` is a column of addresses.
  if (inBrackets === "email" || inBrackets === "phone") return inBrackets
  if (wholeField !== undefined) return wholeField
  const parts = header.slice(0, 100).split(/[/|&,]|\s-\s|\s(?:ou|or|o|e|y|and)\s/i)
  return parts.length < 2 ? undefined : meaningOfParts(new Set(parts.map(fieldOfName)))
}
