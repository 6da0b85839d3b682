import { Either } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type ImportRow, isBlank } from "../../src/Services/LeadFiles/ImportRow.ts"
import { columnLetters } from "../../src/Services/LeadFiles/LeadFileColumns.ts"
import { columnReport, recogniseColumns, toLeadFileRow } from "../../src/Services/LeadFiles/LeadFileHeaders.ts"

const numbered = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<ImportRow> =>
  rows.map((cells, index) => ({ fileRow: index + 1, cells }))

const reasonOf = (rows: ReadonlyArray<ReadonlyArray<string>>) =>
  Either.match(recogniseColumns(numbered(rows)), { onLeft: (error) => error.reason, onRight: () => "recognised" })

/** The leads of a file that has these rows. */
const leadsOf = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
  const all = numbered(rows).filter((row) => !isBlank(row.cells))
  const columns = Either.getOrThrow(recogniseColumns(all.slice(0, 10)))
  return all.filter((row) => row.fileRow > columns.headerRow).map((row) => toLeadFileRow(columns, row))
}

const email = "maria@empresa.com.br"

describe("header names", () => {
  const valueByField = {
    name: "Maria Silva",
    phone: "(11) 99999-8888",
    company: "Empresa Ltda",
    linkedin_url: "linkedin.com/in/maria",
    city: "São Paulo",
    state: "SP",
    country: "Brasil",
    job_title: "Diretora",
    website: "empresa.com.br",
    notes: "Prefere manhãs"
  } as const

  it.each([
    ["name", ["Nome", "NOME COMPLETO", "nome", "Nome*", "Nome do contato", "Nome (obrigatório)", "Contato", "Cliente"]],
    ["name", ["Name", "Full Name", "full_name", "fullName", "Contact name", "Lead Name", "Customer Name"]],
    ["name", ["Nombre", "Nombre completo", "Nombre y apellidos", "Contacto"]],
    ["phone", ["Telefone", "telefone 1", "Tel.", "Fone", "Celular", "WhatsApp", "Whats App", "Número do WhatsApp"]],
    ["phone", ["Ph.", "Mobile / alt", "Tel. oficina", "Telefone do escritório", "Office tel", "Phone 2 (other)"]],
    ["phone", ["Telefone (com DDD)", "Telefone/Celular", "Celular ou WhatsApp", "Telemóvel", "Telefone comercial"]],
    [
      "phone",
      ["Phone", "Phone Number", "phone_number", "Mobile Phone", "Work Direct Phone", "Phone 1 - Value", "Cell"]
    ],
    ["phone", ["Teléfono", "TELEFONO", "Móvil", "Número de teléfono", "Teléfono móvil"]],
    ["company", ["Empresa", "Razão Social", "RAZAO SOCIAL", "Nome fantasia", "Nome da empresa", "Organização"]],
    ["company", ["Company", "Company Name", "companyName", "Organization", "Organization Name", "Account Name"]],
    [
      "company",
      ["Clínica", "Escritório", "Loja", "Escritório / Razão social", "Tienda", "Negocio", "Agency", "Law firm"]
    ],
    ["name", ["Responsável", "Sócio responsável", "Persona de contacto", "Encargado", "Primary Contact", "Partner"]],
    ["phone", ["Celular/WhatsApp", "Fone/Whats", "Tel. / WhatsApp", "Mobile / WhatsApp", "Telefone fixo", "Landline"]],
    ["city", ["Município/UF", "Población", "Town"]],
    ["state", ["County"]],
    ["country", ["Nation"]],
    ["company", ["Compañía", "Razón social", "Nombre comercial", "Nombre de la empresa"]],
    ["linkedin_url", ["LinkedIn", "Linkedin URL", "Perfil do LinkedIn", "Person Linkedin Url", "LinkedIn Profile"]],
    ["city", ["Cidade", "Município", "City", "Ciudad"]],
    ["state", ["Estado", "UF", "State", "State/Region", "Provincia"]],
    ["country", ["País", "PAIS", "Country", "Country/Region"]],
    ["job_title", ["Cargo", "Função", "Job Title", "Title", "Cargo/Função", "Puesto"]],
    ["website", ["Site", "Website", "Web site", "URL", "Site da empresa", "Sitio web"]],
    ["notes", ["Observações", "Obs.", "Notes", "Comentarios", "Anotações"]]
  ] as const)("of %s: %j", (field, headers) => {
    for (const header of headers) {
      const [lead] = leadsOf([
        ["E-mail", header],
        [email, valueByField[field]]
      ])
      expect(lead, header).toMatchObject({ email, [field]: valueByField[field] })
    }
  })

  it.each([
    ...["E-mail", "Email", "EMAIL", "eMail", "e_mail", "Endereço de e-mail", "E-mail 1 - Value", "E-mail comercial"],
    ...["Email Address", "Work Email", "Mail", "Correo", "Correo electrónico", "Dirección de correo electrónico"]
  ])("of email: %s", (header) => {
    expect(leadsOf([[header], [email]])).toMatchObject([{ email }])
  })

  it.each([
    ...["Email Status", "Phone Type", "Contact Owner", "Lead Status", "Endereço da empresa", "Número da empresa"],
    ...["Contato da empresa", "Company Linkedin Url", "Data de nascimento", "CNPJ", "", "日本"]
  ])("leave %j alone", (header) => {
    const [lead] = leadsOf([
      ["E-mail", header],
      [email, "something"]
    ])
    expect(lead).toEqual({ row_number: 1, file_row: 2, email, name: "", phone: "", company: "" })
  })

  it("of a contact column may be of both kinds", () => {
    const rows = [
      ["Nome", "E-mail ou telefone"],
      ["Maria", email],
      ["João", "11999998888"]
    ]
    expect(leadsOf(rows)).toMatchObject([
      { email, phone: "" },
      { email: "", phone: "11999998888" }
    ])
  })

  it.each([
    ["Contato", [email, "(11) 99999-8888"], "email_or_phone"],
    ["Contato", ["Maria", "João"], "name"],
    ["Dados", [email, "-"], null],
    ["Dados", [email, ""], "email"],
    // A number under an unknown header may be a CNPJ.
    ["Dados", ["12345678000190", "12345678000191"], null]
  ])("that do not say what %j is leave it to its first cells: %j", (header, cells, meaning) => {
    const rows = numbered([["Empresa", "Telefone", header], ...cells.map((cell) => ["Loja", "", cell])])
    expect(Either.getOrThrow(recogniseColumns(rows)).meanings[2]).toBe(meaning)
  })

  it("survive any header text", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 40 })), (headers) => {
        expect(["recognised", "no_recognised_columns", "no_contact_column"]).toContain(reasonOf([headers]))
      })
    )
  })
})

