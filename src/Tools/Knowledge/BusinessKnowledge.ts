import { businessFileIndexingKind } from "../../Services/Knowledge/BusinessFiles.ts"
import * as Tool from "../Core/Tool.ts"
import { listBusinessFaq, listOpenLeadQuestions, removeBusinessFaq, updateBusinessFaq } from "./BusinessFaq.ts"
import { listBusinessFiles, registerBusinessFile, removeBusinessFile } from "./BusinessFiles.ts"
import { getBusiness, getBusinessAssessment, setBusiness } from "./BusinessProfile.ts"

export const BusinessKnowledgeGroup = Tool.group(
  "Business profile, files and FAQ",
  "The account's business profile, and what its agent may quote.",
  [
    getBusiness,
    setBusiness,
    getBusinessAssessment,
    listBusinessFiles,
    registerBusinessFile,
    removeBusinessFile,
    listOpenLeadQuestions,
    listBusinessFaq,
    updateBusinessFaq,
    removeBusinessFaq
  ],
  [businessFileIndexingKind]
)
