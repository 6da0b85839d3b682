import { fileURLToPath } from "node:url"
import { CannotCompile, program } from "./program.js"

try {
  const { main } = await program()
  console.log(`compiled: ${fileURLToPath(main)}`)
} catch (error) {
  if (!(error instanceof CannotCompile)) throw error
  console.error(`gateway: ${error.message}`)
  process.exitCode = 1
}
