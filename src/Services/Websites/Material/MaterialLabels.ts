import { fold } from "../../Text/PlainText.ts"

export type LabelKind =
  | "offers"
  | "benefits"
  | "prices"
  | "clients"
  | "quotes"
  | "people"
  | "steps"
  | "figures"
  | "contact"
  | "slogan"
  | "name"
  | "about"
  | "questions"
  | "hidden"

// The kinds of labels with their patterns. The first match counts.
const labels: ReadonlyArray<readonly [LabelKind, RegExp]> = [
  [
    "hidden",
    /^(?:campos|fields?|form fields|formulario|form|cores?|colou?rs?|colores|estilo|style|design|diseno|layout|tom|tone|tono|publico|audience|target|alvo|objetivo|goal|paginas?|pages?|sec(?:oes|tions|ciones)|idioma|language|fonte|fonts?|tipografia|inspira\w*|referencias?|references?|observac\w*|notes?|importante|palavras-chave|keywords|seo|cta|botao|button|boton|menu do site|campanha|campaign|campana)\b/
  ],
  [
    "slogan",
    /^(?:slogan|tagline|lema|frase de efeito|motto|headline|titulo|title|chamada|oferta|offer|isca digital|isca|lead magnet)\b/
  ],
  ["name", /^(?:nome|name|nombre|empresa|company|business|marca|brand)(?: (?:da|do|of|de|fantasia).{0,20})?$/],
  [
    "prices",
    /^(?:precos?|tabela de precos|valores|prices?|pricing|precios?|planos?|plans?|planes|cardapio|menu|carta|tarifas?|rates|investimento|pacotes|precos?.{0,16}|precios.{0,16}|packages|paquetes|assinaturas?|tickets?|ingressos?|entradas?)\b/
  ],
  [
    "benefits",
    /^(?:vantagens|diferenciais|diferencial|beneficios|benefits|advantages|ventajas|why|por que|por qu|o que voce (?:ganha|recebe)|what you get|lo que recibe)/
  ],
  [
    "steps",
    /^(?:como funciona|how it works|passo a passo|passos|steps|pasos|etapas|processo|process|proceso|metodo|method|programacao|agenda|schedule|programme|programa|program)\b/
  ],
  [
    "clients",
    /^(?:(?:nossos |alguns |our |nuestros )?(?:clientes?|clients?|customers?)|parceiros|partners|socios|trusted by|patrocinadores|sponsors|convenios|quem confia)\b/
  ],
  [
    "quotes",
    /^(?:depoimentos?.{0,16}|opiniones?.{0,20}|opinioes.{0,16}|testimonials?|testimonios?|avaliacoes|reviews?|kind words|resenas|o que dizem|what .{0,20} say)\b/
  ],
  [
    "people",
    /^(?:equipe|time|team|equipo|nosso time|our team|profissionais|professionals|profesionales|corpo clinico|who|profs|profes|instructors|guias|quienes somos aqui|responsavel tecnic[oa]|medicos|doctors|socios|founders|fundadores|palestrantes|speakers|ponentes|professores|teachers|profesores|instrutores|advogados|lawyers|abogados)\b/
  ],
  [
    "questions",
    /^(?:(?:include|add|with|com|con|inclu[iay]\w{0,4}|p[oô](?:e|n)) )?(?:an? |um |una? |unas |umas )?(?:(?:perguntas?|preguntas?|questions?|duvidas?|dudas?)\b.{0,32}|faqs?|frequently asked.{0,12}|q ?& ?a)$/
  ],
  ["figures", /^(?:numeros|em numeros|numbers|figures|cifras|resultados|results)\b/],
  [
    "contact",
    /^(?:contatos?|contacts?|contactos?|telefones?|tel|phone|telefono|whatsapp|celular|mobile|e-?mail|correo|endereco|address|direccion|local|localizacao|location|onde estamos|ubicacion|horarios?.{0,24}|timetable|opening hours|office hours|hours|open|aberto|abierto|site|website|instagram|facebook|linkedin|redes sociais|social media|redes|funcionamento|atendimento)$/
  ],
  [
    "offers",
    /^(?:(?:nossos |nossas |our |nuestros |nuestras |principais |main )?(?:servicos?|services?|servicios?|produtos?|products?|productos?|especialidades|specialties|especialidad|solucoes|solutions|soluciones|tratamentos|treatments|tratamientos|cursos|courses|clases|classes|aulas|areas de (?:atuacao|practica)|practice areas|projetos|projects|proyectos|trabalhos|trabajos|programas|programs|atividades|activities|actividades|modalidades|colecoes|collections|colecciones|recursos|features|funcionalidades|funciones|oferecemos|we offer|ofrecemos|o que fazemos|o que oferecemos|what we do|what we offer|que hacemos|que ofrecemos|fazemos|trabalhamos com|acomodacoes|quartos|rooms|habitaciones|amenities|comodidades|exames|sabores|flavou?rs))\b/
  ],
  [
    "about",
    /^(?:sobre|about|quem somos|quienes somos|historia|our story|history|nossa historia|missao|mission|mision|descricao|description|descripcion|bio|valores)\b/
  ]
]

export const kindOf = (label: string): LabelKind | undefined => {
  const folded = fold(label)
  return labels.find(([, words]) => words.test(folded))?.[0]
}

