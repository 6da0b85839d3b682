/** A node of a plan, as `explain (verbose, format json)` returns it. */
export interface PlanNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Alias?: string
  readonly Plans?: ReadonlyArray<PlanNode>
  readonly [property: string]: unknown
}

/** Properties with conditions on columns: `Index Cond`, `Hash Cond`, `Filter`, … */
const isCondition = (property: string): boolean => /(?:Cond|Filter|Merge Cond|Recheck Cond)$/.test(property)

const nodesOf = (node: PlanNode): ReadonlyArray<PlanNode> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const comparison = /"?([\w*$ ]+?)"?\.account_id = (?:ANY \()?(?:"?([\w*$ ]+?)"?\.(\w+)|[^\s)]+)/g

/**
 * The tables of `tables` that a plan reads without limiting them to an account, neither by a value nor by a join with a
 * limited table. Rows from another part of the plan get their account there.
 */
export const unboundTables = (plan: PlanNode, tables: ReadonlySet<string>): ReadonlyArray<string> => {
  const nodes = nodesOf(plan)
  const scans = new Map<string, string>()
  for (const { Alias: alias, "Node Type": type, "Relation Name": table } of nodes) {
    if (table !== undefined && alias !== undefined && type !== "ModifyTable" && tables.has(table))
      scans.set(alias, table)
  }
  const bound = new Set<string>()
  const joined: Array<readonly [string, string]> = []
  for (const node of nodes) {
    for (const [property, value] of Object.entries(node)) {
      if (!isCondition(property) || typeof value !== "string") continue
      for (const [, alias = "", other, column] of value.matchAll(comparison)) {
        if (other !== undefined && column === "account_id" && scans.has(other)) joined.push([alias, other])
        else bound.add(alias)
      }
      // The reverse order: a value or another column is compared with the account.
      for (const [, other, column, alias = ""] of value.matchAll(
        /(?:"?([\w*$ ]+?)"?\.(\w+)|[^\s(]+) = "?([\w*$ ]+?)"?\.account_id\b/g
      )) {
        if (other !== undefined && column === "account_id" && scans.has(other)) joined.push([alias, other])
        else bound.add(alias)
      }
    }
  }
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false
    for (const [one, other] of joined) {
      if (bound.has(one) === bound.has(other)) continue
      bound.add(one).add(other)
      hasGrown = true
    }
  }
  return [...scans].flatMap(([alias, table]) => (bound.has(alias) ? [] : [table])).sort()
}
