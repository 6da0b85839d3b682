import { assert, describe, it } from "@effect/vitest"
import { drawing } from "../../src/Layers/Media/Design/Drawings/Drawing.ts"
import { changeDrawing } from "../../src/Services/Media/Drawings/Changes/DrawingChanges.ts"
import type { DrawingModel } from "../../src/Services/Media/Drawings/DrawingModel.ts"
import { gateBreach } from "../../src/Services/Media/Drawings/Gate/DrawingGate.ts"
import { readDrawing } from "../../src/Services/Media/Drawings/Readers/DrawingReader.ts"

const modelOf = (prompt: string): DrawingModel => {
  const reading = readDrawing(prompt)
  if (reading._tag === "Unread") throw new Error(`${reading.reason}: ${reading.words.join(", ")}: ${prompt}`)
  return reading.model
}

/** What a drawing shows, short. */
const contentOf = ({ body }: DrawingModel): unknown => {
  switch (body.kind) {
    case "chart":
      return [
        body.form,
        body.unit,
        body.series.join("|"),
        ...body.rows.map(({ label, values }) => `${label} ${values.join(" ")}`)
      ]
    case "graph": {
      const label = new Map(body.nodes.map((node) => [node.id, node.label]))
      return body.edges.map(
        ({ from, label: by, to }) => `${label.get(from)} > ${label.get(to)}${by === "" ? "" : ` (${by})`}`
      )
    }
    case "gantt":
      return body.tasks.map(({ from, label, to, when }) => `${label}: ${when} = ${to - from}`)
    case "timeline":
      return body.events.map(({ label, when }) => `${when}: ${label}`)
    case "venn":
      return [...body.sets.map(({ items, label }) => [label, ...items].join(" ")), body.shared]
    case "quadrants":
      return body.cells.map(({ items, title }) => `${title}: ${items.join(", ")}`)
    case "table":
      return [body.columns, ...body.rows].map((row) => row.join("|"))
    default:
      return body.kind
  }
}

const cases: ReadonlyArray<readonly [prompt: string, shows: unknown]> = [
  [
    "Gráfico de barras dos pedidos em 2025: Norte 12, Sul 30 e Leste 7",
    ["bar", "", "", "Norte 12", "Sul 30", "Leste 7"]
  ],
  [
    "Line chart of revenue: 2021 $1,200, 2022 $1,450, 2023 $1,900",
    ["line", "$", "", "2021 1200", "2022 1450", "2023 1900"]
  ],
  [
    "Gráfico de ventas. Norte: enero 3, febrero 4. Sur: enero 5, febrero 6.",
    ["bar", "", "Norte|Sur", "enero 3 5", "febrero 4 6"]
  ],
  [
    "Empilhado, gráfico de chamados: TI abertos 5 fechados 4; RH abertos 2 fechados 2",
    ["stacked", "", "abertos|fechados", "TI 5 4", "RH 2 2"]
  ],
  [
    "Org chart: Ana is the owner. Bruno and Carla report to Ana. Davi reports to Carla.",
    ["Ana (owner) > Bruno", "Ana (owner) > Carla", "Carla > Davi"]
  ],
  [
    "Organograma:\nDiretoria\n- Vendas\n  - Bia\n- Oficina",
    ["Diretoria > Vendas", "Vendas > Bia", "Diretoria > Oficina"]
  ],
  ["Organigrama: Eva lidera todo. De ella dependen Hugo y Sara.", ["Eva > Hugo", "Eva > Sara"]],
  [
    "Fluxograma: pedido chega, tem estoque? sim: separar o pedido, não: avisar o cliente",
    ["pedido chega > tem estoque?", "tem estoque? > separar o pedido (sim)", "tem estoque? > avisar o cliente (não)"]
  ],
  [
    "Gantt: design 1 to 5 June, build 6-20 June, launch 21 June",
    ["design: 1 to 5 June = 5", "build: 6-20 June = 15", "launch: 21 June = 1"]
  ],
  [
    "Linha do tempo: 1999 abertura, 2008 ISO 14001, 2021 filial em Natal",
    ["1999: abertura", "2008: ISO 14001", "2021: filial em Natal"]
  ],
  [
    "Venn diagram of three circles: speed, price and care. In the middle: our clinic",
    ["speed", "price", "care", "our clinic"]
  ],
  [
    "Análise SWOT. Forças: equipe. Fraquezas: espaço, frota. Oportunidades: escolas. Ameaças: aluguel.",
    ["Forças: equipe", "Fraquezas: espaço, frota", "Oportunidades: escolas", "Ameaças: aluguel"]
  ],
  [
    "Mapa mental sobre festas: convites (papel, zap), comida, música (dj)",
    ["Festas > convites", "convites > papel", "convites > zap", "Festas > comida", "Festas > música", "música > dj"]
  ],
  [
    "Gráfico das vendas\nMês\tLoja\tFeira\nJan\t1.200\t300\nFev\t1.500\t0\nTotal\t2.700\t300",
    ["bar", "", "Loja|Feira", "Jan 1200 300", "Fev 1500 0"]
  ],
  ["Barras de ventas: enero 3, febrero 4 no perdón 5", ["bar", "", "", "enero 3", "febrero 5"]],
  [
    "Oi! Sou dona de padaria e quero um gráfico de barras das vendas:\n- pão: 30\n- bolo: 12",
    ["bar", "", "", "pão 30", "bolo 12"]
  ],
  ["Tabla\nA;B;C\n1;;3", ["A|B|C", "1||3"]],
  ["Timeline: 15-mar-2024 trial, 2 April 2024 verdict", ["15-mar-2024: trial", "2 April 2024: verdict"]],
  ["Table comparing Solo and Team: users 1 vs 5, price $9 vs $29", ["|Solo|Team", "users|1|5", "price|$9|$29"]]
]

