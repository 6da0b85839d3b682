/**
 * The words by which each kind of change is asked for, folded. They name the change, not what it is made to: a reader that
 * finds its change in a wish has understood these words of it, and no others.
 */
const word = (list: string): string => list.trim().split(/\s+/).join("|")

const changing = word(
  "mud\\p{L}* troqu\\p{L}* troc\\p{L}* alter\\p{L}* substitu\\p{L}* chang\\p{L}* replac\\p{L}* cambi\\p{L}* reempla\\p{L}* reescrev\\p{L}* rewrite set use usar? coloqu\\p{L}* coloca escrev\\p{L}* write ponga ponha pon poner? poe bota make deix\\p{L}* deja corrij\\p{L}* corrig\\p{L}* fix torn\\p{L}* haz haga faca update atualiz\\p{L}* actualiz\\p{L}* passa pasa novo nova new nuevo nueva esta"
)
const adding = word(
  "adicion\\p{L}* inclu\\p{L}* acrescent\\p{L}* coloqu\\p{L}* coloca cri[ae]r? add include insert create put agreg\\p{L}* anad\\p{L}* incorpor\\p{L}* ponha ponga pon crear crea mostr\\p{L}* show mais more mas outr[oa] another otr[oa] nov[oa] new nuev[oa]"
)
const removing = word(
  "remov\\p{L}* tir[ae]r? apag\\p{L}* exclu\\p{L}* retir\\p{L}* delet\\p{L}* take out drop rid get quit[ae]r? quite elimin\\p{L}* borr\\p{L}* hide escond\\p{L}*"
)
const placing = word("pagina page secao section seccion bloco block bloque lista list inicial home tabela tabla menu")
const whole = word("tod[oa] whole inteir[oa] entire enter[oa] complet[oa] all")
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
  replacing: pattern(changing, placing, word("onde where donde le leia says diz dice it")),
  field: pattern(adding, form, word("obrigatori[oa] required obligatori[oa] opcional optional chamado called llamado")),
  required: pattern(
    changing,
    form,
    word("obrigatori[oa] required mandatory obligatori[oa] opcional optional longer nao not it ser")
  ),
  removal: pattern(
    removing,
    placing,
    whole,
    form,
    word("telefone phone whatsapp celular telefono e-?mail correo endereco address direccion horarios? hours")
  ),
  moving: pattern(
    placing,
    word(
      "mov\\p{L}* move muev\\p{L}* suba subir desca descer up down antes depois despues before after topo fim final inicio top end bottom principio mueva put coloqu\\p{L}*"
    )
  ),
  price: pattern(
    changing,
    word(
      "agora now ahora custa custam costs? cuestan? passam? pasan? sai fica sale preco price precio valor plano plan"
    )
  ),
  contact: pattern(
    changing,
    adding,
    word(
      "telefone phone number numero whatsapp zap celular telefono e-?mail correo endereco address direccion localizacao location ubicacion mudamos moved horarios? hours funcionamento abert[oa] abrimos abre open abierto abrimos link enlace instagram facebook linkedin youtube tiktok perfil profile estamos"
    )
  ),
  renaming: pattern(
    changing,
    word(
      "renome\\p{L}* renam\\p{L}* renombr\\p{L}* nome name nombre se chama chamamos called llama llamamos empresa negocio business company marca brand loja tienda shop store fantasia"
    )
  ),
  picture: pattern(changing, word("imagem imagens foto picture image imagen ilustracao illustration")),
  text: pattern(
    changing,
    placing,
    word(
      "titulo title heading headline manchete encabezado titular chamada principal subtitulo subtitle texto text paragrafo paragraph parrafo descricao description frase copy botao button boton cta abertura opening hero"
    )
  ),
  look: pattern(
    changing,
    word(
      "cor cores colou?rs? color colores tons? tones? tonos? palette paleta layout diagramacao disposicao maquetacion estilo visual look style design diseno cara aparencia fontes? tipografias? fonts? typefaces? typography tipo letra fundo background fondo tema theme modo mode it outr[oa]s? another other different diferentes? otr[oa]s? prefiro prefer mais more mas tudo everything todo bem very muy"
    )
  ),
  adding: pattern(
    adding,
    placing,
    form,
    word(
      "item itens items produto prato opcao product dish option producto plato opcion servicos? services? servicios? pergunta question pregunta faq resposta answer respuesta r called chamad[oa] llamad[oa] sobre about pedido"
    )
  )
} as const
