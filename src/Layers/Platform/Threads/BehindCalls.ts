import { giveWay } from "./GiveWay.ts"

// Imported first by the program of a thread that reads strangers' files, before what it has to load.
giveWay(10)
