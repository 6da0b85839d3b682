// Tests run the sources directly. A worker thread needs JavaScript, so this starts the compiled program.
import { program } from "../../../../launch/program.js"

const { compiled } = await program()
await import(compiled(import.meta.url).href)
