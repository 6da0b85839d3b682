import { pairs, type SearchPair } from "./SearchPairs.ts"

/**
 * Written only from the articles, without knowledge of the search's rules or other pairs. Measured once and never
 * fitted to.
 */
export const unseenPairs: ReadonlyArray<SearchPair> = [
  ...pairs("en", "plain", [
    ["stop the agent from writing to one person for two weeks", 4],
    ["add somebody a lead pointed me to", 3],
    ["which cities and how many employees to look for", 10]
  ]),
  ...pairs("en", "paraphrase", [
    ["the customer bought, where do I write that down", 17],
    ["she asked us never to write again", 18],
    ["I want to hear what the robot said on the telephone", 15],
    ["my people are in an Excel sheet", 2],
    ["somebody wanted to know a thing the agent could not tell", 7],
    ["let my own server know when something happens", 22],
    ["let the agent read our product manual", 8],
    ["how do I sound less formal", 25],
    ["messages arrive too early in the morning", 12],
    ["what is waiting for me to say yes or no", 6]
  ]),
  ...pairs("en", "typo", [
    ["blaklist a competitor domian", 18],
    ["campain comparision", 1]
  ]),
  ...pairs("en", "code", [
    ["xlsx import", 2],
    ["bearer token", 23]
  ]),
  ...pairs("en", "negative", [
    ["recipe for chocolate cake", null],
    ["who won the world cup in 1994", null],
    ["how to change the oil of my car", null],
    ["train timetable to Lisbon", null]
  ]),
  ...pairs("pt-BR", "plain", [
    ["parar de escrever para um lead por uns dias", 4],
    ["quantas pessoas responderam este mês", 19],
    ["mandar um folheto para quem pedir", 9]
  ]),
  ...pairs("pt-BR", "paraphrase", [
    ["o cliente fechou negócio, onde eu anoto", 17],
    ["quero ver como o robô conversaria antes de ligar tudo", 21],
    ["tenho os contatos numa lista do Excel", 2],
    ["não quero que falem com os meus clientes atuais", 18],
    ["ensinar os preços da minha empresa para o agente", 8],
    ["em que dia e hora é melhor escrever", 12],
    ["gastar menos com as mensagens", 13],
    ["a pessoa quer que sumam com os dados dela", 24],
    ["o que muda se eu pagar", 26]
  ]),
  ...pairs("pt-BR", "typo", [
    ["campnha pausada", 1],
    ["reunião cancelda", 16],
    ["relatorio de respsotas", 19]
  ]),
  ...pairs("pt-BR", "code", [
    ["62.01-5", 11],
    ["LGPD", 24]
  ]),
  ...pairs("pt-BR", "negative", [
    ["receita de bolo de cenoura", null],
    ["resultado do jogo do Corinthians", null],
    ["previsão do tempo para amanhã", null],
    ["quem descobriu o Brasil", null]
  ]),
  ...pairs("es", "plain", [
    ["dejar de escribir a un lead unos días", 4],
    ["qué significa que un lead esté congelado", 5],
    ["qué pasa después de encender la prospección", 0]
  ]),
  ...pairs("es", "paraphrase", [
    ["el cliente ya compró, dónde lo anoto", 17],
    ["quiero que el agente conozca nuestros precios", 8],
    ["alguien pregunta algo que el agente no sabe", 7],
    ["que no se escriba los domingos", 12],
    ["un conocido me recomendó a otra persona", 3],
    ["no me deja escribirle por la aplicación", 14],
    ["dos ofertas distintas, cada una por su lado", 1],
    ["cambiar la forma en que escribe el agente", 25],
    ["cuánto llevo gastado en abrir conversaciones", 13]
  ]),
  ...pairs("es", "typo", [
    ["reunoin cancelada", 16],
    ["lsita de bloqueo", 18]
  ]),
  ...pairs("es", "code", [["CNAE 47", 11]]),
  ...pairs("es", "negative", [
    ["receta de tortilla de patatas", null],
    ["quién ganó el mundial", null],
    ["horario de trenes a Sevilla", null]
  ])
]
