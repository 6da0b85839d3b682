import * as Tool from "../Core/Tool.ts"
import { getBusiness, getBusinessAssessment, setBusiness } from "./BusinessProfile.ts"

export const BusinessKnowledgeGroup = Tool.group(
  "Business profile, files and FAQ",
  "What the account says of itself, and what its agent may quote.",
  [getBusiness, getBusinessAssessment, setBusiness]
)
