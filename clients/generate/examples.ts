import type { Files } from "./typescript.ts"

const blocksOf = (markdown: string, language: string): ReadonlyArray<string> =>
  [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, of, text = ""]) => (of === language ? [text] : []))

/** The examples of a document as one program, which is type-checked and run. */
export const examplePrograms = (typescriptReadme: string): Files =>
  new Map([["readme.ts", blocksOf(typescriptReadme, "ts").join("\n")]])

/** The same of the document for Python. */
export const pythonProgram = (readme: string): string => blocksOf(readme, "python").join("\n")

/** The programs of the quick starts, by the name of the document. */
export const quickStartPrograms = (name: string, markdown: string): Files =>
  new Map([
    [`${name}.ts`, blocksOf(markdown, "ts").join("\n")],
    [`${name}.py`, blocksOf(markdown, "python").join("\n")]
  ])
