import { pairs, type SearchPair } from "./SearchPairs.ts"

/**
 * Written after articles, scores and scale were finished, without looking at the results. Nothing was fitted to them.
 */
export const heldOutPairs: ReadonlyArray<SearchPair> = [
  ...pairs("en", "plain", [
    ["load contacts from a csv file", 2],
    ["hand a conversation over to me", 4],
    ["who is waiting for my decision", 6],
    ["add a question and answer for leads", 7],
    ["hours in which messages are sent", 12],
    ["move an appointment to another day", 16],
    ["deal lost, how do I tell the system", 17]
  ]),
  ...pairs("en", "paraphrase", [
    ["stop writing to everybody at one company", 18],
    ["which words in a first message work best", 20],
    ["rehearse with an invented prospect", 21],
    ["our server should hear about new events", 22],
    ["forget everything about this man", 24],
    ["only look for dentists in one state", 10]
  ]),
  ...pairs("en", "typo", [
    ["blaklist an adress", 18],
    ["converson rate reprot", 19]
  ]),
  ...pairs("en", "negative", [
    ["best pizza near me", null],
    ["how tall is mount everest", null],
    ["repair a bicycle chain", null],
    ["divorce lawyer fees", null],
    ["train timetable to paris", null]
  ]),
  ...pairs("pt-BR", "plain", [
    ["subir contatos de um arquivo csv", 2],
    ["assumir a conversa com um lead", 4],
    ["quem espera por minha decisão", 6],
    ["cadastrar pergunta e resposta para os leads", 7],
    ["em que horário as mensagens saem", 12],
    ["remarcar reunião para outro dia", 16],
    ["perdi o negócio, como registro", 17]
  ]),
  ...pairs("pt-BR", "paraphrase", [
    ["parar de escrever para todos de uma empresa", 18],
    ["qual abertura de mensagem funciona melhor", 20],
    ["ensaiar com um cliente inventado", 21],
    ["nosso servidor deve saber dos eventos", 22],
    ["esquecer tudo sobre essa pessoa", 24],
    ["procurar só dentistas de um estado", 10]
  ]),
  ...pairs("pt-BR", "typo", [
    ["bloqear endereso", 18],
    ["relatoro de respostas", 19]
  ]),
  ...pairs("pt-BR", "negative", [
    ["melhor pizzaria perto de mim", null],
    ["altura do monte everest", null],
    ["consertar corrente de bicicleta", null],
    ["advogado para divórcio", null],
    ["horário do trem para campinas", null]
  ]),
  ...pairs("es", "plain", [
    ["cargar contactos de un archivo csv", 2],
    ["tomar yo la conversación con un lead", 4],
    ["quién espera mi decisión", 6],
    ["agregar pregunta y respuesta para los leads", 7],
    ["en qué horario salen los mensajes", 12],
    ["mover la reunión a otro día", 16],
    ["perdí el negocio, cómo lo registro", 17]
  ]),
  ...pairs("es", "paraphrase", [
    ["dejar de escribir a todos de una empresa", 18],
    ["qué apertura de mensaje funciona mejor", 20],
    ["practicar con un cliente inventado", 27],
    ["nuestro servidor debe enterarse de los eventos", 22],
    ["olvidar todo sobre esa persona", 24],
    ["buscar solo dentistas de un estado", 10]
  ]),
  ...pairs("es", "typo", [
    ["bloqear direcion", 18],
    ["reporte de respuetas", 19]
  ]),
  ...pairs("es", "negative", [
    ["mejor pizza cerca de mí", null],
    ["altura del monte everest", null],
    ["arreglar la cadena de la bicicleta", null],
    ["abogado de divorcio", null],
    ["horario del tren a sevilla", null]
  ])
]
