import type { Vendor } from "./Vendor.ts"

const readOn = "2026-11-26"
const openAiSdk = "github.com/openai/openai-node 7.5.0"
const openAiModels = "developers.openai.com/api/docs/deprecations"
const anthropicSdk = "github.com/anthropics/anthropic-sdk-typescript 0.120.0"
const anthropicGuide = "platform.claude.com, Claude Sonnet 5.5 migration guide"

/** Providers of models that write, read, draw and film. */
export const modelVendors: ReadonlyArray<Vendor> = [
  {
    vendor: "anthropic",
    title: "Anthropic",
    interfaces: [
      { name: "Messages, models", version: "2023-06-01", endsOn: "none announced", source: anthropicSdk, readOn },
      {
        name: "Default language model",
        version: "claude-sonnet-5-5",
        endsOn: "none announced",
        source: anthropicGuide,
        readOn
      }
    ],
    checked: [
      "Requests and answers of messages and of a model's page, against schemas written from the SDK's types",
      "Forced tools, thinking budgets and sampling are not sent, as the migration guide asks"
    ],
    unverified: [
      "the words of a refusal of `output_config` (a refusal that names it, a schema or a grammar leads to a tool)",
      "when a model will be retired: the interface does not say, and a retired one answers 404"
    ]
  },
  {
    vendor: "openai",
    title: "OpenAI",
    interfaces: [
      { name: "Chat completions, models", version: "v1", endsOn: "none announced", source: openAiSdk, readOn },
      {
        name: "Default language model",
        version: "gpt-6.1-sol",
        endsOn: "none announced",
        source: openAiModels,
        readOn
      }
    ],
    checked: [
      "Requests and answers of chat completions and of a model's page, against schemas written from the SDK's types"
    ],
    unverified: ["the words of a refusal of `reasoning_effort` (a refusal that names it leaves it out)"]
  }
]
