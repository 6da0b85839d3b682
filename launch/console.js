import { fileURLToPath } from "node:url"
import { builtConsole, CannotBuildConsole } from "./consoleBuild.js"

// Prints the folder of the built console as JSON, and builds it before if it has to. The gateway runs it as a child process.
try {
  console.log(JSON.stringify(await builtConsole(fileURLToPath(new URL("..", import.meta.url)))))
} catch (error) {
  if (!(error instanceof CannotBuildConsole)) throw error
  console.error(error.message)
  process.exitCode = 1
}
