import { assert, describe, it } from "@effect/vitest"
import { cutQuotedText } from "../../src/Services/Replies/QuotedText.ts"

const replyOf = (text: string): string => cutQuotedText(text).reply

/** Each is a whole mail whose writer wrote "Tenho interesse." and nothing else. */
const cut: ReadonlyArray<readonly [what: string, mail: string]> = [
  [
    "Gmail, Portuguese",
    "Tenho interesse.\n\nEm seg., 3 de fev. de 2025 às 10:00, João Lima <joao@acme.com> escreveu:\n\n> Olá, Ana,\n> tudo bem?\n>\n> João"
  ],
  [
    "Gmail, Portuguese, wrapped",
    "Tenho interesse.\r\n\r\nEm seg., 3 de fev. de 2025 às 10:00, João Lima de Albuquerque Prado <\r\njoao.lima@acme.com.br> escreveu:\r\n\r\n> Olá"
  ],
  [
    "Gmail, English",
    "Tenho interesse.\n\nOn Mon, Feb 3, 2025 at 10:00 AM João Lima <joao@acme.com> wrote:\n\n> Hi Ana"
  ],
  [
    "Gmail, Spanish",
    "Tenho interesse.\n\nEl lun, 3 feb 2025 a las 10:00, João Lima (<joao@acme.com>) escribió:\n\n> Hola"
  ],
  [
    "Gmail's HTML as text, without marks",
    "Tenho interesse.\n\nEm seg., 3 de fev. de 2025 às 10:00, João Lima <joao@acme.com> escreveu:\n\nOlá, Ana,\n\nPodemos conversar?\n\nJoão"
  ],
  [
    "HTML that lost its line breaks",
    "Tenho interesse. Em seg., 3 de fev. de 2025 às 10:00, João Lima <joao@acme.com> escreveu: Olá, Ana, podemos conversar?"
  ],
  ["an older Gmail", "Tenho interesse.\n\n2025-02-03 10:00 GMT-03:00 João Lima <joao@acme.com>:\n\n> Olá"],
  [
    "Outlook, Portuguese",
    "Tenho interesse.\n\nDe: João Lima <joao@acme.com>\nEnviado: segunda-feira, 3 de fevereiro de 2025 10:00\nPara: Ana Souza <ana@clinica.com>\nAssunto: Uma ideia\n\nOlá, Ana,"
  ],
  [
    "Outlook, newer Portuguese, bold labels",
    "Tenho interesse.\n\n________________________________\n*De:* João Lima <joao@acme.com>\n*Enviada em:* segunda-feira, 3 de fevereiro de 2025 10:00\n*Para:* Ana\n*Assunto:* Uma ideia\n\nOlá"
  ],
  [
    "Outlook, English",
    "Tenho interesse.\n\nFrom: João Lima <joao@acme.com>\nSent: Monday, February 3, 2025 10:00 AM\nTo: Ana\nSubject: An idea\n\nHi"
  ],
  [
    "Outlook, Spanish",
    "Tenho interesse.\n\nDe: João Lima <joao@acme.com>\nEnviado el: lunes, 3 de febrero de 2025 10:00\nPara: Ana\nAsunto: Una idea\n\nHola"
  ],
  ["-----Mensagem original-----", "Tenho interesse.\n\n-----Mensagem original-----\nDe: João\nOlá"],
  ["-----Original Message-----", "Tenho interesse.\n\n-----Original Message-----\nFrom: João\nHi"],
  ["-----Mensaje original-----", "Tenho interesse.\n\n-----Mensaje original-----\nDe: João\nHola"],
  [
    "a forward",
    "Tenho interesse.\n\n---------- Forwarded message ---------\nDe: João <joao@acme.com>\nDate: seg., 3 de fev. de 2025\nSubject: x\nTo: Ana\n\nOlá"
  ],
  ["Apple Mail, forward", "Tenho interesse.\n\nInício da mensagem encaminhada:\n\nDe: João\nOlá"],
  [
    "Apple Mail, Portuguese",
    "Tenho interesse.\n\nEnviado do meu iPhone\n\nEm 3 de fev. de 2025, à(s) 10:00, João Lima <joao@acme.com> escreveu:\n\n> Olá\n> tudo bem?"
  ],
  [
    "Apple Mail, English",
    "Tenho interesse.\n\nSent from my iPhone\n\nOn 3 Feb 2025, at 10:00, João Lima <joao@acme.com> wrote:\n\n> Hi"
  ],
  [
    "Apple Mail, Spanish",
    "Tenho interesse.\n\nEnviado desde mi iPhone\n\nEl 3 feb 2025, a las 10:00, João <joao@acme.com> escribió:\n\n> Hola"
  ],
  [
    "a mobile Outlook",
    "Tenho interesse.\n\nObtenha o Outlook para iOS\n________________________________\nDe: João <j@acme.com>\nEnviado: Monday\nPara: Ana\nAssunto: x\n\nOlá"
  ],
  [
    "Yahoo on Android",
    "Tenho interesse.\n\nEnviado do Yahoo Mail no Android\n\nEm seg., 3 de fev. de 2025 às 10:00, João <joao@acme.com> escreveu:\nOlá"
  ],
  [
    "Samsung",
    "Tenho interesse.\n\nEnviado do meu Galaxy\n\n-------- Mensagem original --------\nDe: João <joao@acme.com>\nData: 03/02/2025 10:00 (GMT-03:00)\nPara: Ana\nAssunto: x\n\nOlá"
  ],
  ["a signature delimiter", "Tenho interesse.\n\n-- \nAna Souza\nDiretora\n(11) 3333-4444"],
  [
    "a name block below a farewell",
    "Tenho interesse.\n\nAtenciosamente,\n\nAna Souza\nDiretora | Clínica Sorriso\n(11) 3333-4444\nwww.clinica.com"
  ],
  ["an English name block", "Tenho interesse.\n\nBest regards,\nAna Souza\nHead of Operations"],
  ["thanks above a name", "Tenho interesse.\n\nObrigada,\nAna Souza\nDiretora"],
  [
    "a disclaimer",
    "Tenho interesse.\n\nAVISO LEGAL: esta mensagem é confidencial. Caso a tenha recebido por engano, favor remover de sua base."
  ],
  ["lines of quotation without a header", "Tenho interesse.\n\n> Olá, Ana,\n> podemos conversar?"]
]

