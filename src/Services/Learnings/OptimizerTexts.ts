import { type Setting, settingOf } from "../Outreach/Adjustments.ts"
import { cnaeEntries } from "../Reference/Cnae.ts"
import type { Language } from "../Text/Language.ts"
import { acceptedChanges, type Decision, neededEvidence, type Verdict } from "./Optimizer.ts"
import { rateOf, type Share } from "./Proportions.ts"

/** A change as its owner reads it. */
export interface ChangeText {
  readonly setting: string
  readonly from: string
  readonly to: string
  readonly how_to_undo: string
}

interface Numbers {
  readonly rate: string
  readonly hits: string
  readonly tries: string
}

interface Words {
  readonly settings: { readonly [S in Setting]: string }
  readonly inSector: (setting: string, sector: string) => string
  /** By setting and choice. */
  readonly choices: { readonly [choice: string]: string }
  readonly changed: (
    setting: string,
    to: string,
    from: string,
    winner: Numbers,
    loser: Numbers,
    error: string
  ) => string
  readonly undone: (setting: string, from: string, to: string, loser: Numbers, winner: Numbers) => string
  readonly noComparisonsYet: (leads: string) => string
  readonly gathering: (leads: string, isOne: boolean) => string
  readonly unchanged: (leads: string) => string
  readonly nearest: (setting: string, choice: string, evidence: string, needed: string) => string
  readonly switchedOff: string
  readonly howToUndo: (tool: string) => string
}

const portuguese: Words = {
  settings: {
    opening: "Abertura da primeira mensagem",
    send_hours: "Horário de envio",
    pauses: "Intervalo entre contatos",
    channel_order: "Ordem dos canais"
  },
  inSector: (setting, sector) => `${setting} no setor “${sector}”`,
  choices: {
    "opening all_alike": "todas, alternadas",
    "opening offer": "oferta de ajuda",
    "opening introduction": "apresentação e pergunta",
    "opening greeting": "cumprimento",
    "send_hours usual": "os melhores horários conhecidos",
    "send_hours morning": "manhã",
    "send_hours afternoon": "tarde",
    "pauses usual": "de sempre",
    "pauses shorter": "30% mais curto",
    "pauses longer": "50% mais longo",
    "channel_order email_first": "e-mail primeiro",
    "channel_order chatapp_first": "aplicativo de mensagens primeiro"
  },
  changed: (setting, to, from, winner, loser, error) =>
    `${setting}: com “${to}”, ${winner.hits} de ${winner.tries} leads responderam (${winner.rate}), contra ${loser.hits} de ${loser.tries} (${loser.rate}) com “${from}”, no mesmo período e por sorteio. Em no máximo ${error} das campanhas sem diferença alguma o acaso levaria a uma mudança.`,
  undone: (setting, from, to, loser, winner) =>
    `${setting}: desde a mudança, “${from}” teve menos respostas (${loser.hits} de ${loser.tries}, ${loser.rate}) que “${to}” (${winner.hits} de ${winner.tries}, ${winner.rate}). A mudança foi desfeita.`,
  noComparisonsYet: (leads) =>
    `A campanha contatou ${leads} leads em quatro semanas: a partir de agora, aberturas, horários, intervalos e a ordem dos canais são comparados por sorteio entre os leads.`,
  gathering: (leads, isOne) =>
    `Ainda são poucos resultados para julgar: ${leads} ${isOne ? "lead já teve" : "leads já tiveram"} tempo de responder.`,
  unchanged: (leads) => `De ${leads} leads comparados, nenhuma diferença ficou provada: tudo continua como está.`,
  nearest: (setting, choice, evidence, needed) =>
    `Mais perto de uma mudança: ${setting}, “${choice}” (evidência ${evidence} de ${needed}).`,
  switchedOff: "A estratégia diz que não há otimizador: os ajustes foram desfeitos, e nada mais é comparado.",
  howToUndo: (tool) =>
    `Escreva “sem otimizador” na estratégia (${tool}, campo strategy): vale já para o próximo contato e desfaz todos os ajustes.`
}

const spanish: Words = {
  settings: {
    opening: "Apertura del primer mensaje",
    send_hours: "Horario de envío",
    pauses: "Intervalo entre contactos",
    channel_order: "Orden de los canales"
  },
  inSector: (setting, sector) => `${setting} en el sector «${sector}»`,
  choices: {
    "opening all_alike": "todas, alternadas",
    "opening offer": "oferta de ayuda",
    "opening introduction": "presentación y pregunta",
    "opening greeting": "saludo",
    "send_hours usual": "los mejores horarios conocidos",
    "send_hours morning": "mañana",
    "send_hours afternoon": "tarde",
    "pauses usual": "el habitual",
    "pauses shorter": "30 % más corto",
    "pauses longer": "50 % más largo",
    "channel_order email_first": "correo primero",
    "channel_order chatapp_first": "aplicación de mensajes primero"
  },
  changed: (setting, to, from, winner, loser, error) =>
    `${setting}: con «${to}» respondieron ${winner.hits} de ${winner.tries} leads (${winner.rate}), frente a ${loser.hits} de ${loser.tries} (${loser.rate}) con «${from}», en el mismo periodo y por sorteo. En no más de ${error} de las campañas sin diferencia alguna el azar llevaría a un cambio.`,
  undone: (setting, from, to, loser, winner) =>
    `${setting}: desde el cambio, «${from}» tuvo menos respuestas (${loser.hits} de ${loser.tries}, ${loser.rate}) que «${to}» (${winner.hits} de ${winner.tries}, ${winner.rate}). El cambio se deshizo.`,
  noComparisonsYet: (leads) =>
    `La campaña contactó a ${leads} leads en cuatro semanas: desde ahora se comparan por sorteo entre los leads las aperturas, los horarios, los intervalos y el orden de los canales.`,
  gathering: (leads, isOne) =>
    `Todavía hay pocos resultados para juzgar: ${leads} ${isOne ? "lead ya tuvo" : "leads ya tuvieron"} tiempo de responder.`,
  unchanged: (leads) => `De ${leads} leads comparados, ninguna diferencia quedó probada: todo sigue como está.`,
  nearest: (setting, choice, evidence, needed) =>
    `Lo más cercano a un cambio: ${setting}, «${choice}» (evidencia ${evidence} de ${needed}).`,
  switchedOff: "La estrategia dice que no hay optimizador: los ajustes se deshicieron y nada más se compara.",
  howToUndo: (tool) =>
    `Escriba «sin optimizador» en la estrategia (${tool}, campo strategy): vale ya para el próximo contacto y deshace todos los ajustes.`
}

