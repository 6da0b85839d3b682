import { Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { learningsMigration } from "./Migrations.ts"

/** What the account taught its agent. */
export const LearningsRoom = Room.make({ migrations: [learningsMigration], layer: Layer.empty })
