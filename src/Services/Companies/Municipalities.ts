import { getMunicipalities } from "@brazilian-utils/brazilian-utils/get-municipalities"
import { placeKey } from "../Text/Places/PlaceName.ts"

/**
 * Names of municipalities in the federal revenue's data that differ from IBGE's present names, each as `state name`.
 */
const aliases: ReadonlyMap<string, string> = new Map(
  (
    [
      ["SP", "Embu", "Embu das Artes"],
      ["SP", "Moji Mirim", "Mogi Mirim"],
      ["SP", "Florinia", "Florínea"],
      ["SP", "São Luis do Paraitinga", "São Luiz do Paraitinga"],
      ["SP", "Biritiba-Mirim", "Biritiba Mirim"],
      ["RJ", "Parati", "Paraty"],
      ["RJ", "Trajano de Morais", "Trajano de Moraes"],
      ["RJ", "Armação de Búzios", "Armação dos Búzios"],
      ["MG", "Brasópolis", "Brazópolis"],
      ["MG", "Dona Eusébia", "Dona Euzébia"],
      ["MG", "São Thomé das Letras", "São Tomé das Letras"],
      ["MG", "Barão de Monte Alto", "Barão do Monte Alto"],
      ["SC", "Piçarras", "Balneário Piçarras"],
      ["SC", "Grão Pará", "Grão-Pará"],
      ["SC", "Presidente Castelo Branco", "Presidente Castello Branco"],
      ["SC", "São Lourenço d'Oeste", "São Lourenço do Oeste"],
      ["SC", "São Miguel d'Oeste", "São Miguel do Oeste"],
      ["PR", "Bela Vista do Caroba", "Bela Vista da Caroba"],
      ["PR", "Munhoz de Mello", "Munhoz de Melo"],
      ["PA", "Eldorado dos Carajás", "Eldorado do Carajás"],
      ["PA", "Santa Isabel do Pará", "Santa Izabel do Pará"],
      ["RN", "Augusto Severo", "Campo Grande"],
      ["RN", "Presidente Juscelino", "Serra Caiada"],
      ["RN", "Assú", "Açu"],
      ["RN", "Lagoa de Anta", "Lagoa d'Anta"],
      ["CE", "Itapagé", "Itapajé"],
      ["TO", "Fortaleza do Tabocão", "Tabocão"],
      ["TO", "São Valério da Natividade", "São Valério"],
      ["TO", "Couto de Magalhães", "Couto Magalhães"],
      ["BA", "Camacan", "Camacã"],
      ["BA", "Santa Terezinha", "Santa Teresinha"],
      ["BA", "Muquém do São Francisco", "Muquém de São Francisco"],
      ["SE", "Graccho Cardoso", "Gracho Cardoso"],
      ["SE", "Amparo do São Francisco", "Amparo de São Francisco"],
      ["PE", "Belém de São Francisco", "Belém do São Francisco"],
      ["PE", "Lagoa do Itaenga", "Lagoa de Itaenga"],
      ["PE", "Iguaraci", "Iguaracy"],
      ["PB", "Seridó", "São Vicente do Seridó"],
      ["PB", "Campo de Santana", "Tacima"],
      ["PB", "Santarém", "Joca Claudino"],
      ["RR", "São Luís", "São Luiz"],
      ["MT", "Poxoréu", "Poxoréo"],
      ["MT", "Santo Antônio do Leverger", "Santo Antônio de Leverger"]
    ] as const
  ).map(([state, revenueName, ibgeName]) => [`${state} ${placeKey(revenueName)}`, `${state} ${placeKey(ibgeName)}`])
)

export interface Municipality {
  /** IBGE's code of seven digits, which begins with the state's two. */
  readonly code: number
  readonly name: string
  readonly state: string
}

const municipalities: ReadonlyArray<Municipality> = getMunicipalities().map(({ code, name, stateCode }) => ({
  code: Number(code),
  name,
  state: stateCode
}))

const byKey = new Map(municipalities.map((one) => [`${one.state} ${placeKey(one.name)}`, one]))
const byCode = new Map(municipalities.map((one) => [one.code, one]))

/** IBGE's numbers of the states, with which the codes of their municipalities begin. */
export const stateNumbers: ReadonlyMap<string, number> = new Map(
  municipalities.map(({ code, state }) => [state, Math.floor(code / 100_000)])
)
const stateByNumber = new Map([...stateNumbers].map(([state, number]) => [number, state]))

/** The letters of a state's number. Null for unknown numbers and places abroad. */
export const stateOfNumber = (number: number): string | null => stateByNumber.get(number) ?? null

/** Finds a municipality by a source's name, ignoring case, accents and punctuation. */
export const municipalityNamed = (name: string, state: string): Municipality | undefined => {
  const key = `${state} ${placeKey(name)}`
  return byKey.get(key) ?? byKey.get(aliases.get(key) ?? "")
}

export const municipalityOf = (code: number): Municipality | undefined => byCode.get(code)

/** All municipalities with the name, in all states. */
export const municipalitiesNamed = (name: string): ReadonlyArray<Municipality> =>
  [...stateNumbers.keys()].flatMap((state) => municipalityNamed(name, state) ?? [])
