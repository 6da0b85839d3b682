/** Words for the sandbox's companies. Names of people and places are common ones, and the companies are invented. */

export type NameLanguage = "pt" | "es" | "en"

type Words = readonly [string, ...ReadonlyArray<string>]

const words = (text: string): Words => {
  const [first = "", ...rest] = text.split(", ")
  return [first, ...rest]
}

export const firstNames: { readonly [L in NameLanguage]: Words } = {
  pt: words(
    "Ana, Beatriz, Camila, Carla, Cristina, Daniela, Fernanda, Gabriela, Helena, Isabela, Juliana, Larissa, Luciana, Márcia, Mariana, Patrícia, Renata, Sandra, Tatiana, Vanessa, André, Antônio, Bruno, Carlos, Daniel, Eduardo, Felipe, Fernando, Gustavo, João, José, Leandro, Lucas, Marcelo, Marcos, Paulo, Pedro, Rafael, Ricardo, Thiago"
  ),
  es: words(
    "Alejandra, Carmen, Claudia, Elena, Gabriela, Isabel, Laura, Lucía, María, Marta, Paula, Sofía, Valeria, Alejandro, Álvaro, Andrés, Carlos, Diego, Fernando, Javier, Jorge, José, Juan, Luis, Manuel, Miguel, Pablo, Raúl, Sergio"
  ),
  en: words(
    "Alice, Amy, Anna, Carol, Catherine, Diane, Emily, Emma, Grace, Helen, Jessica, Julia, Karen, Laura, Linda, Megan, Rachel, Sarah, Adam, Andrew, Benjamin, Brian, David, Edward, George, Jack, James, John, Kevin, Mark, Michael, Peter, Robert, Thomas, William"
  )
}

export const surnames: { readonly [L in NameLanguage]: Words } = {
  pt: words(
    "Almeida, Alves, Andrade, Araújo, Azevedo, Barbosa, Barros, Batista, Borges, Campos, Cardoso, Carvalho, Castro, Cavalcanti, Correia, Costa, Cunha, Dias, Duarte, Farias, Fernandes, Ferreira, Figueiredo, Fonseca, Freitas, Gomes, Guimarães, Lima, Lopes, Machado, Martins, Medeiros, Melo, Mendes, Monteiro, Moraes, Moreira, Moura, Nascimento, Nogueira, Nunes, Oliveira, Pacheco, Pereira, Pinto, Prado, Queiroz, Ramos, Rezende, Ribeiro, Rocha, Rodrigues, Sales, Santana, Santos, Silva, Siqueira, Souza, Tavares, Teixeira, Toledo, Vasconcelos, Vieira, Xavier"
  ),
  es: words(
    "Aguilar, Álvarez, Blanco, Cabrera, Castillo, Delgado, Díaz, Domínguez, Fuentes, García, Gómez, González, Guerrero, Gutiérrez, Hernández, Herrera, Iglesias, Jiménez, López, Márquez, Martínez, Medina, Molina, Morales, Navarro, Ortega, Ortiz, Peña, Pérez, Ramírez, Reyes, Ríos, Romero, Ruiz, Sánchez, Serrano, Suárez, Torres, Vargas, Vega"
  ),
  en: words(
    "Adams, Anderson, Bailey, Baker, Bennett, Brooks, Campbell, Carter, Clark, Collins, Cooper, Davies, Edwards, Evans, Fisher, Foster, Graham, Green, Hall, Harris, Hughes, Jackson, Johnson, Kelly, King, Lewis, Marshall, Mitchell, Moore, Morgan, Murphy, Parker, Phillips, Reed, Roberts, Russell, Shaw, Stewart, Taylor, Turner, Walker, Ward, Watson, White, Wright"
  )
}

/** Patterns of company names by CNAE division. `%` is a name. */
export const tradesOfDivision: { readonly [division: string]: Words } = {
  "01": words("Fazenda %, Agropecuária %"),
  "10": words("Alimentos %, Laticínios %, Panificadora %"),
  "14": words("Confecções %, % Uniformes"),
  "25": words("Metalúrgica %, Serralheria %"),
  "31": words("Móveis %, Marcenaria %"),
  "41": words("Construtora %, % Engenharia"),
  "43": words("Instalações %, % Elétrica"),
  "45": words("Oficina %, Auto Center %, % Autopeças"),
  "46": words("Distribuidora %, Atacado %"),
  "47": words("Mercado %, Loja %, Casa %, Comercial %"),
  "49": words("Transportes %, % Logística"),
  "55": words("Pousada %, Hotel %"),
  "56": words("Restaurante %, Bistrô %, Cantina %"),
  "62": words("% Sistemas, % Tecnologia, Soluções %"),
  "63": words("% Dados, Portal %"),
  "66": words("Corretora %, % Seguros"),
  "68": words("Imobiliária %, % Imóveis"),
  "69": words("% Contabilidade, Escritório Contábil %, % Advogados"),
  "70": words("% Consultoria, % Gestão"),
  "71": words("% Arquitetura, % Projetos"),
  "73": words("Agência %, % Comunicação"),
  "75": words("Clínica Veterinária %, Pet Vida %"),
  "77": words("Locadora %, % Equipamentos"),
  "80": words("% Segurança, Vigilância %"),
  "82": words("% Serviços, Apoio %"),
  "84": words("Prefeitura de %, Câmara de %"),
  "85": words("Escola %, Colégio %, Instituto %"),
  "86": words("Clínica %, Odonto %, Laboratório %"),
  "93": words("Academia %, Studio % Fitness"),
  "94": words("Associação %, Instituto %"),
  "95": words("Assistência Técnica %, % Reparos"),
  "96": words("Salão %, Espaço % Beleza, Lavanderia %")
}

