// Where the sources run as they are, in tests: a worker thread starts from JavaScript, so it is the compiled one.
import { program } from "../../../../launch/program.js"

const { compiled } = await program()
await import(compiled(import.meta.url).href)
