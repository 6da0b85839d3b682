import { Array, Option, type ParseResult, SchemaAST } from "effect"

interface FirstIssue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly leaf: ParseResult.ParseIssue
}

const firstIssue = (issue: ParseResult.ParseIssue, path: ReadonlyArray<PropertyKey> = []): FirstIssue => {
  switch (issue._tag) {
    case "Pointer":
      return firstIssue(issue.issue, [...path, ...Array.ensure(issue.path)])
    case "Composite": {
      const [first] = Array.ensure(issue.issues)
      return first === undefined ? { path, leaf: issue } : firstIssue(first, path)
    }
    case "Refinement":
    case "Transformation":
      return firstIssue(issue.issue, path)
    default:
      return { path, leaf: issue }
  }
}

const written = (path: ReadonlyArray<PropertyKey>): string =>
  path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step).slice(0, 50)}`)).join("")

const nameOf = (ast: SchemaAST.AST): string =>
  SchemaAST.getDescriptionAnnotation(ast).pipe(Option.getOrElse(() => String(ast).slice(0, 200)))

/** Where the first problem lies, such as `[3].email`; empty where it is the whole value. */
export const placeOf = (error: ParseResult.ParseError): string => written(firstIssue(error.issue).path)

/**
 * What the first problem of a stranger's value is, in a sentence: where it lies and what belongs there, not what stands
 * there. The library's formatters write down the value too: they die of one that is nested deeply, and take long with a
 * large one.
 */
export const faultOf = (error: ParseResult.ParseError): string => {
  const { leaf, path } = firstIssue(error.issue)
  const place = written(path).replace(/^\./, "")
  if (place === "") return "It is not a JSON object with the members that belong there."
  if (leaf._tag === "Missing") return `${place} is missing.`
  if (leaf._tag === "Unexpected") return `${place} is nothing that belongs there.`
  return leaf._tag === "Type" && "annotations" in leaf.ast
    ? `${place} is not ${nameOf(leaf.ast)}.`
    : `${place} cannot be read.`
}