const english: Words = {
  settings: {
    opening: "Opening of the first message",
    send_hours: "Send hours",
    pauses: "Pause between touches",
    channel_order: "Order of channels"
  },
  inSector: (setting, sector) => `${setting} in the sector “${sector}”`,
  choices: {
    "opening all_alike": "all, in turn",
    "opening offer": "an offer of help",
    "opening introduction": "an introduction and a question",
    "opening greeting": "a greeting",
    "send_hours usual": "the best hours known",
    "send_hours morning": "morning",
    "send_hours afternoon": "afternoon",
    "pauses usual": "as usual",
    "pauses shorter": "30% shorter",
    "pauses longer": "50% longer",
    "channel_order email_first": "e-mail first",
    "channel_order chatapp_first": "messaging app first"
  },
  changed: (setting, to, from, winner, loser, error) =>
    `${setting}: with “${to}” ${winner.hits} of ${winner.tries} leads replied (${winner.rate}), against ${loser.hits} of ${loser.tries} (${loser.rate}) with “${from}”, at the same time and by lot. Of campaigns in which nothing differs chance alone would change at most ${error}.`,
  undone: (setting, from, to, loser, winner) =>
    `${setting}: since the change “${from}” got fewer replies (${loser.hits} of ${loser.tries}, ${loser.rate}) than “${to}” (${winner.hits} of ${winner.tries}, ${winner.rate}). The change was taken back.`,
  noComparisonsYet: (leads) =>
    `The campaign contacted ${leads} leads in four weeks: from now on openings, hours, pauses and the order of channels are compared among its leads by lot.`,
  gathering: (leads, isOne) =>
    `There are too few results to judge yet: ${leads} ${isOne ? "lead has" : "leads have"} had the time to reply.`,
  unchanged: (leads) => `Of ${leads} leads compared no difference is proven: everything stays as it is.`,
  nearest: (setting, choice, evidence, needed) =>
    `Nearest to a change: ${setting}, “${choice}” (evidence ${evidence} of ${needed}).`,
  switchedOff:
    "The strategy says that there is no optimizer: its adjustments were taken back, and nothing is compared.",
  howToUndo: (tool) =>
    `Write “no optimizer” into the strategy (${tool}, parameter strategy): it holds from the next touch on, and takes back all adjustments.`
}

const wording: { readonly [L in Language]: Words } = { "pt-BR": portuguese, es: spanish, en: english }

/**
 * Describes what the optimizer did, in the account's language. Without a campaign, the texts refer to the account's
 * rules.
 */
export const optimizerTexts = (language: Language, isCampaign: boolean) => {
  const words = wording[language]
  const wholeNumber = (value: number): string => Math.round(value).toLocaleString(language)
  const percent = (share: number): string =>
    `${(Math.round(share * 1000) / 10).toLocaleString(language)}${language === "es" ? " " : ""}%`
  const numbers = (share: Share): Numbers => ({
    rate: percent(rateOf(share)),
    hits: wholeNumber(share.hits),
    tries: wholeNumber(share.tries)
  })
  const settingName = (key: string, setting: Setting): string => {
    const [, sector] = key.split(":")
    const name = words.settings[setting]
    return sector === undefined ? name : words.inSector(name, cnaeEntries.get(sector)?.name ?? sector)
  }
  const choiceName = (setting: Setting, choice: string): string => words.choices[`${setting} ${choice}`] ?? choice
  const change = (key: string, from: string, to: string): ChangeText => ({
    setting: settingName(key, settingOf(key)),
    from: choiceName(settingOf(key), from),
    to: choiceName(settingOf(key), to),
    how_to_undo: words.howToUndo(isCampaign ? "update_campaign" : "set_prospecting_rules")
  })

  return {
    change,
    reason: ({ from, isUndone, key, loser, setting, to, winner }: Verdict): string => {
      const names = [settingName(key, setting), choiceName(setting, to), choiceName(setting, from)] as const
      return isUndone
        ? words.undone(names[0], names[2], names[1], numbers(loser), numbers(winner))
        : words.changed(...names, numbers(winner), numbers(loser), percent(acceptedChanges))
    },
    noComparisonsYet: (leads: number): string => words.noComparisonsYet(wholeNumber(leads)),
    switchedOff: words.switchedOff,
    /** Why nothing was changed. */
    unchanged: ({ leads, nearest }: Decision): ReadonlyArray<string> =>
      nearest === undefined
        ? [words.gathering(wholeNumber(leads), leads === 1)]
        : [
            words.unchanged(wholeNumber(leads)),
            words.nearest(
              settingName(nearest.key, settingOf(nearest.key)),
              choiceName(settingOf(nearest.key), nearest.choice),
              wholeNumber(nearest.evidence),
              wholeNumber(neededEvidence)
            )
          ]
  }
}
