import type { ApiModel, ToolGroup, ToolOperation } from "./Document.ts"
import { kebab } from "./Names.ts"
import type { Files } from "./typescript.ts"

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ")

const bodyOf = ({ example }: ToolOperation): string => JSON.stringify(example, undefined, 2)

/** For editors that send requests from a file (VS Code REST Client, JetBrains). */
const httpFile = ({ description, tools }: ToolGroup): string =>
  [
    `# ${oneLine(description)}`,
    "# Set url and token in your editor's environment.",
    "",
    ...tools.flatMap((tool) => [
      `### ${tool.name} (${tool.kind})`,
      `# ${oneLine(tool.description)}`,
      `POST {{url}}${tool.prefix}/tools/${tool.name}`,
      "Authorization: Bearer {{token}}",
      "Content-Type: application/json",
      ...(tool.kind === "read" ? [] : ["Idempotency-Key: {{$guid}}"]),
      "",
      bodyOf(tool),
      ""
    ])
  ].join("\n")

const header = (key: string, value: string): object => ({ key, value })

const postmanRequest = (tool: ToolOperation): object => ({
  name: tool.name,
  request: {
    method: "POST",
    description: tool.description,
    header: [
      header("Content-Type", "application/json"),
      ...(tool.kind === "read" ? [] : [header("Idempotency-Key", "{{$guid}}")])
    ],
    body: { mode: "raw", raw: bodyOf(tool), options: { raw: { language: "json" } } },
    url: {
      raw: `{{url}}${tool.prefix}/tools/${tool.name}`,
      host: ["{{url}}"],
      path: [...tool.prefix.split("/").filter((part) => part !== ""), "tools", tool.name]
    }
  }
})

const postmanCollection = ({ groups, url, version }: ApiModel): string =>
  JSON.stringify(
    {
      info: {
        name: "Prospecting gateway",
        description: `Version ${version}. Set the variables url and token.`,
        schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
      },
      auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] },
      variable: [
        { key: "url", value: url },
        { key: "token", value: "" }
      ],
      item: groups.map(({ description, name, tools }) => ({ name, description, item: tools.map(postmanRequest) }))
    },
    undefined,
    2
  )

const indented = (text: string): string =>
  text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n")

const brunoRequest = (tool: ToolOperation, index: number): string =>
  [
    `meta {\n  name: ${tool.name}\n  type: http\n  seq: ${index + 1}\n}`,
    `post {\n  url: {{url}}${tool.prefix}/tools/${tool.name}\n  body: json\n  auth: bearer\n}`,
    ...(tool.kind === "read" ? [] : ["headers {\n  Idempotency-Key: {{$guid}}\n}"]),
    "auth:bearer {\n  token: {{token}}\n}",
    `body:json {\n${indented(bodyOf(tool))}\n}`,
    `docs {\n  ${oneLine(tool.description)}\n}\n`
  ].join("\n\n")

const brunoFiles = ({ groups, url }: ApiModel): ReadonlyArray<readonly [string, string]> => [
  ["bruno/bruno.json", JSON.stringify({ version: "1", name: "Prospecting gateway", type: "collection" }, undefined, 2)],
  ["bruno/environments/local.bru", `vars {\n  url: ${url}\n}\nvars:secret [\n  token\n]\n`],
  ...groups.flatMap(({ name, tools }) =>
    tools.map((tool, index) => [`bruno/${name}/${tool.name}.bru`, brunoRequest(tool, index)] as const)
  )
]

/** Requests with examples, for tools that send them. */
export const requestFiles = (model: ApiModel): Files =>
  new Map([
    ...model.groups.map((group) => [`http/${kebab(group.name)}.http`, httpFile(group)] as const),
    ["postman.json", postmanCollection(model)] as const,
    ...brunoFiles(model)
  ])
