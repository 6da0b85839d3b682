import type { ToolGroup, ToolOperation } from "./Document.ts"
import { camel, snake } from "./Names.ts"
import { literal, parameterName } from "./python.ts"
import type { Files } from "./typescript.ts"

/** The call of a tool's example in each language. */
export interface Sample {
  readonly curl: string
  readonly typescript: string
  readonly python: string
}

const longestLine = 80

const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const isWord = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name)

const withIndent = (lines: ReadonlyArray<string>): string => lines.map((line) => `  ${line}`).join("\n")

const typescriptArguments = (example: ToolOperation["example"]): string => {
  const members = Object.entries(example).map(
    ([name, value]) => `${isWord(name) ? name : JSON.stringify(name)}: ${JSON.stringify(value)}`
  )
  if (members.length === 0) return ""
  const line = `{ ${members.join(", ")} }`
  return line.length <= longestLine ? line : `{\n${withIndent(members).replaceAll("\n", ",\n")}\n}`
}

const pythonArguments = (example: ToolOperation["example"]): string => {
  const members = Object.entries(example).map(([name, value]) => `${parameterName(name)}=${literal(value)}`)
  const line = members.join(", ")
  return line.length <= longestLine ? line : `\n${members.map((member) => `    ${member},\n`).join("")}`
}

export const sampleOf = (group: ToolGroup, { example, name, prefix }: ToolOperation): Sample => ({
  curl: [
    `curl -sS "$GATEWAY${prefix}/tools/${name}" \\`,
    '  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\',
    `  -d ${shellQuoted(JSON.stringify(example))}`
  ].join("\n"),
  typescript: `const answer = await gateway.${camel(group.name)}.${camel(name)}(${typescriptArguments(example)})`,
  python: `answer = gateway.${snake(group.name)}.${name}(${pythonArguments(example)})`
})

const indented = (text: string, indent: string): string =>
  text
    .split("\n")
    .map((line) => `${indent}${line}`)
    .join("\n")

/** All samples as functions, by language. A test runs them, and the TypeScript ones are type-checked. */
export const samplePrograms = (groups: ReadonlyArray<ToolGroup>): Files => {
  const samples = groups.flatMap((group) =>
    group.tools.map((tool) => ({ name: tool.name, kind: tool.kind, ...sampleOf(group, tool) }))
  )
  return new Map([
    [
      "samples.ts",
      [
        'import type { Gateway } from "../../typescript/src/index.ts"\n\n',
        "export const samples: Readonly<Record<string, (gateway: Gateway) => Promise<object>>> = {\n",
        samples
          .map(
            ({ name, typescript }) =>
              `  ${name}: async (gateway) => {\n${indented(typescript, "    ")}\n    return answer\n  }`
          )
          .join(",\n"),
        "\n}\n"
      ].join("")
    ],
    [
      "samples.py",
      [
        "from typing import Any\n\nfrom prospecting_gateway import Gateway\n",
        ...samples.map(
          ({ name, python }) =>
            `\n\ndef ${name}(gateway: Gateway) -> Any:\n${indented(python, "    ")}\n    return answer\n`
        )
      ].join("")
    ],
    ["samples.sh", samples.map(({ curl, name }) => `sample_${name}() {\n${curl}\n}\n`).join("\n")],
    ["samples.json", JSON.stringify(samples.map(({ kind, name }) => ({ name, kind })))]
  ])
}