describe("a prompt for a drawing", () => {
  it.each(cases.map(([prompt, shows]) => ({ prompt, shows })))("is drawn whole: $prompt", async ({ prompt, shows }) => {
    const model = modelOf(prompt)
    assert.deepStrictEqual(contentOf(model), shows)
    const { texts } = await drawing(model, { caption: "", picture: undefined })
    assert.isNotEmpty(texts)
  })

  it.each([
    ["Gráfico das vendas dos últimos anos", "noData"],
    ["Chart of our growth since 2019, when we opened", "noData"],
    ["Planta baixa da loja: balcão 4 m², depósito 9 m²", "noFloorPlan"],
    ["Bar chart: A 3, B 4, and the rest about the same", "notClear"],
    ["Pie chart: rent 70%, food 60%", "notClear"],
    ["Bar chart: north $3, south 40%", "notClear"],
    ["Barras de ventas: enero 3, febrero 4, perdón 5", "contradicts"],
    ["Line chart: 15-mar-2024 trial, 2 April 2024 verdict", "contradicts"],
    ["Pie of rent 30, food 20, fun 10. Total 80", "notClear"],
    ["Gantt: paint 20/05 a 12/05, floor 21/05 a 28/05", "contradicts"],
    ["Line chart: Jan 3, Feb 4, Mar 5. In May we had 12 people fewer", "notClear"],
    ["A logo for the shop: scissors, a comb, black and gold", "notClear"],
    ["Gráfico de barras: A 3, B 4. Valores em milhares", "notShown"],
    ["Flow chart: order comes in, if it is late call the driver, ship it", "notClear"],
    ["Org chart: Ana reports to Bia, Ana reports to Caio", "notClear"],
    ["Gantt: design in March, build when ready", "notClear"],
    ["Um desenho bem bonito", "notClear"]
  ])("fails where it cannot be drawn with certainty: %s", (prompt, reason) => {
    const reading = readDrawing(prompt)
    assert.strictEqual(reading._tag === "Unread" ? reading.reason : JSON.stringify(reading.model.body), reason)
  })
})

