import { setPriority } from "node:os"

// Imported first by the program of a thread, before what it has to load. On Linux this is of the calling thread alone: where
// processors are short, whoever answers calls goes on before strangers' files are read.
try {
  setPriority(10)
} catch {
  // A system that lets no thread be nicer still reads them.
}
