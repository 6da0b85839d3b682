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

const pathText = (path: ReadonlyArray<PropertyKey>): string =>
  path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step).slice(0, 50)}`)).join("")

const nameOf = (ast: SchemaAST.AST): string =>
  SchemaAST.getDescriptionAnnotation(ast).pipe(Option.getOrElse(() => String(ast).slice(0, 200)))

/** The path of the first problem, such as `[3].email`. Empty if the whole value is wrong. */
export const placeOf = (error: ParseResult.ParseError): string => pathText(firstIssue(error.issue).path)

/**
 * Describes the first problem of an untrusted value: its path and what is expected there, without the value itself. The
 * library's own formatters also print the value. They overflow the stack on deep nesting and are slow for large values.
 */
export const faultOf = (error: ParseResult.ParseError): string => {
  const { leaf, path } = firstIssue(error.issue)
  const place = pathText(path).replace(/^\./, "")
  if (place === "") return "It is not a JSON object with the members that belong there."
  if (leaf._tag === "Missing") return `${place} is missing.`
  if (leaf._tag === "Unexpected") return `${place} is nothing that belongs there.`
  return leaf._tag === "Type" && "annotations" in leaf.ast
    ? `${place} is not ${nameOf(leaf.ast)}.`
    : `${place} cannot be read.`
}
