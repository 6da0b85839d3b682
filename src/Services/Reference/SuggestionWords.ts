/** Texts of suggestions in the account's language. */
export const suggestionWords = {
  "pt-BR": {
    companies: (of: string) => `Empresas ${of}`,
    anyCompanies: "Empresas",
    inTrades: (list: string, isOne: boolean) => `${isOne ? "do setor" : "dos setores"} ${list}`,
    like: (list: string) => `parecidas com clientes que já pagam: ${list}`,
    inStates: (list: string) => `em ${list}`,
    needs: (what: string) => `que precisam do que oferecemos: ${what}`,
    deciders: (list: string) => `Decisores: ${list}.`,
    defaultDeciders: "donos, sócios ou diretores responsáveis pela área que usa a solução",
    employees: (min: number | null, max: number | null) =>
      max === null ? `com ${min ?? 1} funcionários ou mais` : `com ${min ?? 1} a ${max} funcionários`,
    profileSays: (words: string) => `O perfil fala de ${words}.`,
    profileLeavesOut: (words: string) => `O perfil deixa de fora ${words}.`,
    competitor: (words: string) =>
      `Empresas desse ramo fazem o que a sua empresa faz (${words}): prováveis concorrentes.`,
    nothingNamed:
      'O texto não cita nenhum ramo que a classificação conheça: cite setores, como em "clínicas odontológicas".',
    nothingLeftOut: "O texto não deixa nada de fora, e nenhum concorrente provável foi reconhecido.",
    reasons: {
      targetedTrades: "Os setores são os da segmentação.",
      provenTrades: (count: string) => `Os setores são os dos ${count} leads que se interessaram ou compraram.`,
      exampleTrades: "Os setores são os que os clientes citados sugerem.",
      size: "O tamanho é o da segmentação.",
      targetedPlaces: "Os lugares são os da segmentação.",
      provenPlaces: "Os lugares são aqueles em que houve leads interessados.",
      examples: "Os exemplos são os seus clientes pagantes.",
      need: "A necessidade é a que a descrição da empresa atende.",
      provenDeciders: "Os decisores têm os cargos dos leads que se interessaram.",
      usualDeciders: "Os decisores são um primeiro palpite comum."
    },
    missing: {
      trades: "Informe setores: defina cnae_filter ou cite clientes pagantes.",
      examples: "Cite clientes que já pagam em paying_customer_examples.",
      offer: "Descreva em business_description o que você vende e para quem."
    }
  },
  en: {
    companies: (of: string) => `Companies ${of}`,
    anyCompanies: "Companies",
    inTrades: (list: string, _isOne: boolean) => `in ${list}`,
    like: (list: string) => `like customers that pay already: ${list}`,
    inStates: (list: string) => `in ${list}`,
    needs: (what: string) => `that need what we offer: ${what}`,
    deciders: (list: string) => `Deciders: ${list}.`,
    defaultDeciders: "owners, partners or directors responsible for the area that uses it",
    employees: (min: number | null, max: number | null) =>
      max === null ? `with ${min ?? 1} employees or more` : `with ${min ?? 1} to ${max} employees`,
    profileSays: (words: string) => `The profile speaks of ${words}.`,
    profileLeavesOut: (words: string) => `The profile leaves out ${words}.`,
    competitor: (words: string) =>
      `Companies of this trade do what your own business does (${words}): likely competitors.`,
    nothingNamed: 'The text names no trade that the classification knows: name sectors, as in "dental clinics".',
    nothingLeftOut: "The text leaves nothing out, and no likely competitors were recognised.",
    reasons: {
      targetedTrades: "The sectors are those of the targeting.",
      provenTrades: (count: string) => `The sectors are those of the ${count} leads that were interested or bought.`,
      exampleTrades: "The sectors are those that the customer examples name.",
      size: "The size is that of the targeting.",
      targetedPlaces: "The places are those of the targeting.",
      provenPlaces: "The places are where leads were interested.",
      examples: "The examples are your paying customers.",
      need: "What they need is what the business description offers.",
      provenDeciders: "The deciders have the titles of leads that were interested.",
      usualDeciders: "The deciders are a usual first guess."
    },
    missing: {
      trades: "Tell sectors: set cnae_filter, or name paying customers.",
      examples: "Name customers that pay already in paying_customer_examples.",
      offer: "Describe in business_description what you sell and to whom."
    }
  },
  es: {
    companies: (of: string) => `Empresas ${of}`,
    anyCompanies: "Empresas",
    inTrades: (list: string, isOne: boolean) => `${isOne ? "del sector" : "de los sectores"} ${list}`,
    like: (list: string) => `parecidas a clientes que ya pagan: ${list}`,
    inStates: (list: string) => `en ${list}`,
    needs: (what: string) => `que necesitan lo que ofrecemos: ${what}`,
    deciders: (list: string) => `Decisores: ${list}.`,
    defaultDeciders: "dueños, socios o directores responsables del área que usa la solución",
    employees: (min: number | null, max: number | null) =>
      max === null ? `con ${min ?? 1} empleados o más` : `con ${min ?? 1} a ${max} empleados`,
    profileSays: (words: string) => `El perfil habla de ${words}.`,
    profileLeavesOut: (words: string) => `El perfil deja fuera ${words}.`,
    competitor: (words: string) =>
      `Las empresas de este ramo hacen lo que hace su empresa (${words}): probables competidores.`,
    nothingNamed:
      'El texto no nombra ningún ramo que la clasificación conozca: nombre sectores, como en "clínicas dentales".',
    nothingLeftOut: "El texto no deja nada fuera, y no se reconoció ningún competidor probable.",
    reasons: {
      targetedTrades: "Los sectores son los de la segmentación.",
      provenTrades: (count: string) => `Los sectores son los de los ${count} leads que se interesaron o compraron.`,
      exampleTrades: "Los sectores son los que sugieren los clientes nombrados.",
      size: "El tamaño es el de la segmentación.",
      targetedPlaces: "Los lugares son los de la segmentación.",
      provenPlaces: "Los lugares son aquellos en los que hubo leads interesados.",
      examples: "Los ejemplos son sus clientes que pagan.",
      need: "Lo que necesitan es lo que ofrece la descripción de la empresa.",
      provenDeciders: "Quienes deciden tienen los cargos de los leads que se interesaron.",
      usualDeciders: "Quienes deciden son una primera suposición habitual."
    },
    missing: {
      trades: "Indique sectores: defina cnae_filter o nombre clientes que pagan.",
      examples: "Nombre clientes que ya pagan en paying_customer_examples.",
      offer: "Describa en business_description qué vende y a quién."
    }
  }
} as const
