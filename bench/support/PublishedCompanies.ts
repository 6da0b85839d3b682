import { createWriteStream, mkdirSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { ZipFile } from "yazl"
import { municipalityNamed } from "../../src/Services/Companies/Municipalities.ts"
import { brazilianCities, surnames } from "../../src/Services/Companies/SandboxWords.ts"
import { cnaeEntries } from "../../src/Services/Reference/Cnae.ts"

/**
 * Invented companies in the formats of the Brazilian federal revenue's open data: Latin-1, no header, quoted fields,
 * decimal commas, upper case without accents, with some closed places and odd rows.
 */

const fraction = (index: number, salt: number): number => {
  let hash = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(salt + 7, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296
}

const pick = <A>(values: ReadonlyArray<A>, index: number, salt: number): A => {
  const value = values[Math.floor(fraction(index, salt) * values.length)]
  if (value === undefined) throw new Error("There is nothing to pick from.")
  return value
}

const subclasses = [...cnaeEntries.values()].flatMap(({ code, level }) => (level === "subclass" ? [code] : []))

/** Half of the companies are in a few sectors, as in the real data. */
const frequent = ["4781400", "5611203", "9602501", "4712100", "4120400", "8630504", "6920601", "6201501", "4930202"]

const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toUpperCase()

interface Town {
  readonly code: string
  readonly name: string
  readonly state: string
  readonly area: string
}

/** The source's codes of towns, which are not those of IBGE. One of the towns does not exist. */
const towns: ReadonlyArray<Town> = [
  ...brazilianCities.map(([{ areaCode, city, state }], index) => ({
    code: String(7000 + index),
    name: plain(city),
    state,
    area: areaCode
  })),
  { code: "0009", name: "EMBU", state: "SP", area: "11" },
  { code: "0010", name: "PARATI", state: "RJ", area: "24" },
  { code: "0011", name: "VILA QUE NAO HA", state: "GO", area: "62" }
]

const natures = [
  ["2062", 45],
  ["2135", 40],
  ["2305", 3],
  ["3999", 6],
  ["1244", 2],
  ["2011", 1],
  ["2038", 1],
  ["4081", 2]
] as const

const weighted = <A>(choices: ReadonlyArray<readonly [A, number]>, at: number): A => {
  let left = at * choices.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [value, weight] of choices) {
    left -= weight
    if (left < 0) return value
  }
  throw new Error("There is nothing to pick from.")
}

const day = (index: number): string => {
  const at = Date.UTC(1970, 0, 1) + fraction(index, 9) ** 0.6 * (Date.UTC(2026, 5, 1) - Date.UTC(1970, 0, 1))
  return new Date(at).toISOString().slice(0, 10).replaceAll("-", "")
}

/** A company and its establishment, as the rows of three files. */
export const publishedCompany = (index: number) => {
  const base = String(10_000_000 + index)
  const nature = weighted(natures, fraction(index, 1))
  const isPerson = nature === "2135"
  const family = plain(pick(surnames.pt, index, 2))
  const other = plain(pick(surnames.pt, index, 3))
  const person = `JOAO ${family} ${other}`
  const name = isPerson ? `${person} ${String(10_000_000_000 + index)}` : `${family} ${other} COMERCIO LTDA`
  const town = towns[Math.floor(fraction(index, 4) ** 2 * towns.length)] ?? pick(towns, index, 4)
  const isActive = fraction(index, 5) < 0.85
  const cnae = fraction(index, 6) < 0.5 ? pick(frequent, index, 7) : pick(subclasses, index, 7)
  const hasShared = fraction(index, 10) < 0.04
  const email =
    fraction(index, 11) < 0.25
      ? ""
      : hasShared
        ? `contador${index % 5}@escritorio.example`
        : `contato@empresa${index}.example`
  const hasPhone = fraction(index, 12) < 0.8
  const number = hasPhone
    ? String(fraction(index, 13) < 0.5 ? 30_000_000 + (index % 9_999_999) : 91_000_000 + (index % 8_999_999))
    : ""
  const size = weighted(
    [
      ["01", 60],
      ["03", 15],
      ["05", 18],
      ["00", 7]
    ],
    fraction(index, 14)
  )
  return {
    town,
    company: [base, name, nature, "49", `${index % 900_000},00`, size, ""],
    place: [
      base,
      "0001",
      String(index % 100).padStart(2, "0"),
      "1",
      fraction(index, 15) < 0.5 ? `LOJA ${family}` : "",
      isActive ? "02" : "08",
      "20050101",
      "00",
      "",
      "",
      day(index),
      cnae,
      "",
      "RUA",
      "DAS FLORES",
      "10",
      "",
      "CENTRO",
      "01001000",
      town.state,
      town.code,
      hasPhone ? town.area : "",
      number,
      "",
      "",
      "",
      "",
      email.toUpperCase(),
      "",
      ""
    ],
    partner: isPerson
      ? undefined
      : [base, "2", person, "***123456**", "49", "20100101", "", "***000000**", "", "00", "4"]
  }
}

/** IBGE's seven-digit code; undefined for the town that does not exist. */
export const ibgeCodeOf = ({ name, state }: Town): number | undefined => municipalityNamed(name, state)?.code

const line = (fields: ReadonlyArray<string>): string => `"${fields.join('";"')}"\r\n`

/** Rows that are made at a time. */
const chunk = 2000

const rows = function* (count: number, lineOf: (index: number) => string): Generator<Buffer> {
  for (let from = 0; from < count; from += chunk) {
    let text = ""
    for (let index = from; index < Math.min(from + chunk, count); index++) text += lineOf(index)
    yield Buffer.from(text, "latin1")
  }
}

/** Writes the files of a month with this many companies into the folder, zipped on request. */
export const writePublishedCompanies = async (
  folder: string,
  count: number,
  { odd = "", zipped = false }: { readonly zipped?: boolean; readonly odd?: string } = {}
): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  const write = async (name: string, member: string, content: Iterable<Buffer>): Promise<void> => {
    if (!zipped) return await pipeline(Readable.from(content), createWriteStream(join(folder, member)))
    const archive = new ZipFile()
    archive.addReadStream(Readable.from(content), member)
    archive.end()
    await pipeline(archive.outputStream, createWriteStream(join(folder, name)))
  }
  await write("Municipios.zip", "F.K03200$Z.D40914.MUNICCSV", [
    Buffer.from(towns.map(({ code, name }) => line([code, name])).join(""), "latin1")
  ])
  await write(
    "Empresas0.zip",
    "K3241.K03200Y0.D40914.EMPRECSV",
    rows(count, (index) => line(publishedCompany(index).company))
  )
  await write(
    "Socios0.zip",
    "K3241.K03200Y0.D40914.SOCIOCSV",
    rows(count, (index) => {
      const { partner } = publishedCompany(index)
      return partner === undefined ? "" : line(partner)
    })
  )
  const places = function* (): Generator<Buffer> {
    yield Buffer.from(odd, "latin1")
    yield* rows(count, (index) => line(publishedCompany(index).place))
  }
  await write("Estabelecimentos0.zip", "K3241.K03200Y0.D40914.ESTABELE", places())
}