describe("columns", () => {
  it("of one field give the first that is filled", () => {
    const rows = [
      ["Telefone", "Celular", "Nome fantasia", "Razão social"],
      ["", " 11999998888 ", "", "Empresa Ltda"],
      ["1133334444", "11999998888", "Loja", "Empresa Ltda"]
    ]
    expect(leadsOf(rows)).toMatchObject([
      { phone: "11999998888", company: "Empresa Ltda" },
      { phone: "1133334444", company: "Loja" }
    ])
  })

  it.each([
    [
      ["Primeiro nome", "Sobrenome"],
      ["Maria", "Silva"]
    ],
    [
      ["First Name", "Last Name"],
      ["Maria", "Silva"]
    ],
    [
      ["Nombre", "Apellidos"],
      ["Maria", "Silva"]
    ],
    [
      ["Nome", "Sobrenome"],
      ["Maria Silva", "Silva"]
    ],
    [
      ["Nome completo", "Primeiro nome", "Sobrenome"],
      ["Maria Silva", "Maria", "S."]
    ],
    [
      ["Nome completo", "Primeiro nome", "Sobrenome"],
      ["", "Maria", "Silva"]
    ]
  ])("join the parts of a name: %j", (headers, cells) => {
    const rows = [
      [...headers, "E-mail"],
      [...cells, email]
    ]
    expect(leadsOf(rows)).toMatchObject([{ name: "Maria Silva" }])
  })

  it("may be missing in short rows and are bounded in long ones", () => {
    const wide = Array.from({ length: 300 }, (_, index) => (index === 299 ? "E-mail" : index === 0 ? "Telefone" : "x"))
    expect(leadsOf([wide, ["11999998888"]])).toEqual([
      { row_number: 1, file_row: 2, name: "", email: "", phone: "11999998888", company: "" }
    ])
  })

  it("cut a field at 1 000 characters and never in the middle of one", () => {
    const [lead] = leadsOf([
      ["E-mail", "Notas", "Nome"],
      [email, `${"a".repeat(999)}😀`, "x\0y"]
    ])
    expect(lead?.notes).toBe("a".repeat(999))
    expect(lead?.name).toBe("xy")
  })

  it('take ="…" as the text it stands for', () => {
    expect(leadsOf([["Telefone"], ['="011999998888"']])).toMatchObject([{ phone: "011999998888" }])
  })

  it("keep text that looks like a formula as text", () => {
    const rows = [
      ["Nome", "Telefone"],
      ["=1+1", "+5511999998888"],
      ['=HYPERLINK("x")', "@x"]
    ]
    expect(leadsOf(rows)).toMatchObject([
      { name: "=1+1", phone: "+5511999998888" },
      { name: '=HYPERLINK("x")', phone: "@x" }
    ])
  })
})

