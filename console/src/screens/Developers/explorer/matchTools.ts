interface Described {
  readonly name: string
  readonly group: string
  readonly description: string
}

/**
 * Returns the tools that contain every word, in their groups. Tools with the words in their name come first in a group.
 */
export const matchTools = <Tool extends Described>(
  tools: ReadonlyArray<Tool>,
  query: string
): ReadonlyArray<readonly [string, ReadonlyArray<Tool>]> => {
  const words = query
    .toLowerCase()
    .split(/[\s_]+/)
    .filter((word) => word !== "")
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const matches = tools.filter(({ description, group, name }) => has(`${name} ${group} ${description}`))
  return [...new Set(matches.map(({ group }) => group))].map((group) => {
    const list = matches.filter((tool) => tool.group === group)
    return [group, [...list.filter(({ name }) => has(name)), ...list.filter(({ name }) => !has(name))]]
  })
}
