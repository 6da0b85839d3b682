import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { CannotCompile, program } from "./program.js"
import { keepCode } from "./startProgram.js"

try {
  const { main } = await program()
  const keeping = keepCode(main, ["--version"])
  if (keeping !== undefined) await once(keeping, "exit").catch(() => undefined)
  console.log(`compiled: ${fileURLToPath(main)}`)
} catch (error) {
  if (!(error instanceof CannotCompile)) throw error
  console.error(`gateway: ${error.message}`)
  process.exitCode = 1
}