describe("rows", () => {
  it("are numbered below the header, and as the file counts them", () => {
    const rows = [
      [""],
      ["Leads de maio"],
      ["Nome", "E-mail"],
      ["Maria", email],
      ["", " "],
      ["João", "joao@empresa.com"]
    ]
    expect(leadsOf(rows)).toMatchObject([
      { row_number: 1, file_row: 4, name: "Maria" },
      { row_number: 3, file_row: 6, name: "João" }
    ])
  })

  it("of a file without a header are recognised by content", () => {
    const rows = [
      ["Maria Silva", "2024-01-31", "123.456.789-09", email, "(11) 99999-8888"],
      ["João", "2024-02-01", "", "", "1133334444"]
    ]
    expect(leadsOf(rows)).toEqual([
      { row_number: 1, file_row: 1, name: "Maria Silva", email, phone: "(11) 99999-8888", company: "" },
      { row_number: 2, file_row: 2, name: "João", email: "", phone: "1133334444", company: "" }
    ])
  })

  it("of a plain list may be addresses and numbers mixed", () => {
    expect(leadsOf([[email], ["11 99999-8888"], ["not@valid"], ["123"]])).toMatchObject([
      { email, phone: "" },
      { email: "", phone: "11 99999-8888" },
      { email: "not@valid", phone: "" },
      { email: "", phone: "123" }
    ])
  })
})

describe("the report of columns", () => {
  it("says what each was taken for, with samples, and what is ignored", () => {
    const rows = numbered([
      ["Clientes 2024", "", "", ""],
      ["Clínica", "Especialidade", "E-mail", ""],
      ["Sorriso", "Odonto", email, ""],
      ["Sorriso", "-", "", "x"]
    ])
    const columns = Either.getOrThrow(recogniseColumns(rows))
    expect(columnReport(columns, rows)).toEqual([
      { column: "A", header: "Clínica", taken_for: "company", samples: ["Sorriso"] },
      { column: "B", header: "Especialidade", taken_for: null, samples: ["Odonto"] },
      { column: "C", header: "E-mail", taken_for: "email", samples: [email] },
      { column: "D", header: null, taken_for: null, samples: ["x"] }
    ])
  })

  it("names columns as spreadsheets do", () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(columnLetters)).toEqual(["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"])
  })
})

describe("refusals", () => {
  it.each([
    ["no_recognised_columns", [["foo", "bar"]]],
    [
      "no_recognised_columns",
      [
        ["foo", "bar"],
        ["Maria", email]
      ]
    ],
    ["no_contact_column", [["Nome", "Empresa"], ["Maria"]]]
  ])("%s: %j", (reason, rows) => {
    expect(reasonOf(rows)).toBe(reason)
  })

  it("never repeat the file's content", () => {
    const error = Either.flip(recogniseColumns(numbered([["Maria Silva"]])))
    expect(JSON.stringify(error)).not.toContain("Maria")
  })
})
