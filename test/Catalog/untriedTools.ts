import * as fs from "node:fs"
import { Predicate } from "effect"

/** The tools that `docs/reference/dry-runs.md` says cannot be tried, with the service whose answer they need. */
export const untriedTools: ReadonlyMap<string, string> = new Map(
  [
    ...fs
      .readFileSync(new URL("../../docs/reference/dry-runs.md", import.meta.url), "utf8")
      .matchAll(/^\| `([a-z_]+)` \| ([a-z]+) \| /gm)
  ].map(([, tool = "", service = ""]) => [tool, service])
)

/** A browser and a large file take longer on a slow machine than a dry run may. */
const slowTools = new Set(["create_lead_presentation", "screenshot_website"])

/** Whether a dry run ended only because the machine is slow. */
export const isTooSlow = (name: string, failure: unknown): boolean =>
  slowTools.has(name) && Predicate.hasProperty(failure, "reason") && failure.reason === "dry_run_timed_out"