describe("the gate", () => {
  const pairs = (...rows: ReadonlyArray<readonly [string, number]>): DrawingModel => ({
    title: "",
    language: "en",
    body: {
      kind: "chart",
      form: "bar",
      unit: "",
      series: [""],
      rows: rows.map(([label, value]) => ({ label, values: [value] }))
    }
  })
  const breach = (prompt: string, model: DrawingModel) =>
    gateBreach(prompt, model, { kind: "chart", asides: [], topic: "", isFormal: false })?.words

  it("lets a drawing pass whose parts all have their own place", () => {
    assert.isUndefined(breach("Bar chart: north 3, south 4", pairs(["north", 3], ["south", 4])))
    assert.isUndefined(breach("Bar chart: 3 north, 4 south", pairs(["north", 3], ["south", 4])))
    assert.isUndefined(breach("Bar chart: north, south: 3, 4", pairs(["north", 3], ["south", 4])))
  })

  it.each([
    ["north 3, south 3", pairs(["north", 3], ["south", 4])],
    ["north 3, south 4", pairs(["north", 4], ["south", 3])],
    ["north 3, south 4, west 5", pairs(["north", 3], ["south", 4])],
    ["north 3, south 4", pairs(["north", 3], ["south", 4], ["west", 4])],
    ["north 3, south 4 without returns", pairs(["north", 3], ["south", 4])],
    ["north 3, south 4, total 9", pairs(["north", 3], ["south", 4])]
  ] as const)("stops what is invented, lost or moved: %s", (data, model) => {
    assert.isNotEmpty(breach(`Bar chart: ${data}`, model))
  })
})

describe("a change of a drawing", () => {
  const chart = modelOf("Gráfico de barras das vendas: Jan 30, Fev 45")
  const org = modelOf("Organograma:\nAna\n- Bia\n- Caio")
  it("paints what is named, and does one wish without the other", () => {
    const painted = changeDrawing(chart, "pinte o Jan de verde")
    assert.deepStrictEqual(
      painted._tag === "Read" && painted.model.body.kind === "chart" ? painted.model.body.colors : painted,
      [{ of: "Jan", color: "#1f8a4c" }]
    )
    const partly = changeDrawing(chart, "Adicione Mar 12 e some tudo em trimestres")
    assert.deepInclude(partly, { _tag: "Read", undone: ["e some tudo em trimestres"] })
    assert.deepStrictEqual(partly._tag === "Read" ? contentOf(partly.model) : partly, [
      "bar",
      "",
      "",
      "Jan 30",
      "Fev 45",
      "Mar 12"
    ])
  })

  it.each([
    [chart, "Fev foi 54, não 45", ["bar", "", "", "Jan 30", "Fev 54"]],
    [chart, "tira o Jan", ["bar", "", "", "Fev 45"]],
    [chart, "troca Jan por Janeiro", ["bar", "", "", "Janeiro 30", "Fev 45"]],
    [chart, "Adicione Mar 12", ["bar", "", "", "Jan 30", "Fev 45", "Mar 12"]],
    [chart, "Adicione Mar: 60 e faça em pizza", ["pie", "", "", "Jan 30", "Fev 45", "Mar 60"]],
    [chart, "muda para linhas", ["line", "", "", "Jan 30", "Fev 45"]],
    [chart, "ordena do maior para o menor", ["bar", "", "", "Fev 45", "Jan 30"]],
    [org, "Caio agora responde para Bia", ["Ana > Bia", "Bia > Caio"]],
    [org, "coloca o Davi embaixo da Bia", ["Ana > Bia", "Ana > Caio", "Bia > Davi"]],
    [org, "Take Caio out, he left", ["Ana > Bia"]]
  ] as const)("does what it asks for: %#", (model, prompt, shows) => {
    const changed = changeDrawing(model, prompt)
    assert.deepStrictEqual(changed._tag === "Read" ? contentOf(changed.model) : changed, [...shows])
  })

  it("paints what is named, and does one wish without the other", () => {
    const painted = changeDrawing(chart, "pinte o Jan de verde")
    assert.deepStrictEqual(
      painted._tag === "Read" && painted.model.body.kind === "chart" ? painted.model.body.colors : painted,
      [{ of: "Jan", color: "#1f8a4c" }]
    )
    const partly = changeDrawing(chart, "Adicione Mar 12 e some tudo em trimestres")
    assert.deepInclude(partly, { _tag: "Read", undone: ["e some tudo em trimestres"] })
    assert.deepStrictEqual(partly._tag === "Read" ? contentOf(partly.model) : partly, [
      "bar",
      "",
      "",
      "Jan 30",
      "Fev 45",
      "Mar 12"
    ])
  })

  it.each([
    [chart, "Fev foi 54, não 44"],
    [chart, "deixa mais bonito"],
    [chart, "isso dá pra imprimir?"],
    [org, "tira a Ana"],
    [chart, "Jan 30"]
  ] as const)("that is not certain changes nothing: %#", (model, prompt) => {
    assert.strictEqual(changeDrawing(model, prompt)._tag, "Unread")
  })
})
