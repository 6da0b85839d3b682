/** The prompts of the contact sheets, in three languages. */
export const imagePrompts: ReadonlyArray<
  readonly [prompt: string, width: number, height: number, isTransparent: boolean]
> = [
  ['Crie uma imagem de um dentista com o texto "Seu sorriso merece cuidado"', 1024, 1024, false],
  ["A cup of coffee on a wooden table at sunrise, warm colors", 1536, 1024, false],
  [
    'Poster para o lançamento do nosso software de logística: "Entregas em tempo real" "Rastreie cada caminhão, do pátio à porta do cliente"',
    1080,
    1350,
    false
  ],
  ['Imagen de una oferta especial: "50% de descuento" "Solo este fin de semana" en tonos rojos', 1080, 1920, false],
  ["seamless pattern of leaves in green and gold", 1024, 1024, false],
  ['Gradiente azul e roxo com "Bem-vindo"', 1536, 1024, false],
  ['Un gimnasio moderno, "Entrena hoy"', 1024, 1536, false],
  ["Team meeting in a bright office", 1024, 1024, false],
  [
    'Anúncio de imóveis em São Paulo com casas e prédios: "Apartamentos de 2 quartos a partir de R$ 289.000"',
    1080,
    1350,
    false
  ],
  ["Dog and cat at the veterinarian, no text", 1024, 1024, false],
  ['Post sobre crescimento de vendas: "Venda mais com menos esforço"', 1080, 1350, false],
  ["Black Friday", 1024, 1024, false],
  ["Pizza", 1024, 1024, false],
  [
    "A very long request: we want to show our customers that our accounting firm takes care of taxes, payroll and the monthly closing, so that they can concentrate on growing their companies without worrying about deadlines",
    1024,
    1024,
    false
  ],
  [
    'Convite para webinar: "Como gerar reuniões qualificadas em 30 dias" "Quinta-feira, 19h, ao vivo e gratuito. Vagas limitadas, inscreva-se pelo link da bio."',
    1080,
    1920,
    false
  ],
  ["Estampa de café e livros", 1024, 1024, false],
  ['Poster with the headline "Growth is a habit" in dark blue and orange', 1536, 1024, false],
  ['Car repair shop ad "Your car, our passion"', 1536, 1024, false],
  ['Viaje a las montañas con "Aventura te espera"', 1024, 1536, false],
  ["abstract", 1024, 1024, false],
  ['Diga "Otorrinolaringologista" em letras grandes', 1024, 1024, false],
  ["Segurança e LGPD para empresas de tecnologia", 1536, 1024, false],
  ['Summer festival with music on the beach, "Sunset Sounds 2027"', 1024, 1536, false],
  [
    'Presente de natal para clientes: "Feliz Natal e um próspero ano novo, da nossa família para a sua"',
    1080,
    1350,
    false
  ],
  ['Fundo transparente com um foguete "Lançamento"', 1024, 1024, true],
  ["Transparent logo of a coffee shop, no text", 1024, 1024, true],
  ['Poster con el título "Abrimos los domingos" de una panadería', 1024, 1536, false],
  ['Seguro de vida: "Proteja quem você ama"', 1080, 1350, false],
  ['Degradado naranja y rosa "Verano 2027"', 1024, 1024, false],
  ['Pet shop: "Banho e tosa" "Agende pelo WhatsApp"', 1080, 1920, false],
  ['Course on machine learning, "Learn by doing"', 1536, 1024, false],
  ["Agricultura sustentável no cerrado", 1536, 1024, false],
  [
    'Financial advice for families "Start small" "A plan for every month, with people who answer the phone"',
    1080,
    1350,
    false
  ],
  ["Patrón de estrellas y regalos", 1024, 1024, false],
  ['Call center amable: "Estamos para ayudarte"', 1080, 1350, false],
  ['Viagem de férias "Parcele em 10x"', 1080, 1920, false],
  ["Factory automation, blue and white", 1536, 1024, false],
  ['Gym promo in black and yellow "No excuses"', 1080, 1350, false],
  ['Reunião de condomínio "Terça, 20h"', 1024, 1024, false],
  ["Fotografia de um lago nas montanhas, sem texto", 1536, 1024, false]
]

