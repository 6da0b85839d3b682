import { versionName } from "./Releases.ts"

/** The changelog with the section `Unreleased` named after the version, and an empty one above it. */
export const withRelease = (changelog: string, version: string, day: string): string => {
  if (!versionName.test(version)) throw new Error(`${version} is no version such as 1.2.3.`)
  if (changelog.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md already has the release ${version}.`)
  const heading = "## Unreleased\n"
  const at = changelog.indexOf(heading)
  if (at < 0) throw new Error("CHANGELOG.md has no section Unreleased.")
  const section = changelog.slice(at + heading.length)
  // What is said of the state before the release ends with it.
  const changes = section.slice(Math.max(0, section.search(/^### /m)))
  return `${changelog.slice(0, at)}${heading}\n## ${version} - ${day}\n\n${changes}`
}
