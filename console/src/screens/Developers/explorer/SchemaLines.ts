export interface SchemaLine {
  readonly path: string
  readonly name: string
  readonly depth: number
  readonly type: string
  readonly isOptional: boolean
  readonly description: string
}

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

const nodesOf = (value: unknown): ReadonlyArray<Node> => (Array.isArray(value) ? value.filter(isNode) : [])

const deepest = 6
const prefix = "#/$defs/"

const resolved = (node: Node, root: Node): Node => {
  const reference = node["$ref"]
  const definitions = root["$defs"]
  if (typeof reference !== "string" || !isNode(definitions)) return node
  const target = definitions[reference.slice(prefix.length)]
  return isNode(target) ? { ...target, ...node, $ref: undefined } : node
}

/** The alternatives of a node, without null. */
const alternativesOf = (node: Node, root: Node): ReadonlyArray<Node> => {
  const members = nodesOf(node["anyOf"] ?? node["oneOf"])
  return members.length === 0
    ? [node]
    : members
        .map((member) => resolved(member, root))
        .flatMap((member) => alternativesOf(member, root))
        .filter((member) => member["type"] !== "null")
}

const isNullable = (node: Node): boolean =>
  nodesOf(node["anyOf"] ?? node["oneOf"]).some((member) => member["type"] === "null")

const literalsOf = (node: Node): string | undefined => {
  const values = Array.isArray(node["enum"]) ? node["enum"] : "const" in node ? [node["const"]] : undefined
  return values?.map((value: unknown) => String(value)).join(" | ")
}

const typeOf = (node: Node, root: Node): string => {
  const types = alternativesOf(node, root).map((one) => {
    const literals = literalsOf(one)
    if (literals !== undefined) return literals
    if (one["type"] !== "array") return typeof one["type"] === "string" ? one["type"] : "any"
    const items = isNode(one["items"]) ? resolved(one["items"], root) : {}
    return `${typeOf(items, root)}[]`
  })
  return [...new Set([...types, ...(isNullable(node) ? ["null"] : [])])].join(" | ")
}

/** The members below a node: of an object, of the objects in a list, and of each alternative. */
const membersOf = (node: Node, root: Node): ReadonlyArray<readonly [string, Node, boolean]> => {
  const usedNames = new Set<string>()
  return alternativesOf(node, root).flatMap((one) => {
    if (one["type"] === "array" && isNode(one["items"])) return membersOf(resolved(one["items"], root), root)
    const properties = one["properties"]
    const required = Array.isArray(one["required"]) ? one["required"] : []
    if (!isNode(properties)) return []
    return Object.entries(properties).flatMap(([name, value]: [string, unknown]) => {
      if (!isNode(value) || usedNames.has(name)) return []
      usedNames.add(name)
      return [[name, resolved(value, root), !required.includes(name)] as const]
    })
  })
}

/** Returns a JSON Schema as lines: each member of an answer with its type and its description. */
export const schemaLines = (root: Node): ReadonlyArray<SchemaLine> => {
  const below = (node: Node, path: string, depth: number): ReadonlyArray<SchemaLine> =>
    depth > deepest
      ? []
      : membersOf(node, root).flatMap(([name, member, isOptional]) => {
          const memberPath = path === "" ? name : `${path}.${name}`
          const description = member["description"]
          return [
            {
              path: memberPath,
              name,
              depth,
              type: typeOf(member, root),
              isOptional,
              description: typeof description === "string" ? description : ""
            },
            ...below(member, memberPath, depth + 1)
          ]
        })
  return below(resolved(root, root), "", 0)
}
