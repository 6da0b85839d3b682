#!/usr/bin/env node
import { CannotCompile, program } from "./program.js"
import { showSources } from "./sourcePositions.js"
import { keepCode, startProgram } from "./startProgram.js"

try {
  const { main } = await program()
  try {
    startProgram(main)
  } finally {
    // Afterwards, since Effect looks at a stack while it is loaded, and the maps are large.
    showSources(new URL(".", main))
  }
  keepCode(main, ["--version"])?.unref()
} catch (error) {
  if (!(error instanceof CannotCompile)) throw error
  console.error(`gateway: ${error.message}`)
  process.exitCode = 1
}
