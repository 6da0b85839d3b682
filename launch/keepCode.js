import { startAndKeep } from "./startProgram.js"

// Runs the program in the first argument as if it had the others alone.
const [node = "", , main = "", ...args] = process.argv
process.argv = [node, main, ...args]
startAndKeep(new URL(main))
