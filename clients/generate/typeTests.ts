import openapiTypeScript, { astToString } from "openapi-typescript"
import type { ApiModel, ToolOperation } from "./Document.ts"
import { camel, pascal } from "./Names.ts"
import type { Files } from "./typescript.ts"

const header = `import { expectTypeOf } from "vitest"
import type { components } from "./judge.ts"
import type { ErrorOf, Gateway } from "../../typescript/src/index.ts"
import * as tools from "../../typescript/src/generated/tools.ts"

type Judge = components["schemas"]
type RequiredKeys<A> = { [K in keyof A]-?: Record<never, never> extends Pick<A, K> ? never : K }[keyof A]
type Values<A> = { readonly [K in keyof A]-?: Exclude<A[K], undefined> }
type ReasonOf<E, Type> = Extract<E, { readonly type: Type }> extends { readonly reason: infer Reason } ? Reason : never
`

const testsOf = (tool: ToolOperation): string => {
  const args = `tools.${pascal(tool.name)}Arguments`
  const answer = `tools.${pascal(tool.name)}Answer`
  const judgeArgs = `Judge["${tool.name}_arguments"]`
  const judgeAnswer = `Judge["${tool.name}_answer"]`
  const free = `tools.${camel(tool.name)}`
  const bound = `Gateway["${camel(tool.group)}"]["${camel(tool.name)}"]`
  const hasArguments = Object.keys(tool.arguments.properties ?? {}).length > 0
  const ofArguments = [
    `  expectTypeOf<keyof ${args}>().toEqualTypeOf<keyof ${judgeArgs}>()`,
    `  expectTypeOf<RequiredKeys<${args}>>().toEqualTypeOf<RequiredKeys<${judgeArgs}>>()`,
    `  expectTypeOf<Values<${args}>>().toEqualTypeOf<Values<${judgeArgs}>>()`
  ]
  return [
    `export const ${camel(tool.name)} = () => {`,
    ...(hasArguments ? ofArguments : []),
    `  expectTypeOf<${answer}>().toExtend<${judgeAnswer}>()`,
    `  expectTypeOf<${judgeAnswer}>().toExtend<${answer}>()`,
    `  expectTypeOf<NonNullable<Parameters<typeof ${free}>[1]>>().toEqualTypeOf<${args}>()`,
    `  expectTypeOf<Awaited<ReturnType<typeof ${free}>>>().toEqualTypeOf<${answer}>()`,
    `  expectTypeOf<NonNullable<Parameters<${bound}>[0]>>().toEqualTypeOf<${args}>()`,
    `  expectTypeOf<Awaited<ReturnType<${bound}>>>().toEqualTypeOf<${answer}>()`,
    ...Object.entries(tool.reasons).map(
      ([type, reasons]) =>
        `  expectTypeOf<ReasonOf<ErrorOf<typeof ${free}>, "${type}">>().toEqualTypeOf<${reasons.map((reason) => JSON.stringify(reason)).join(" | ")}>()`
    ),
    "}\n"
  ].join("\n")
}

/**
 * Type tests of all tools. The judge is another generator: its types are made from the same document without this
 * folder's code.
 */
export const typeTestFiles = async (documentText: string, model: ApiModel): Promise<Files> =>
  new Map([
    [
      "judge.ts",
      astToString(
        await openapiTypeScript(documentText, { defaultNonNullable: false, immutable: true, alphabetize: false })
      )
    ],
    ["tools.test-d.ts", `${header}\n${model.tools.map(testsOf).join("\n")}`]
  ])
