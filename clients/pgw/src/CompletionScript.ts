export const shells = ["bash", "zsh", "fish"] as const
export type Shell = (typeof shells)[number]

/**
 * The library writes the case of a nested command as `pgw,call,whoami`, and looks for `pgw__call,whoami`. So it would
 * complete no parameter of a tool.
 */
const mendedBash = (script: string): string =>
  script.replaceAll(
    /^( +)([\w,]+),(\w+)\)$/gm,
    (_, indent: string, parents: string, name: string) => `${indent}${parents.replaceAll(",", "__")},${name})`
  )

/** The library excludes each sibling by name in the line of each sibling, which are megabytes for the tools. */
const mendedFish = (script: string): string =>
  script.replaceAll(/(?:; and not __fish_seen_subcommand_from [\w-]+)+/g, "; and test (count (commandline -opc)) -eq 2")

/** The library's script for a shell, with its faults mended. */
export const mendedCompletion = (shell: Shell, script: string): string => {
  switch (shell) {
    case "bash":
      return mendedBash(script)
    case "fish":
      return mendedFish(script)
    case "zsh":
      return script
  }
}
