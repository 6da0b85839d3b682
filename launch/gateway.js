import { CannotCompile, program } from "./program.js"
import { showSources } from "./sourcePositions.js"

try {
  const { main } = await program()
  // Afterwards, since Effect looks at a stack while it is loaded, and the maps are large.
  await import(main.href).finally(() => showSources(new URL(".", main)))
} catch (error) {
  if (!(error instanceof CannotCompile)) throw error
  console.error(`gateway: ${error.message}`)
  process.exitCode = 1
}