/** Patterns of company names in other trades. */
export const genericTrades: { readonly [L in NameLanguage]: Words } = {
  pt: words("% Comércio, Grupo %, % Indústria, % e Filhos"),
  es: words("Grupo %, % Servicios, Comercial %, % y Asociados, Talleres %"),
  en: words("% Services, % & Sons, % Group, % Solutions, % Partners")
}

interface BrazilianCity {
  readonly city: string
  readonly state: string
  readonly areaCode: string
}

const city = (text: string): readonly [BrazilianCity, number] => {
  const [name = "", state = "", areaCode = "", weight = "1"] = text.split("|")
  return [{ city: name, state, areaCode }, Number(weight)]
}

/** Cities with area code and approximate number of companies, at least one of every state. */
export const brazilianCities: readonly [
  readonly [BrazilianCity, number],
  ...ReadonlyArray<readonly [BrazilianCity, number]>
] = [
  city("São Paulo|SP|11|120"),
  ..."Guarulhos|SP|11|12, Campinas|SP|19|20, Santos|SP|13|8, São José dos Campos|SP|12|10, Ribeirão Preto|SP|16|12, Sorocaba|SP|15|9, Bauru|SP|14|5, São José do Rio Preto|SP|17|7, Rio de Janeiro|RJ|21|55, Niterói|RJ|21|8, Petrópolis|RJ|24|4, Campos dos Goytacazes|RJ|22|4, Belo Horizonte|MG|31|30, Uberlândia|MG|34|8, Juiz de Fora|MG|32|6, Montes Claros|MG|38|4, Poços de Caldas|MG|35|3, Vitória|ES|27|6, Vila Velha|ES|27|5, Curitiba|PR|41|25, Londrina|PR|43|8, Maringá|PR|44|7, Cascavel|PR|45|5, Florianópolis|SC|48|9, Joinville|SC|47|9, Blumenau|SC|47|6, Chapecó|SC|49|4, Porto Alegre|RS|51|20, Caxias do Sul|RS|54|7, Pelotas|RS|53|4, Santa Maria|RS|55|4, Brasília|DF|61|22, Goiânia|GO|62|16, Anápolis|GO|62|5, Cuiabá|MT|65|7, Rondonópolis|MT|66|3, Campo Grande|MS|67|7, Dourados|MS|67|3, Salvador|BA|71|16, Feira de Santana|BA|75|5, Vitória da Conquista|BA|77|3, Recife|PE|81|12, Caruaru|PE|81|4, Fortaleza|CE|85|15, Juazeiro do Norte|CE|88|3, Natal|RN|84|6, João Pessoa|PB|83|6, Maceió|AL|82|5, Aracaju|SE|79|5, Teresina|PI|86|5, São Luís|MA|98|5, Imperatriz|MA|99|2, Belém|PA|91|7, Santarém|PA|93|2, Manaus|AM|92|7, Porto Velho|RO|69|3, Rio Branco|AC|68|2, Macapá|AP|96|2, Boa Vista|RR|95|2, Palmas|TO|63|3"
    .split(", ")
    .map(city)
]

export interface ForeignPlace {
  readonly country: string
  readonly language: NameLanguage
  readonly cities: Words
  /** An E.164 number for a subscriber from 0 to 999 999 999. */
  readonly phone: (subscriber: number) => string
}

const digits = (subscriber: number, length: number): string => String(subscriber % 10 ** length).padStart(length, "0")

/** Numbers reserved for fiction, if the country has them. */
export const foreignPlaces: readonly [ForeignPlace, ...ReadonlyArray<ForeignPlace>] = [
  {
    country: "PT",
    language: "pt",
    cities: words("Lisboa, Porto, Braga, Coimbra"),
    phone: (n) => `+3519${digits(1 + (n % 3), 1)}${digits(n, 7)}`
  },
  {
    country: "ES",
    language: "es",
    cities: words("Madrid, Barcelona, Valencia, Sevilla"),
    phone: (n) => `+346${digits(n, 8)}`
  },
  {
    country: "MX",
    language: "es",
    cities: words("Ciudad de México, Guadalajara, Monterrey, Puebla"),
    phone: (n) => `+5255${digits(10_000_000 + (n % 89_999_999), 8)}`
  },
  {
    country: "AR",
    language: "es",
    cities: words("Buenos Aires, Córdoba, Rosario, Mendoza"),
    phone: (n) => `+54911${digits(20_000_000 + (n % 49_999_999), 8)}`
  },
  { country: "CO", language: "es", cities: words("Bogotá, Medellín, Cali"), phone: (n) => `+57310${digits(n, 7)}` },
  {
    country: "CL",
    language: "es",
    cities: words("Santiago, Valparaíso, Concepción"),
    phone: (n) => `+569${digits(40_000_000 + (n % 49_999_999), 8)}`
  },
  {
    country: "US",
    language: "en",
    cities: words("New York, Austin, Chicago, Miami, Denver"),
    phone: (n) => `+1${["212", "512", "312", "305", "720"][n % 5] ?? "212"}55501${digits(n, 2)}`
  },
  {
    country: "GB",
    language: "en",
    cities: words("London, Manchester, Leeds, Bristol"),
    phone: (n) => `+44207946${digits(n, 4).replace(/^./, "0")}`
  }
]
