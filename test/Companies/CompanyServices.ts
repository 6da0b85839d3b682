import { Layer } from "effect"
import { TestDatabase } from "../support/TestDatabase.ts"
import { companyLayers } from "./CompanyLayers.ts"

/** Acquisition with the services that it needs, on this test file's database. */
export const CompanyServices = Layer.provideMerge(companyLayers, TestDatabase)