export const drawingPrompts: ReadonlyArray<string> = [
  "Gráfico de barras das vendas por mês: Jan: 30, Fev: 45, Mar: 28, Abr: 60",
  "Pie chart of lead sources: Referral 40%, Ads 25%, Organic 20%, Events 15%",
  "Funil de vendas: Leads: 1200, Contatados: 800, Reuniões: 240, Propostas: 90, Ganhos: 35",
  "Line chart of revenue: Jan: 12.5k, Feb: 14k, Mar: 13k, Apr: 18k, May: 22k, Jun: 21k",
  "Diagrama: Lead -> Qualificação -> Reunião -> Proposta -> Fechamento; Qualificação -> Descartado: sem perfil",
  "```mermaid\ngraph TD\nA[Novo lead] --> B{Tem e-mail?}\nB -->|sim| C[Enviar e-mail]\nB -->|não| D[Ligar]\nC --> E(Reunião)\nD --> E\n```",
  "| Plano | Preço | Usuários |\n|---|---|---|\n| Essencial | R$ 199 | 3 |\n| Profissional | R$ 399 | 10 |\n| Enterprise | R$ 999 | ilimitado |",
  "Tabla de precios\nProducto | Precio | Stock\nMesa | 120 | 4\nSilla | 45 | 20",
  "Mapa do Brasil com clientes por estado: SP: 120, RJ: 80, MG: 60, RS: 22, Bahia: 15",
  "World map of our customers: Brazil: 50, Mexico: 20, Portugal: 8, Spain: 12, United States: 30",
  'Wireframe de landing page com menu, banner "Agenda cheia, sem planilhas", cards de benefícios, formulário de contato e rodapé',
  "Mobile app wireframe with header, list of messages, button",
  "Three blue circles, two red squares and a green star",
  "5 passos para vender: Pesquisar o mercado, Encontrar leads, Enviar mensagens, Marcar reunião, Fechar",
  "Grid of benefits:\n- Fast: set up in five days\n- Safe: data stays in Brazil\n- Simple: no training\n- Fair: cancel anytime\n- Local support",
  "Ranking horizontal de vendedores: Ana: 35, Bruno Henrique de Almeida: 28, Carla: 40, Diego: 12",
  "sequenceDiagram\nparticipant C as Cliente\nparticipant G as Gateway\nC->>G: Pede vídeo\nG-->>C: video_id\nC->>G: Consulta",
  "Chart\nMês;Leads;Reuniões\nJan;100;20\nFev;140;32\nMar;120;41\ngráfico de colunas",
  "mindmap\n  root((Marketing))\n    Canais\n      E-mail\n      WhatsApp\n    Conteúdo\n      Blog\n      Vídeos",
  "Organize our ideas. We sell software. Customers are clinics. They want fewer no-shows.",
  "Mapa de países de nuestros clientes: México: 12, Colombia: 8, Chile: 5, Argentina: 9",
  "Tabla: \nMes | Reuniones | Ventas\nEnero | 12 | 3\nFebrero | 18 | 5",
  "Gráfico de líneas de reuniones: Ene: 4, Feb: 9, Mar: 7",
  "Wireframe de aplicación móvil con menú, lista de mensajes y botón",
  "Dos círculos azules, tres corazones rojos y un hexágono verde",
  "Embudo: Visitas: 5000, Registros: 900, Demos: 120, Ventas: 30",
  "Proceso de contratación: Publicar vacante, Entrevistar, Contratar",
  "Gráfico de barras: Norte: -12, Sul: 30, Leste: 18, Oeste: 44",
  "erDiagram\nACCOUNT ||--o{ LEAD : has\nLEAD ||--o{ MESSAGE : gets\nLEAD ||--o{ MEETING : books",
  "stateDiagram-v2\n[*] --> Fila\nFila --> Rodando\nRodando --> Pronto: ok\nRodando --> Falhou: erro",
  "Comparison chart\n| Month | Email | Phone | Chat |\n|---|---|---|---|\n| Jan | 120 | 30 | 60 |\n| Feb | 140 | 28 | 75 |\n| Mar | 160 | 35 | 90 |\nbar chart",
  "Organograma: CEO -> Vendas, Marketing, Produto; Vendas -> SDR, Closers",
  "Map of Brazilian states where we operate: SP, RJ, MG, PR, SC",
  "Lista de ideias:\n1. Newsletter semanal com casos de clientes e números do mês\n2. Webinar\n3. Parcerias com contadores\n4. Indicações premiadas",
  'pie\n"E-mail" : 55\n"Telefone" : 25\n"Chat" : 20',
  "xychart-beta\nx-axis [jan, feb, mar]\nbar [10, 25, 17]",
  "Horizontal bar chart of NPS by region: North: 61, South: 72, Northeast of the country: 55, Center-West: 48",
  'Landing page layout with header, hero "Book more meetings", pricing cards, FAQ list and footer',
  "Quadro de prioridades:\n- Agora: fechar trimestre\n- Depois: novo site\n- Nunca: planilhas",
  "Table of plans\nPlan;Users;Price\nStart;3;R$ 199\nPro;10;R$ 399"
]

export const videoPrompts: ReadonlyArray<readonly [prompt: string, duration: number, aspect: string]> = [
  ['Vídeo para clínica odontológica: "Seu sorriso merece cuidado" "Agende online"', 4, "16:9"],
  ["A coffee shop opens at sunrise. Fresh bread every day", 4, "9:16"],
  ['Lanzamiento de logística en blanco y negro "Entregas a tiempo"', 4, "4:3"],
  ['Growth "Sell more"', 2, "16:9"],
  ["Imóveis na praia. Visite hoje", 4, "1:1"],
  ['Gym in warm colors "Train now" "Join us"', 4, "9:16"],
  ['Curso de inglês "Comece já"', 2, "16:9"],
  ['Pet shop con perros y gatos "Baño y corte"', 4, "16:9"],
  ['Insurance "Protect what you love"', 2, "3:1"],
  ["Festa junina com música", 2, "9:16"],
  ["Solar energy for farms, wipe transition", 4, "16:9"],
  ['Convite para webinar "Quinta, 19h" sépia', 4, "16:9"]
]
