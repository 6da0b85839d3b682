import { clip, fold, type Sentence, sentencesOf } from "../Text/PlainText.ts"

/**
 * How sure a pattern is. `plain` ones say who is to be left alone, and only their own negation or a report of the past
 * takes that back. `loose` ones are also words of the trade, which a reply may use of its own customers or lists.
 */
type Strength = "plain" | "loose"

interface Wish {
  readonly strength: Strength
  readonly pattern: RegExp
}

const plain = (pattern: RegExp): Wish => ({ strength: "plain", pattern: new RegExp(pattern, "g") })
const loose = (pattern: RegExp): Wish => ({ strength: "loose", pattern: new RegExp(pattern, "g") })

const wishes: ReadonlyArray<Wish> = [
  // Portuguese
  plain(
    /\b(?:me|nos) (?:remov|retir|tir|exclu|delet|apag|cancel)\w{0,8} (?!uma duvida)(?:\S+ ){0,2}?(?:d[aeo]s?|dess[ae]s?|dest[ae]s?) (?:\S+ ){0,2}?(?:listas?|bases?|mailing|cadastros?|e-?mails?|contatos?|envios?|disparos?|grupo|sistema)\b/
  ),
  plain(/\b(?:me|nos) (?:descadastr|desinscrev)\w{0,8}|\b(?:descadastr|desinscrev)\w{0,6}-(?:me|nos)\b/),
  plain(
    /\b(?:remov|retir|tir|exclu|delet|apag)\w{0,6}(?:-me| me) (?:\S+ ){0,4}?(?:listas?|bases?|mailing|cadastros?|contatos?|envios?)\b/
  ),
  plain(
    /\b(?:remov|retir|tir|exclu|delet|apag|descadastr|cancel)\w{0,6} (?:o |os |a )?(?:meus?|minha|nossos?|nossa|este|esse) (?:e-?mails?|endereco|contatos?|telefone|numero|nome|dados|cadastro|registro|inscricao|assinatura|empresa)\b/
  ),
  plain(
    /\b(?:remov|retir|tir|exclu|sair|saiam?|apag)\w{0,6} (?:\S+ ){0,3}?(?:da sua|de sua|dessa|desta|da vossa|das suas|deste|desse|do seu|do vosso) (?:listas?|bases?|mailing|cadastro|banco de dados|grupo)\b/
  ),
  plain(
    /\b(?:par[ae]r?|parem|para|cess[ae]r?|cessem|deixe|deixem|deixar|chega) (?:ja |logo |agora |por favor |imediatamente )?(?:de |com )(?:nos |me )?(?:envi|mand|escrev|lig|contat|incomod|encher|enche|perturb|import|receb|spam|disparar|esses? |essas? |estas? |estes? |(?:os|as|tantos|tantas) (?:e-?mail|mensag|contat|ligac|envio|dispar))\w{0,8}/
  ),
  plain(
    /\b(?:nao|nunca|jamais)(?: precisa| e para| eh para)? (?:(?:me|nos|mais|voltem? a|fa[cz]\w{1,4}|por favor) ){0,3}(?:envi|mand|escrev|contat|lig|perturb|incomod|procur|encaminh|cham|entr)\w{0,6}(?: mais em contato| em contato)?(?:-me)?(?: nunca| por favor)?(?: mais| nada| nenhum| e-?mails?| mensage\w{1,3}| propaganda\w?| nunca mais| novamente| de novo| outra vez| spam)/
  ),
  plain(/\bnao (?:me|nos) (?:envi|mand|escrev|contat|lig|perturb|incomod)\w{0,6}(?:[.!,]|$| por favor)/),
  plain(
    /\bnao (?:quero|queremos|queria|desejo|desejamos|gostaria de|gostariamos de|pretendo|autorizo|autorizamos|aceito|tenho interesse em|temos interesse em|solicitei|pedi para|estou interessado em|estou interessada em)(?: mais)?(?: o)? (?:recebe\w{0,3}|receb\w{1,6}|ser contat\w{1,4}|ser incomod\w{1,4}|ser perturb\w{1,4}|envio|contatos? d\w{1,3}|(?:seus?|suas?|esses?|essas?|esse tipo de) (?:e-?mails?|mensage\w{1,3}|contatos?|propaganda\w?|ligac\w{1,4}))/
  ),
  plain(/\bnao quero mais (?:nada|contato|e-?mails?|mensage\w{1,3}|saber|propaganda|ser |isso|voces|que (?:me|voces))/),
  plain(/\bnao entrem? (?:mais )?em contato\b|\bnao entre em contato novamente\b|\bnao me procurem? mais\b/),
  plain(/\b(?:me deix[ae]m?|deix[ae]m?-me) em paz\b|\bchega de (?:e-?mails?|mensage|spam|propaganda|ligac)/),
  plain(
    /\b(?:solicito|peco|quero|exijo|requeiro|favor|gentileza|por favor)[, ](?:\S+ ){0,4}?(?:exclusao|remocao|eliminacao|descadastramento|descadastro|excluam?|eliminem?|apaguem?|exclua) (?:d?[aeo]s? )?(?:\S+ )?(?:meus?|minha|nossos?|nossa|todos) ?(?:os |as )?(?:meus |minhas )?(?:dados|e-?mails?|contatos?|cadastros?|informac\w{1,4}|numero|endereco)/
  ),
  plain(
    /\bcancel\w{1,4} (?:\w+ )?(?:a |o )?(?:minha |nossa |meu |nosso |mi |nuestra )(?:inscricao|assinatura|subscricao|cadastro|suscripcion)\b|\bcancel\w{1,4} (?:o )?(?:recebimento|envio)\b/
  ),
  plain(
    /\b(?:quero|queria|gostaria de|desejo|preciso|favor|como (?:eu )?(?:faco|posso)(?: para| pra)?) sair (?:da|dessa|desta|de sua|da sua|dessas|do) (?:listas?|mailing|grupo)/
  ),
  plain(
    /\b(?:nao|sem) (?:autorizo|autorizamos|autorizei|autorizada|autorizado|permito|consinto|dei (?:autorizacao|permissao|consentimento))(?: \S+){0,2}? (?:contatos?|uso|envios?|mensage\w{1,3}|e-?mails?|ligac\w{1,4}|abordage\w{1,3})\b/
  ),
  plain(
    /\b(?:nao (?:receber|ser contatad[oa]|ser incomodad[oa]|querer receber))(?: \S+){0,2}? ?(?:mais|nada|e-?mails?|mensage|contato|propaganda|isso|esse|essas)/
  ),
  plain(
    /\b(?:me|nos) (?:remov|retir|tir|exclu|delet|apag|esquec|bloque|bloquei)(?:a|am|e|em|er|ar|ir|ir|ui|uam|ua|ue|uem)\b(?! (?:uma|um|essa|esta|a|as|o|os|da agenda|da duvida) (?!lista|mailing|base))|\b(?:remov|retir|tir|exclu|apag)(?:a|am|e|em|er|ar|ua|uam)-(?:me|nos)\b/
  ),
  plain(
    /\b(?:denunci|report|marc|bloque)\w{1,5} (?:\S+ ){0,4}?(?:spam|procon|anatel|anpd|este numero|esse numero|seu numero)\b|\b(?:isso|isto|esse e-?mail|esta mensagem|voces) (?:e|sao|ja e|virou) (?:puro |um )?spam\w{0,3}\b/
  ),
  plain(
    /\b(?:remov|retir|tir|exclu|delet|apag)\w{0,6} (?:o |a |os |as )?(?:meus?|minhas?|nossos?|nossas?|este|esse|esta|essa) (?:\S+ )?(?:e-?mails?|zap|whats\w{0,3}|celular|telefone|fone|numero|contatos?|nome|dados|cadastro|endereco)\b/
  ),
  plain(
    /\b(?:nao|nunca|sem) (?:tem|tinham|tinha|ha|houve|dei|demos|existe|possuem|te dei|lhes dei|autoriz\w{1,4}|me (?:inscrevi|cadastrei)|solicitei|solicitamos|pedi|pedimos|assinei)(?: \S+){0,2}? ?(?:autorizacao|permissao|consentimento|cadastr\w*|para (?:receber|me|nos)|esses?|essas?|estes?|estas?|contatos?|e-?mails?|mensage\w{1,3}|nesta lista|nessa lista|isso)\b/
  ),
  plain(/\b(?:ser|seja|sejamos) (?:removid|retirad|excluid|descadastrad|tirad)[oa]s?\b/),
  plain(
    /\b(?:nao|para de|parem de|pare de) insist\w{1,4}\b|\bnao (?:me )?(?:incomod|perturb|import[uo]n|aborrec)\w{1,4}\b/
  ),
  plain(/\bquem (?:\S+ )?autoriz\w{1,4}\b|\bquien (?:\S+ )?autoriz\w{1,4}\b|\bwho gave you (?:permission|my)\b/),
  plain(
    /\b(?:suspend|interromp|encerr|paralis|cess)\w{1,4} (?:\S+ )?(?:os? |as? |qualquer |todos os |todas as )?(?:envios?|contatos?|mensage\w{1,3}|e-?mails?|comunicac\w{1,4}|disparos?)\b/
  ),
  plain(
    /\b(?:vai|vao|va|vaza|vaz[ae]) (?:encher|se ferrar|se foder|tomar no|pro inferno|a merda|pra puta|chatear outro|procurar o que fazer)|\bfilh[oa]s? da puta\b|\bsuma daqui\b|\bnao enche\b/
  ),
  loose(/\bdescadastr\w{0,8}|\bdesinscrev\w{0,8}|\bopt[- ]?out\b/),
  loose(/\b(?:remov|retir|tir|exclu|apag)\w{0,6} (?:\S+ ){0,3}?(?:da|de|do) (?:listas?|mailing|base)\b/),
  loose(/\bcancel\w{1,4} (?:a )?(?:inscricao|assinatura de e-?mails?)\b/),
  // English
  plain(
    /\b(?:remov|delet|tak|eras|drop|scrub)\w{0,4} (?:me|us|my (?:\S+ ){0,2}?(?:e-?mail|address|details|contact|data|name|number|info\w{0,8})|our (?:\S+ ){0,2}?(?:e-?mail|address|details|contact|data|name|number|company)|this (?:e-?mail|address|number))\b/
  ),
  plain(/\bunsubscribe (?:me|us|my e-?mail|my address|this (?:e-?mail|address)|from (?:this|these|your|all|the))\b/),
  plain(
    /\b(?:want|like|wish|asked|asking|ask|please|need|trying|tried|how (?:do|can) (?:i|we))(?: (?:to|be|for|you|it))* (?:to )?(?:unsubscribed?|opt(?:ed)? out)(?:[.!?,]|$| from (?:this|these|your|all)| please| now| immediately)/
  ),
  plain(/\bopt (?:me|us) out\b|\bi(?:'d| would)? (?:\S+ )?(?:want |like |wish )?(?:to )?opt out\b/),
  plain(
    /\b(?:stop|quit|cease|no more|enough with the|end) (?:\w+ing me|\w+ing us|e-?mailing|contacting|messaging|mailing|calling|texting|spamming|reaching out|following up|pinging|chasing|writing|bothering|harassing|soliciting|sending (?:me|us|these|this|those|e-?mails?|messages?|spam|stuff|more|your)|(?:these |this |your |with (?:the|these|your) )(?:\w+ )?(?:e-?mails?|messages?|calls?|spam|texts?|mails?)\b)/
  ),
  loose(/\b(?:stop|quit|cease) (?:the |all )?(?:e-?mails?|messages?|calls?|spam|texts?|mails?)\b/),
  plain(
    /\b(?:do not|don't|dont|never|please not) (?:ever |you ever )?(?:e-?mail|contact|message|call|text|write|spam|bother|reach out|send|solicit|follow up|mail|disturb|harass)(?:(?: to)? (?:me|us|this (?:e-?mail|address|number)|my \w+)(?! (?:before|until|after|on|at|about|in (?:the )?(?:morning|afternoon|evening)|when|if|during|by|the|a|an) )| (?:any ?more|again|further|in (?:the )?future|e-?mails?|messages?|spam)|[.!]|$)/
  ),
  plain(
    /\b(?:do not|don't|dont|no longer|would not|wouldn't|not) (?:want|wish|like|care|need|consent|agree)(?: \w+){0,2}? (?:(?:to )?(?:be )?(?:receiv\w{1,3}|contacted|getting|get|e-?mailed|called|added)(?: (?:any|any ?more|more|further|these|this|those|your|such|e-?mails?|messages?|calls?|anything|again|by|from|on|to)\b|[.!,]|$)|to hear (?:\w+ )?from|(?:any |more |further |your |these |of )+(?:\w+ )?(?:e-?mails?|messages?|contact|calls?))|\bwant (?:off|out of) (?:this|your|the|these)\b/
  ),
  plain(/\b(?:refrain|desist|abstain) from (?:\w+ ){0,2}?(?:contact|e-?mail|messag|send|writ|call)\w*/),
  plain(
    /\b(?:be )?(?:excluded|removed|exempted|dropped|deleted|omitted) from (?:\w+ ){0,3}?(?:correspondence|communications?|e-?mails?|messages?|contact|outreach|lists?|mailings?|database)/
  ),
  plain(
    /\b(?:never|did not|didn't|don't remember|do not recall|not) (?:ever )?(?:ask(?:ed)?|sign(?:ed)?(?: up)?|signing up|subscrib\w{1,3}|opt(?:ed)? in|consent(?:ed)?|give|gave|given|request(?:ed)?|agree[d]?)(?: \w+){0,3}? (?:for|to|this|these|your|consent|permission|list|up)\b/
  ),
  plain(/\b(?:spamming|harassing|pestering) (?:me|us)\b|\bcut it out\b|\b(?:take|get) me off\b/),
  plain(
    /\b(?:i'll|i will|i'm going to|we will|going to|vou|irei|iremos|vamos|voy a|vamos a|serei obrigad[oa] a|ser[ae]) (?:ter que |ter de |te |lo |los |you |your \w+ )?(?:bloque\w{1,3}|bloq\w{1,4}|denunci\w{1,3}|block\w{0,3}|report\w{0,3}|process\w{2})\b/
  ),
  plain(
    /\bleave (?:me|us) alone\b|\blose my (?:number|e-?mail|address)\b|\bcease and desist\b|\bdo not contact list\b/
  ),
  plain(
    /\b(?:be |get |been )(?:removed|taken off|taken out|deleted|unsubscribed|dropped)(?: (?:from|off))?(?: of)?(?: (?:your|this|the|these|all|any|future))? (?:\S+ ){0,2}?(?:lists?|mailings?|database|distribution|e-?mails?|crm|records|outreach|sequence)\b/
  ),
  plain(
    /\b(?:no|cease|stop|end|without|sem|zero) (?:more|mais|further|any|all|any further|all further|sending any)(?: \S+){0,2}? ?(?:e-?mails?|messages?|contact|communications?|calls?|correspondence|outreach|mails?|texts?|mensage\w{1,3}|contatos?|ligac\w{1,4})\b|\b(?:this|it) is harass\w+|\bharassment\b/
  ),
  plain(
    /\b(?:prefer|rather|would like|want|wish) not (?:to )?(?:be |get |receive )(?:contacted|receiv\w{1,4}|e-?mailed|e-?mails?|messages?|any|these|your|called|further|more)/
  ),
  plain(
    /\b(?:report\w{0,3}|mark\w{0,3}|flag\w{0,3}) (?:\S+ ){0,3}?(?:as )?spam\b|\b(?:this|it|these|that) (?:is|are|looks like) (?:just |pure )?spam\b|\bblock(?:ing|ed)? (?:you|your|this (?:sender|address|number))\b/
  ),
  plain(
    /\b(?:go away|get lost|fuck off|piss off|bugger off|screw (?:you|off)|buzz off|forget (?:about )?me|right to be forgotten|right to erasure)\b/
  ),
  plain(
    /\b(?:gdpr|ccpa|lgpd|rgpd|can-spam)\b.{0,80}\b(?:erase|delete|remove|excluir|exclusao|excluam|eliminar|eliminacao|apagar|violation|complaint|denuncia|supresion)\b|\b(?:erase|delete|remove|excluir|exclusao|eliminar|supresion)\b.{0,80}\b(?:gdpr|ccpa|lgpd|rgpd)\b/
  ),
  plain(
    /\b(?:where(?:'s| is)|no|can't find|cannot find|missing|there is no|there's no) (?:the |an |your |any )?(?:unsubscribe|opt[- ]out)\b/
  ),
  plain(
    /\b(?:take|get|remove|pull|strike) (?:\S+ ){0,4}?off (?:of )?(?:your|this|the|that|all) (?:\S+ ){0,2}?(?:lists?|mailing|database|distribution)\b/
  ),
  plain(
    /\bremov\w{0,3} (?:\S+ ){0,3}?from (?:your|this|these|any|all) (?:\S+ ){0,3}?(?:lists?|mailings?|database|distribution|e-?mails?|crm|records)\b/
  ),
  loose(/\bunsubscribe\b|\bunsubscribing\b/),
  loose(/\bremov\w{0,3} (?:\S+ ){0,3}?from (?:the |a )?(?:\S+ )?(?:lists?|mailings?)\b/),
  // Said on the telephone too: not to do it again.
  plain(
    /\bnao (?:voltem?|tornem?) a (?:me |nos )?(?:lig|cham|escrev|mand|envi|contat|procur|incomod)\w{1,6}|\bnao quero (?:mais )?que (?:voces |vcs )?(?:me|nos) (?:liguem?|chamem?|escrevam?|procurem?|contatem?)\b(?! (?:antes|depois|agora|hoje|amanha|na|no|as|a tarde|de manha))/
  ),
  // Spanish
  plain(/\bno (?:me |nos )?vuelv[ae]n? a (?:llamar|escribir|contactar|enviar|mandar|molestar|buscar)(?:me|nos)?\b/),
  plain(
    /\b(?:dar(?:me|nos)|d[ae]n?me|d[ae]n?nos|de me|den me|(?:me|nos) (?:den|de|da|das|dan|dieran|diera|dan|(?:puede|pueden|puedes|podria|podrian) dar)) (?:\S+ )?de baja\b|\bdarme la baja\b|\b(?:dar|den|de|da) de baja (?:a )?(?:mi|este|nuestro) (?:correo|e-?mail|numero|contacto|direccion|suscripcion)/
  ),
  plain(
    /\b(?:solicito|pido|quiero|deseo|exijo|tramit\w+) (?:\S+ ){0,2}?(?:baja|mi baja|la baja)\b(?! d(?!e (?:mi|este|esta|su)))/
  ),
  plain(
    /\b(?:ya )?no (?:quiero|queremos|deseo|deseamos|quisiera|me interesa|nos interesa|autorizo) (?:seguir )?(?:recib\w{0,6}|mas (?:correos?|mensajes?|e-?mails?|informacion|llamadas?|publicidad)|que me (?:escrib|contact|llam|envi|mand)\w{0,5}|ser contact\w{1,4}|sus? (?:correos?|mensajes?|e-?mails?)|(?:estos|este tipo de) (?:correos?|mensajes?|e-?mails?))/
  ),
  plain(
    /\b(?:deje|deja|dejen|dejad|pare|paren|cesen|basta|dejar)(?: ya)? (?:de )(?:me |nos )?(?:envi|mand|escrib|contact|llam|molest|insist|spam|correos?|mensajes?|recib)\w{0,10}/
  ),
  plain(
    /\bno (?:me|nos) (?:vuelvan? a |sigan? )?(?!\w{1,12}(?:aron|asteis|ron)\b)(?:escrib|envi|mand|contact|llam|molest|busqu)\w{0,8}(?: \S+){0,3}? ?(?:mas|nada|nunca|nuevamente|otra vez|de nuevo|por favor|$)/
  ),
  plain(
    /\bno (?:envie|envien|mande|manden|escriba|escriban|contacten?|insistan?|llamen?|molesten?) (?:mas|nada mas|nunca mas)\b|\bno (?:me|nos) molest\w{1,3}\b|\bno volver a (?:contactar|escribir|llamar)/
  ),
  plain(
    /\b(?:saqu|quit|borr|elimin|remuev|retir|sac)\w{0,5}(?:me|nos)(?: \S+){0,3}? (?:lista|listas|base|bases|correos?|mailing|registros?|contactos?)\b|\b(?:saqu|quit|borr|elimin)e?n?(?:me|nos)\b(?: por favor|[.!,]|$)/
  ),
  plain(
    /\b(?:saqu|quit|borr|elimin|remov|remuev|retir)\w{0,5} (?:\S+ ){0,2}?(?:mi|mis|nuestro|nuestra|este) (?:\S+ )?(?:correos?|e-?mails?|datos|contactos?|numero|nombre|direccion|telefono)\b/
  ),
  plain(
    /\b(?:desuscri\w{1,8}|desapunt\w{1,8})(?:me|nos)\b|\bcancelar (?:mi|la|nuestra) suscripcion\b|\bdesuscri\w{1,8}(?:[.!]|$| por favor)/
  ),
  plain(
    /\b(?:saqu|quit|borr|elimin|remov|salir)\w{0,5} (?:\S+ ){0,3}?(?:de su|de sus|de esta|de tu|de vuestra) (?:lista|listas|base|mailing)\b/
  ),
  plain(/\bdejen?me en paz\b/),
  plain(
    /\b(?:no|basta de|ni un|cero) mas (?:correos?|mensajes?|e-?mails?|llamadas?|publicidad|spam)\b|\bbasta (?:de|con) (?:\S+ )?(?:correos?|mensajes?|e-?mails?|llamadas?|spam|publicidad)/
  ),
  plain(
    /\b(?:suspend|deten|interrump|ces|cancel)\w{1,5} (?:\S+ ){0,2}?(?:envios?|correos?|mensajes?|comunicaciones?|contacto|llamadas?)\b/
  ),
  plain(
    /\b(?:prefiero|preferiria|preferimos|quisiera|quiero|solicito|pido) no (?:recibir|ser contactad|que me (?:contact|escrib|llam|envi|mand))/
  ),
  plain(
    /\b(?:denunci|report|marc|bloque)\w{1,5} (?:\S+ ){0,4}?spam\b|\bno (?:me |nos |le )?(?:molest|insist|fastidi)\w{1,4}\b|\bno (?:les |le |te )?(?:tienen?|tengo|di|dimos|he dado|hemos dado|doy)(?: \S+){0,2}? (?:autorizacion|permiso|consentimiento)\b|\b(?:nunca|no) (?:me |nos )?(?:suscrib\w{1,5}|pedi|pedimos|solicit\w{1,5})\b(?: \S+){0,2}? (?:estos?|esta|correos?|mensajes?|recibir|a (?:esta|su|ninguna))\b|\bno autoriz\w{1,4}\b|\besto es (?:puro )?spam\b|\bno autoric\w{1,3}\b|\bvayanse (?:a la|al)|\bno joda\w{0,2}\b/
  ),
  loose(/\bdesuscri\w{1,8}|\bdesapunt\w{1,8}/),
  loose(/\bdar(?:se)? de baja\b|\bse da(?:n)? de baja\b/)
]

/** What the wishes are found by, dear to use for the first time. */
export const wishPatterns: ReadonlyArray<RegExp> = wishes.map(({ pattern }) => pattern)

/** The whole reply is one word or two that list software has always taken for the wish. */
const commands =
  /^(?:por favor |favor |pls |please |porfa |quero |quiero )?(?:remov(?:er|a|am|e)|remocao|sair|pare|parem|parar|stop(?: all)?|stop please|cancelar?|cancela|descadastr(?:ar|e|em|o)|excluir|exclua|retirar|retire|tirar|unsubscribe|unsub|remove|opt[- ]?out|end|quit|baja|salir|eliminar|borrar|desuscribir(?:se|me)?|spam|nao envie(?:m)?|nao mande(?:m)?|no enviar|no molestar|para|chega|basta|arret|sai)(?: por favor| pfv| please| pls| porfa| gracias| obrigad[oa]| thanks| me| ja| now| agora)?[\s.!]{0,5}$/

// A whole last sentence of these words means the list, whatever came before it.
const lastCommand =
  /^(?:(?:please|por favor|pls|just|and|e|entao|not interested)[,.]? ){0,2}(?:(?:stop|end|quit)(?: it| this| that| now)?|unsubscribe|remove|remover|remov[ae]m?|descadastr(?:ar|em?)|apaguem?|apagar|exclu(?:a|am|ir)|delet(?:e|em|ar)|retir(?:e|em|ar)|tir(?:e|em)|elimin(?:en?|ar)|borr(?:en?|ar)|baja|parem?|opt[- ]?out|no more|chega|basta)(?: please| por favor| now| ja)?[\s.!]{0,5}$/

// Whoever says these right before a wish does not have it.
const takenBack =
  /(?:\b(?:nao|nunca|jamais|sem|do not|don't|dont|did not|didn't|never|no|not|won't|without|sin|nem|ni)\b(?: (?:quero|queremos|quer|quiero|queremos|quieren|desejo|deseo|pretendo|preciso|precisa|necesito|vou|vamos|va|voy|e para|gostaria de|want|need|have|wish|you|to|please|por favor|ever|mesmo|going|mais|me|nos|que|pedi|pedimos|pedi para|asked|ask|asking|estou pedindo|requested)){0,4} ?)$/
const reported =
  /\b(?:did you|why did you|have you|you've|you have|they|he|she|it|voces|eles|ellos|ustedes)(?: (?:have|had|already|ja|ya))? $/
const ofTheSender = /^(?:stop|quit|cease|remov|unsubscrib|delet|tak|tir|exclu|apag)/
const pastTense =
  /^(?:(?:me|nos) )?(?:parei|paramos|pararam|deixei|deixamos|deixaram|stopped|dejamos|dejaron|removeram|removeu|removi|removimos|removed|cancelei|cancelou|cancelamos|cancelled|canceled|deleted|taken|took|unsubscribed|excluimos|excluiu|tiramos|tirou|tiraram|retiramos|retirou|apagou|deletou|eliminaron|sacaron|borraron)\b/
// Who wants to stop sending something speaks of what he does himself; who wants to stop receiving does not.
const ownActivity =
  /\b(?:quero|queremos|queria|quiero|quisiera|quisieramos|preciso|precisamos|necesito|necesitamos|gostaria de|gostariamos de|want to|need to|like to|wants to|trying to|vamos|how can we|how do we|how to|como|help us|para|pra|to|decidimos|conseguimos|ajudam? a|ayudan? a) $/
const ownSending =
  /^(?:parar|deixar|dejar|stop|quit|cease|end) (?!.*\b(?:me|us|nos|receb|receiv|recib|these|this|those|your|esses|essas|estos|hearing|getting))/

/** Others whom a list may be about: the reply speaks of its own trade. */
const thirdParties =
  /\b(?:users?|customers?|clients?|people|persons?|contacts|leads?|subscribers?|recipients?|prospects?|members?|duplicat\w{1,4}|duplicad\w{1,2}|usuari[oa]s?|clientes?|pessoas|personas|contatos|contactos|suscriptores|assinantes|destinatari[oa]s|alguem|alguien|someone|somebody|inativos|inactiv[eo]s|employees|funcionarios|empleados|pacientes|patients|alunos|students)\b/
const trade =
  /\b(?:rates?|pages?|flow|features?|compliance|process|process[eo]|fluxo|taxas?|tasa|funcionalidades?|recurso|ferramentas?|herramientas?|tools?|software|sistema|system|plataformas?|platforms?|your product|produto|producto|solucao|solucion|one-?click|gdpr|lgpd funciona|servico atual|servicio actual|proveedor|fornecedor|contrato|contract|plano|plan|click here|clique aqui|haz clic|haga clic)\b/
const firstPerson = /\b(?:me|my|i|i'm|us|our|eu|meus?|minhas?|nos|mi|mis|yo|nuestr[oa]s?)\b/
const addressedToSender = /\b(?:sua|suas|vossa|dessa|desta|desse|deste|your|this|these|su|sus|esta|tu|vuestra) \w{0,12}/

/** A link that an automatic footer has: an invitation to its readers, not the wish of its writer. */
const footer =
  /\b(?:to unsubscribe|unsubscribe here|click here|clique aqui|haz clic|haga clic|para (?:se )?descadastrar|caso nao (?:queira|deseje)|se (?:voce )?nao (?:quer|deseja|quiser|desejar)|if you (?:no longer|do not|don't|wish|want|would)|si (?:ya )?no (?:desea|quiere)s?|para (?:darse|cancelar|dejar) )/

const clauseBefore = (text: string, index: number): string => {
  const before = text.slice(Math.max(0, index - 80), index)
  return before.slice(Math.max(before.lastIndexOf(","), before.lastIndexOf(":"), before.lastIndexOf("(")) + 1)
}

const isMeant = (strength: Strength, match: RegExpExecArray, sentence: Sentence): boolean => {
  const before = clauseBefore(sentence.text, match.index)
  const after = sentence.text.slice(match.index + match[0].length)
  if (takenBack.test(before) || pastTense.test(match[0])) return false
  if (reported.test(before) && ofTheSender.test(match[0])) return false
  if (ownActivity.test(before) && ownSending.test(match[0])) return false
  // A plain wish in a question can still be about others: "can it stop sending customers e-mails?"
  if (strength === "plain") return !(sentence.isQuestion && thirdParties.test(match[0] + after.slice(0, 40)))
  if (thirdParties.test(sentence.text) || trade.test(sentence.text)) return false
  return !sentence.isQuestion || firstPerson.test(sentence.text) || addressedToSender.test(sentence.text)
}

const holds = ({ pattern, strength }: Wish, sentence: Sentence): boolean =>
  !footer.test(sentence.text) &&
  [...sentence.text.matchAll(pattern)].some((match) => isMeant(strength, match, sentence))

const longestRead = 4000

/** Beginning and end, which is where a wish stands in a long text. */
const readable = (text: string): string => {
  const folded = clip(
    fold(text.length <= longestRead ? text : `${clip(text, longestRead - 1000)}\n${text.slice(-1000)}`),
    longestRead
  )
  return folded.trim()
}

/**
 * Whether a reply asks to be left alone, in Portuguese, English or Spanish. `reply` is what its writer wrote, without
 * the repeated earlier mail. Where in doubt the answer is yes: a wish that is missed does harm, one too many does little.
 */
export const isUnsubscribeWish = (reply: string): boolean => {
  const folded = readable(reply)
  if (commands.test(folded)) return true
  const sentences = sentencesOf(folded)
  if (lastCommand.test(sentences.at(-1)?.text ?? "")) return true
  return sentences.some((sentence) => wishes.some((wish) => holds(wish, sentence)))
}

/** The same for a signature block, in which only a wish that names its writer counts. */
export const isPlainUnsubscribeWish = (text: string): boolean =>
  sentencesOf(readable(text)).some((sentence) =>
    wishes.some((wish) => wish.strength === "plain" && holds(wish, sentence))
  )
