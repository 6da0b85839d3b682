/**
 * The words by which each kind of change is asked for, folded. They name the change, not what it is made to: a reader that
 * finds its change in a wish has understood these words of it, and no others.
 */
const word = (list: string): string => list.trim().split(/\s+/).join("|")

const changing = word(
  "mud\\p{L}* troqu\\p{L}* troc\\p{L}* alter\\p{L}* substitu\\p{L}* chang\\p{L}* replac\\p{L}* cambi\\p{L}* reempla\\p{L}* reescrev\\p{L}* rewrite set use usar? coloqu\\p{L}* coloca escrev\\p{L}* write ponga ponha pon poner? poe bota make deix\\p{L}* deja corrij\\p{L}* corrig\\p{L}* fix torn\\p{L}* haz haga faca update atualiz\\p{L}* actualiz\\p{L}* passa pasa novo nova new nuevo nueva esta"
)
const adding = word(
  "poe bota botem pone poner sumar? suma quer[oe] quiero want need precis\\p{L}* this esta este adicion\\p{L}* inclu\\p{L}* acrescent\\p{L}* coloqu\\p{L}* coloca cri[ae]r? add include insert create put agreg\\p{L}* anad\\p{L}* incorpor\\p{L}* ponha ponga pon crear crea mostr\\p{L}* show mais more mas outr[oa] another otr[oa] nov[oa] new nuev[oa]"
)
const placing = word("pagina page secao section seccion bloco block bloque lista list inicial home tabela tabla menu")
const form = word("campos? fields? formulario formularios form forms")

const pattern = (...parts: ReadonlyArray<string>): RegExp =>
  new RegExp(`(?<!\\p{L})(?:${parts.join("|")})(?!\\p{L})`, "u")

export const vocabulary = {
  variant: pattern(
    adding,
    word(
      "variantes? variant variacao variacion versao version alternativ[oa] alternative teste test a/b ab b titulo title"
    )
  ),
  picture: pattern(changing, word("imagem imagens foto picture image imagen ilustracao illustration")),
  adding: pattern(
    adding,
    placing,
    form,
    word(
      "item itens items produto prato opcao product dish option producto plato opcion servicos? services? servicios? pergunta question pregunta faq resposta answer respuesta r called chamad[oa] llamad[oa] sobre about pedido"
    )
  )
} as const
