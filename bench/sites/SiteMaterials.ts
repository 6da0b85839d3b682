import type { MaterialFact, SiteMaterial } from "../../src/Services/Websites/Writing/SiteWriter.ts"

/** A material that only has this description. */
export const materialOf = (
  description: string,
  language = "pt-br",
  more: Partial<SiteMaterial> = {}
): SiteMaterial => ({
  type: "Website",
  language,
  description,
  guidelines: "",
  businessName: null,
  storesData: false,
  facts: [],
  campaigns: [],
  ...more
})

const pt = (description: string, more: Partial<SiteMaterial> = {}) => materialOf(description, "pt-br", more)
const en = (description: string, more: Partial<SiteMaterial> = {}) => materialOf(description, "en-us", more)
const es = (description: string, more: Partial<SiteMaterial> = {}) => materialOf(description, "es-mx", more)

const capture = { type: "LeadCapturePage" } as const
const stored = { storesData: true } as const
const faq = (question: string, answer: string): MaterialFact => ({ source: "faq", text: `${question}\n${answer}` })
const knowledgeFact = (title: string, text: string): MaterialFact => ({
  source: "knowledge",
  text: `${title}\n${text}`
})

/** The requests of fifty small companies in many trades: long and short, tidy and untidy. */
export const siteMaterials: ReadonlyArray<SiteMaterial> = [
  pt(`Site para a Padaria Aurora, padaria artesanal em Curitiba. Pães de fermentação natural, bolos sob encomenda e café da manhã.
Cardápio:
- Pão de campanha – R$ 22
- Baguete – R$ 12
- Croissant de manteiga – R$ 11
Aberta de terça a domingo, das 7h às 19h. Rua das Flores, 120. WhatsApp (41) 99876-5432. Cores quentes.`),
  en(`Website for Ledgerly, software for small accounting firms. Features:
- Bank import: Statements arrive every morning and match themselves to invoices.
- Client portal: Clients upload receipts from their phone.
- Deadlines: A calendar of all filings, with reminders.
Plans:
- Solo – $19 per month: 1 user, 20 clients
- Firm – $59 per month: 5 users, 150 clients
Over 1,200 firms use Ledgerly. Contact: team@ledgerly.example. "Month end went from nine days to three." - Joan Fisher, partner`),
  es(
    `Sitio para la Clínica Sonrisa, clínica dental en Medellín. Tratamientos: ortodoncia, implantes, blanqueamiento, limpieza. Cada paciente recibe un plan por escrito antes de empezar. Horario: lunes a viernes de 8:00 a 18:00. Teléfono +57 604 444 1212.`,
    stored
  ),
  pt(
    `Página de captura para a Solar Norte, energia solar em Belém. Oferta: diagnóstico gratuito da conta de luz. Benefícios: análise do telhado, simulação da economia, proposta por escrito. Formulário com nome, e-mail, telefone e cidade.`,
    capture
  ),
  en(
    `A site for Harbor & Pine, a two-person furniture workshop in Portland, Maine. We build tables, benches and shelves from local ash and cherry. Every piece is made to order in eight to ten weeks. Visits by appointment. hello@harborpine.example`
  ),
  pt(
    `Escritório de advocacia Moura & Lacerda, Recife. Áreas: direito do trabalho, família e sucessões, contratos empresariais, recuperação de crédito. Atendimento presencial e por vídeo. Tom sóbrio. Telefone (81) 3333-2020. Av. Boa Viagem, 900.`
  ),
  es(`Taquería El Comal, en Guadalajara. Tacos al pastor, de suadero y de hongos, salsas hechas cada día. Menú:
- Orden de pastor – $95
- Gringa – $78
- Agua de jamaica – $28
Abrimos de martes a domingo de 13:00 a 23:00. Calle Morelos 450. Pedidos al 33 1234 5678.`),
  en(
    `Quiet Miles Physiotherapy, Leeds. We treat runners and office workers: back pain, knee pain, sports injuries, post-surgery rehab.
How it works:
1. A first talk of 45 minutes
2. A plan you can keep to
3. Weekly sessions until you are well
First appointment £55, follow-up £40. Phone 0113 496 0000.`,
    stored
  ),
  pt(`Academia Movimento, em Florianópolis. Musculação, funcional, yoga e dança. Planos:
- Livre – R$ 119 por mês: todas as aulas
- Manhã – R$ 79 por mês: das 6h às 11h
- Família – R$ 299 por mês: até quatro pessoas
Aberta de segunda a sábado. Primeira aula sem custo. (48) 3222-1010`),
  en(
    `Landing page for Brightline Roofing, Austin, Texas. Free roof inspection after hail. Licensed and insured, written estimate within 48 hours. Form with name, phone, address and preferred day.`,
    capture
  ),
  es(
    `Despacho contable Números Claros, Ciudad de México. Contabilidad mensual, nómina, declaraciones y asesoría fiscal para pymes. Más de 180 empresas confían en nosotros. Correo hola@numerosclaros.example. Tono cercano.`
  ),
  pt(
    `Studio Nanquim, estúdio de arquitetura e interiores em Belo Horizonte. Projetos residenciais e comerciais, reformas e acompanhamento de obra. Trabalhamos com poucos projetos por vez. Minimalista, preto e branco. contato@nanquim.example`
  ),
  en(
    `The Copper Kettle: a tea room and bakery in York. Afternoon tea, scones, loose-leaf teas from four small estates. Open daily 9 to 5. Book a table by phone: 01904 496 001. Warm and old-fashioned.`
  ),
  pt(
    `Clínica veterinária Bicho Bem, Porto Alegre. Consultas, vacinas, cirurgias, banho e tosa. Plantão aos sábados. Equipe: Dra. Lúcia Brandt, clínica geral; Dr. Caio Menezes, cirurgião. WhatsApp (51) 98888-1212. Verde e azul.`,
    {
      facts: [
        faq("Atendem gatos?", "Sim, em sala separada dos cães."),
        faq("Precisa marcar?", "Consultas sim; urgências não.")
      ]
    }
  ),
  es(
    `Escuela de idiomas Puente, Bogotá. Cursos de inglés, francés y portugués para adultos. Grupos de ocho personas como máximo. Modalidades: presencial, en línea, en empresas. Nivelación gratuita. Teléfono +57 601 555 0101.`
  ),
  en(
    `Northfield Farm Shop sells our own vegetables, eggs and honey, and cheese from three neighbours. Weekly boxes: Small £14, Medium £19, Large £26. Delivered on Thursdays within ten miles of Hereford.`
  ),
  pt(
    `Transportadora Rota Sul. Cargas fracionadas e lotação entre Paraná, Santa Catarina e Rio Grande do Sul. Rastreamento, seguro da carga, coleta em 24 horas. Frota própria de 38 caminhões. Cotação por e-mail: comercial@rotasul.example`
  ),
  en(
    `Portfolio site for Ines Calder, portrait and wedding photographer in Edinburgh. Natural light, small weddings, families at home. Packages from £450. Quiet, elegant, lots of white. ines@calder.example`
  ),
  pt(
    `Página para o curso online "Planilhas que funcionam", da professora Rita Sales. 12 aulas, exercícios com correção, certificado. Oferta: aula demonstrativa gratuita. Formulário com nome e e-mail.`,
    { ...capture, campaigns: ["Curso de planilhas"] }
  ),
  es(
    `Hotel boutique Casa del Naranjo, Oaxaca. Nueve habitaciones alrededor de un patio, desayuno de la región, terraza con vista al templo. A cinco minutos del zócalo. Reservas: reservas@casanaranjo.example, +52 951 555 0199.`
  ),
  en(
    `Kestrel Security Consulting. Penetration tests, cloud reviews and incident response for mid-size companies. Reports that engineers can act on. Working since 2012. Clients: Alder Bank, Fenwick Health, Roadmap Logistics. Dark, technical look.`
  ),
  pt(
    `Salão Tereza Cabelos, Salvador. Cortes, coloração, tranças e tratamentos para cabelos crespos e cacheados. Atendimento com hora marcada, de quarta a domingo. Rua Chile, 21. Instagram https://instagram.example/terezacabelos. Roxo e dourado.`
  ),
  en(
    `Riverbend Montessori School, Boulder, Colorado. Toddler, primary and elementary classes. Mixed ages, outdoor mornings, a garden that children keep. Open day every first Saturday. Phone +1 303 555 0142.`,
    stored
  ),
  pt(
    `Imobiliária Porto Seguro Imóveis, Santos. Venda e locação de apartamentos e salas comerciais, administração de condomínios. CRECI 12345. Avaliação gratuita do seu imóvel. (13) 3232-4040. Azul marinho.`
  ),
  es(
    `Landing para Finca La Ceiba, café de especialidad de Huila, Colombia. Pide una muestra de tres cafés para tu cafetería. Tostado los lunes, envío en dos días. Formulario con nombre, cafetería, correo y teléfono.`,
    capture
  ),
  en(
    `Maple Street Dental. General and cosmetic dentistry: check-ups, whitening, crowns, clear aligners. New patients welcome. Monday to Friday 8 am to 5 pm. 12 Maple Street, Albany. (518) 555-0134.`,
    {
      facts: [
        faq("Do you take insurance?", "Yes, most plans."),
        faq("Is there parking?", "Behind the building, for free.")
      ]
    }
  ),
  pt(
    `Oficina mecânica Irmãos Prado, Goiânia. Revisão, freios, suspensão, injeção eletrônica, ar-condicionado. Orçamento antes de qualquer serviço e garantia de 90 dias por escrito. Segunda a sexta, 8h às 18h. (62) 3999-8888.`
  ),
  en(
    `Tidewater Brewing Co., a small brewery and taproom in Halifax. Beers: pale ale, oatmeal stout, sour cherry, and something new each month. Live music on Fridays. Taproom open Wednesday to Sunday.`
  ),
  pt(
    `ONG Horta Viva, hortas comunitárias em São Paulo. 17 hortas, 640 famílias, oficinas aos sábados. Como ajudar: doe mudas, seja voluntário, adote um canteiro. contato@hortaviva.example. Verde, alegre.`,
    stored
  ),
  es(
    `Abogada Valeria Ríos, derecho migratorio y familiar en Monterrey. Visas de trabajo, residencia, custodia, divorcios de mutuo acuerdo. Primera consulta por videollamada. valeria@rioslegal.example`
  ),
  en(
    `Page to capture leads for Stackwell, a warehouse software. Offer: a 30 minute walkthrough with your own data. Benefits: fewer picking mistakes, live stock levels, labels printed at the dock. Fields: name, work email, company, number of warehouses.`,
    capture
  ),
  pt(`Consultoria Passo Firme: gestão financeira para restaurantes. Ficha técnica, controle de estoque, preço de cardápio e fluxo de caixa. Diagnóstico em duas semanas. Método:
1. Visita e levantamento
2. Plano com metas
3. Acompanhamento semanal
4. Entrega para a equipe
Cliente: Bistrô Alameda. "Em quatro meses o custo da cozinha caiu de 41% para 33%." - Paulo Reis, dono do Bistrô Alameda`),
  en(
    `Ada's Dog Walking. One walker, six dogs at most, long walks in the woods around Asheville. $25 a walk. Text 828 555 0177.`
  ),
  pt(
    `Quero um site simples para minha confeitaria, Doce Inês. Bolos de aniversário, docinhos, mesas de festa. Encomendas com cinco dias de antecedência. WhatsApp (31) 97777-6655. Rosa claro.`
  ),
  es(
    `Fábrica de muebles Roble & Hierro, Rosario. Mesas, bibliotecas y barras a medida, en madera maciza y hierro. Fabricación en 30 días, envíos a todo el país. Contacto: ventas@robleyhierro.example`
  ),
  en(
    `Lumen Therapy is a group practice of five therapists in Chicago. Anxiety, couples, grief, and life changes. In person and online. Sliding scale. "I felt listened to from the first minute." - M. K., client. Calm, soft colors.`
  ),
  pt(
    `Agência de viagens Rumo Certo, Natal. Pacotes para o Nordeste, excursões em grupo, viagens de estudo. Atendemos por WhatsApp (84) 99999-1000 todos os dias até 20h. Cadastur 00.000.000/0001-00.`
  ),
  en(
    `Greyson & Daughters Funeral Directors, family-run in Norwich since 1931. Burials, cremations, green funerals, help with paperwork. Someone answers day and night: 01603 496 050. Respectful, plain.`
  ),
  pt(
    `Startup Coleta Fácil: coletamos óleo de cozinha usado de bares e restaurantes, sem custo, e entregamos o comprovante ambiental. Já atendemos 320 pontos em Campinas e região. Cadastro em um minuto.`,
    stored
  ),
  es(
    `Gimnasio de escalada Vertical, Santiago. Muro de 14 metros, boulder, clases para niños y adultos. Pase diario $9.000, mensual $45.000. Abierto todos los días de 9 a 22. Arriendo de equipo. contacto@vertical.example`
  ),
  en(
    `Orchard Lane Violins: making, repair and rental of violins, violas and cellos. Rental from $18 a month with insurance. Workshop in Oberlin, Ohio, open Tuesday to Saturday. Classic, dark wood.`
  ),
  pt(
    `Laboratório Exato Análises Clínicas, Londrina. Exames de sangue, hormônios, toxicológico e teste de paternidade. Coleta em casa. Resultados pela internet. Convênios: Vida Plena, SaúdeSul, Bem Cuidar. (43) 3321-7000.`
  ),
  en(
    `Fieldnote is a newsletter about public transport in small cities. Written by Omar Haddad every second Tuesday. 8,400 readers. Subscribe with your email.`,
    capture
  ),
  pt(
    `Fotógrafo de gastronomia Davi Koh. Cardápios, redes sociais e livros de receitas. Estúdio com cozinha em São Paulo. Pacote de 20 fotos por R$ 1.800. davi@koh.example. Preto, elegante.`
  ),
  es(
    `Centro de yoga Respira, Valencia. Hatha, vinyasa y meditación. Bono de 8 clases 72 €, mensual ilimitado 95 €. Primera clase gratis. Calle Colón 31. Tonos suaves, verde salvia.`
  ),
  en(
    `Beacon Electrical Ltd. Rewiring, fuse boards, EV chargers, testing. NICEIC approved. Serving Bristol and Bath. Fixed prices: EV charger fitted £899, fuse board £540, safety check £160. Call 0117 496 0010.`
  ),
  pt(
    `Cooperativa Mel da Serra, 54 famílias de apicultores no Piauí. Mel silvestre, própolis e cera. Vendemos no atacado e no varejo. Exportamos para Alemanha e Japão. vendas@meldaserra.example`,
    {
      facts: [knowledgeFact("Certificações", "Orgânico Brasil, Comércio Justo")]
    }
  ),
  en(
    `A simple one-page site for my tutoring business. I'm Nora Lindqvist, I teach maths and physics to students aged 14 to 18, in Dublin and online. €45 an hour. nora@tutor.example`
  ),
  pt(
    `Aurora Eventos — cerimonial, decoração e buffet para casamentos e formaturas em Uberlândia. Do primeiro encontro à última dança. Já realizamos 410 festas. Visitas ao espaço às quintas. (34) 3210-5566. Dourado e branco.`
  ),
  es(
    `Servicio técnico FríoYa: reparación de refrigeradores, aires acondicionados y lavadoras en Lima. Llegamos el mismo día. Diagnóstico S/ 40, se descuenta de la reparación. Garantía de tres meses. WhatsApp +51 999 555 010.`
  )
]
