import type { Language } from "../Text/Language.ts"
import { fold } from "../Text/PlainText.ts"
import { contentWords } from "../Text/WordStems.ts"
import type { Act } from "./Acts.ts"
import type { Clause, ReadSentence } from "./Clauses.ts"
import { questionText } from "./QuestionText.ts"

/**
 * A question with a time may propose it for the conversation, or ask what the seller does then: "Does Thursday at 3 work?"
 * and "Are you open on Friday at 4?". It proposes where it speaks of talking, or of nothing but whether the time suits.
 */

/** Words of talking: one of them makes a question about the conversation. */
const talking: { readonly [L in Language]: ReadonlySet<string> } = {
  "pt-BR": new Set(
    (
      "conversar conversarmos conversamos conversa bate papo falar falarmos falamos falo reuniao reunir reunirmos call " +
      "videochamada video meet zoom teams encontrar encontrarmos encontro vermos vemos demonstracao demo apresentacao"
    ).split(" ")
  ),
  en: new Set(
    (
      "talk talking chat chatting speak speaking call meet meeting conversation zoom teams video demo catch connect " +
      "presentation appointment"
    ).split(" ")
  ),
  es: new Set(
    (
      "hablar hablamos hablemos conversar conversamos conversacion charlar charla charlamos platicar platicamos reunion " +
      "reunirnos juntarnos llamada llamarme llamame llamarnos videollamada videoconferencia meet zoom teams vernos " +
      "vemos veamos encontrarnos demo demostracion presentacion cita"
    ).split(" ")
  )
}

/** Words of arranging a time. */
const arranging: { readonly [L in Language]: ReadonlySet<string> } = {
  "pt-BR": new Set(
    (
      "pode podem poderia podemos podia posso ser seria da dava daria serve serviria funciona funcionaria consegue " +
      "consege conseguem conseguiria conseguimos bom boa bem melhor legal ok blz beleza otimo certo perfeito tal que " +
      "acha acham topa topam rola rolaria encaixa encaixar cabe fica ficaria ficar fechado combinado marcar marcamos " +
      "marca agendar agendamos agenda horario horarios hora horas dia dias data datas semana manha tarde noite cedo " +
      "tarde livre disponivel disponiveis disponibilidade possivel passar mudar remarcar remarcamos trocar adiar " +
      "antecipar jogar joga puxar mover mesmo mesma vez inves lugar entao talvez agora prefere preferem voce voces vc " +
      "vcs gente senhor senhora sr sra oi ola fuso brasilia minutos minutinhos rapidinho telefone whatsapp online to " +
      "eu ai pra pro pelas umas"
    ).split(" ")
  ),
  en: new Set(
    (
      "can could would will might may do does is are how about what maybe perhaps instead good any better best fine ok " +
      "okay great perfect possible convenient suit suits suitable work works available availability free manage " +
      "make move push shift bump reschedule rearrange change switch swap book schedule set pencil slot time times hour " +
      "day date week morning afternoon evening early late earlier later same rather then so you your me my us we let " +
      "propose suggest say try hi hello phone whatsapp online minutes quick quickly if that for it one"
    ).split(" ")
  ),
  es: new Set(
    (
      "puede pueden podria podrian podemos podriamos puedo podes puedes ser seria sirve serviria funciona va vendria " +
      "viene queda quedaria cuadra encaja late parece bien bueno mejor ok vale dale perfecto genial tal que como " +
      "agendar agendamos agenda agendemos quedar quedamos ponemos poner hora horas horario dia dias fecha semana manana " +
      "tarde noche temprano libre disponible disponibles disponibilidad posible pasar pasarla pasarlo mover moverla " +
      "cambiar cambiarla correr correrla reagendar reprogramar adelantar aplazar misma mismo vez lugar entonces quizas " +
      "quiza prefiere prefieren usted ustedes vos tu le te les nos me hola oye che minutos rapido telefono whatsapp si"
    ).split(" ")
  )
}

/** Whether a text speaks of talking to each other. */
export const speaksOfTalk = (text: string, language: Language): boolean =>
  contentWords(fold(text)).some((word) => talking[language].has(word))

const capitalised = /(?<=[\p{L}\d,;:] )\p{Lu}[\p{L}'-]+/gu

/** Whether a question proposes the time that it names for a conversation, and asks nothing else. */
export const proposesTalk = (question: string, timeText: string, language: Language): boolean => {
  const names = new Set((question.match(capitalised) ?? []).map(fold))
  const words = contentWords(fold(question).replace(fold(timeText), " ")).filter((word) => !/\d/.test(word))
  return (
    words.some((word) => talking[language].has(word)) ||
    words.every((word) => arranging[language].has(word) || names.has(word))
  )
}

/** A proposal that asks what the seller does at a time becomes a question, so that nothing is booked and it is answered. */
export const asQuestionOfSeller = (
  act: Act,
  { clause }: { readonly clause: Clause },
  sentence: ReadSentence,
  language: Language
): Act => {
  const { isCertain, kind, time } = act
  const mayBook = kind === "proposes" && isCertain && time !== null && time.minutes.length > 0
  if (!mayBook || !clause.isQuestion || proposesTalk(clause.text, time.text, language)) return act
  return { ...act, kind: "asks", text: questionText(sentence, clause), time: null }
}