describe("cutQuotedText", () => {
  it.each(cut)("cuts what is not the writer's: %s", (_, mail) => {
    assert.strictEqual(replyOf(mail), "Tenho interesse.")
  })

  it("keeps answers between quoted lines, and says so", () => {
    const mail =
      "Seguem as respostas:\n\nEm seg., 3 de fev. de 2025 às 10:00, João <joao@acme.com> escreveu:\n> Quantos usuários?\n\n15 usuários\n\n> E o prazo?\n\nAté março\n\n> Obrigado"
    const { isInline, quoted, reply } = cutQuotedText(mail)
    assert.strictEqual(reply, "Seguem as respostas:\n\n15 usuários\n\nAté março")
    assert.isTrue(isInline)
    assert.include(quoted, "Quantos usuários?")
  })

  it("keeps an answer below the quotation", () => {
    const mail =
      "On Mon, Feb 3, 2025 at 10:00 AM João <joao@acme.com> wrote:\n> Hi Ana,\n> are you interested?\n\nYes, please call me."
    assert.strictEqual(replyOf(mail), "Yes, please call me.")
  })

  it.each([
    "Em 2024 gastamos 10 mil reais com isso.\nDe: São Paulo a Recife são 2.600 km.",
    "De: acordo.\nVamos em frente.",
    "On Monday I wrote:\nnothing special",
    "Como o João escreveu: vale a pena.",
    "> 50 funcionários\nSomos uma empresa grande.",
    "Obrigado!\nTenho interesse sim, me ligue amanhã.",
    "Para: mim está ótimo\nAssunto: encerrado",
    "Enviado por mim ontem, confira.",
    "Os pontos são:\n- preço\n- prazo"
  ])("leaves a text alone that only looks like a quotation: %j", (text) => {
    assert.strictEqual(replyOf(text), text)
  })

  it("does not take a wish below a name for a part of the signature without handing it on", () => {
    const { reply, signature } = cutQuotedText("Oi.\n\nAtt,\nAna\nPor favor me tirem da lista")
    assert.strictEqual(reply, "Oi.")
    assert.include(signature, "me tirem da lista")
  })

  it("keeps a postscript", () => {
    assert.include(replyOf("Oi.\n\nAtt,\nAna\nPS: me liguem amanhã"), "me liguem amanhã")
  })

  it("answers nothing for a mail that repeats only", () => {
    assert.strictEqual(replyOf("Em seg., 3 de fev. de 2025 às 10:00, João <j@a.com> escreveu:\n> Olá"), "")
    assert.strictEqual(replyOf(""), "")
  })

  it("takes a bounded number of steps for hostile texts of a megabyte", () => {
    const million = 1_000_000
    const hostile = [
      ">".repeat(million),
      "> ".repeat(million / 2),
      "\n".repeat(million),
      " ".repeat(million),
      "_".repeat(million),
      "-----Mensagem ".repeat(70_000),
      "On ".repeat(million / 3),
      `${"Em a, 10:00 ".repeat(80_000)}escreveu:`,
      "On 10:00 a wrote: ".repeat(55_000),
      `${"On 10:00 ".repeat(40)}wrote:wrote:wrote:\n`.repeat(2600),
      "Em x\n".repeat(200_000),
      `${"a<".repeat(190)}\n`.repeat(2600),
      "De: x\n".repeat(160_000),
      "De: x\nPara: y\n".repeat(70_000),
      "____________\n\n\n".repeat(66_000),
      "Atenciosamente,\n".repeat(62_000),
      "-- \n".repeat(250_000),
      "\u200b".repeat(million),
      "\ud800".repeat(million)
    ]
    for (const text of hostile) assert.isAtMost(cutQuotedText(text).reply.length, million)
  })
})
