import { Layer } from "effect"
import { TestDatabase } from "../support/TestDatabase.ts"
import { companyLayers } from "./CompanyLayers.ts"

/** Acquisition and what it asks, on a database of the test file's own. */
export const CompanyServices = Layer.provideMerge(companyLayers, TestDatabase)