// The owner speaks to who makes the site.
const asks =
  /^(?:por favor,? |please,? |favor )?(?:(?:people|customers|clients|guests|they|everyone|patients|users) (?:should|can|need|must)|i want (?:them|people)|something|algo|alguma coisa|as pessoas (?:devem|possam|podem|precisam)|(?:os |as )?clientes (?:devem|possam|podem)|la gente (?:debe|pueda|puede)|los clientes (?:deben|puedan|pueden)|crie|criar|cria|faca|fazer|faz|monte|montar|desenvolva|desenvolver|gere|gerar|preciso|precisamos|quero|queremos|gostaria|gostariamos|inclua|incluir|inclui|coloque|colocar|mostre|mostrar|use|usar|utilize|adicione|adicionar|destaque|destacar|deve|devem|deixe|evite|nao (?:use|inclua|coloque|mostre)|create|build|make|design|develop|generate|write|i want|i'd like|i would like|i need|we want|we need|we'd like|we would like|need|include|add|show|highlight|display|feature|avoid|don't|do not|keep it|it should|it must|should|must|the (?:site|page|website|landing|design|form|layout|tone|style|home|header|footer|visitor|goal|audience)|visitors (?:should|must)|crea|crear|cree|haz|hacer|haga|disena|disenar|disene|necesito|necesitamos|quiero|quisiera|incluya|incluir|incluye|agrega|agregue|muestra|muestre|usa|utiliza|debe|deben|destaca|evita|o (?:site|formulario|layout|design|objetivo|publico|tom|visual)|a (?:pagina|landing|home|identidade)|el (?:sitio|formulario|diseno|objetivo|publico|tono)|la (?:pagina|landing)|site|website|sitio|pagina|landing|web|portfolio|portafolio|blog|loja virtual|online shop|tienda online|formularios?|form (?:with|fields)|campanha|campaign|campana|cores|colou?rs|colores|tons|ask for|collect|capture|pedir|peca|pida|permitir|permita|allow|let|visitantes?|visitors?|clientes devem|one[- ]page|um site|uma pagina|una pagina|un sitio|a (?:website|site|landing|page|one|capture|lead|squeeze)|(?:uma?|an?|una?) (?:pagina|landing|site|sitio|capture|website)|an? (?:simple|modern|elegant|small|professional|beautiful).{0,20} (?:site|website|page))\b/
export const ofSites =
  /\b(?:website|web ?site|landing page|leads|layout|wireframe|(?:para|for) seo|seo[- ]friendly|otimizad[oa] para busca|call to action|cta|paleta|color scheme|identidade visual|publico-alvo|target audience|formulario de|o site|do site|no site|pelo site|via site|on the site|por el sitio|en el sitio|the site|el sitio|del sitio|nosso site|our site|cores (?:quentes|frias|claras|escuras|sobrias)|tons? de|capturar|gerar leads)\b/

const looks =
  /\b(?:look|looks|mode|style|design|visual|estilo|modo|tema|theme|feel|colou?rs?|cores|colores|tons)\b|^(?:galeria|gallery|fotos|photos|mapa|map|faq|blog)\b/

// How a site is to look, in words that stand for nothing else where a sentence has no other.
const lookWords: ReadonlySet<string> = new Set(
  (
    "preto branco cinza azul verde vermelho amarelo laranja roxo rosa lilas dourado prateado marrom bege creme marinho turquesa vinho grafite " +
    "black white gray grey blue green red yellow orange purple pink gold golden silver brown beige cream navy teal burgundy " +
    "negro blanco gris rojo amarillo naranja morado dorado plateado marron crema salvia sage terracota terracotta pastel neon madeira wood madera " +
    "minimalista minimalistas minimalist minimal clean moderno moderna modern elegante elegantes elegant sobrio sobria sober classico classica classic clasico clasica " +
    "alegre alegres cheerful playful friendly acolhedor acolhedora cozy cosy calm calmo calma tranquilo tranquila quiet respectful plain simple simples sencillo sencilla " +
    "warm quente quentes calido calidos fria frio frias frios cool soft suave suaves delicado delicada claro clara claros claras light escuro escura escuros dark oscuro oscura " +
    "old-fashioned vintage retro rustico rustica rustic luxuoso luxuosa luxury premium sofisticado sofisticada refined bold ousado ousada vibrante vibrantes vibrant colorido colorida colorful colourful " +
    "jovem young solid solida solido fluff frescura tierra terra earth chic clean limpo limpa sujo discreto discreta dramatic divertido divertida fun serio seria serious formal informal profissional professional profesional technical tecnico editorial leve leves"
  ).split(" ")
)
const joints: ReadonlySet<string> = new Set(
  "algo something no sem sin nada nothing any e y and with com con de of in em a o um uma the lots muito muita mucho mucha tons tom tonos tono tones cor cores color colors colour colours colores bem very but mas pero".split(
    " "
  )
)

/** "Quiet, elegant, lots of white": no word of it is for visitors. */
export const isLook = (folded: string): boolean => {
  const words = folded.split(/[\s,;.]+/).filter((word) => word !== "")
  return (
    words.length > 0 &&
    words.length <= 9 &&
    words.every((word) => lookWords.has(word) || joints.has(word)) &&
    words.some((word) => lookWords.has(word))
  )
}

export const isAsk = (text: string): boolean => {
  const folded = fold(text)
  return asks.test(folded) || ofSites.test(folded) || (folded.length < 70 && looks.test(folded)) || isLook(folded)
}

/** "A page for teams: a free guide": the label orders a page, and what is behind it is what the page offers. */
export const isPageLabel = (label: string): boolean =>
  /\b(?:p[áa]gina|page|landing|site|website|sitio)\b/i.test(label) &&
  !/\b(?:form|formul[aá]rio|fields?|campos?|footer|order|orden|ordem)\b/i.test(label)
