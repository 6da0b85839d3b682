import type { Vendor } from "./Vendor.ts"

const readOn = "2026-11-26"
const openAiSdk = "github.com/openai/openai-node 7.5.0"
const openAiModels = "developers.openai.com/api/docs/deprecations"
const geminiSdk = "github.com/googleapis/js-genai 2.18.0"
const anthropicSdk = "github.com/anthropics/anthropic-sdk-typescript 0.120.0"
const anthropicGuide = "platform.claude.com, Claude Sonnet 5.5 migration guide"

/** Providers of models that write, read, draw and make videos. */
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
      {
        name: "Chat completions, embeddings, models",
        version: "v1",
        endsOn: "none announced",
        source: openAiSdk,
        readOn
      },
      {
        name: "Default language model",
        version: "gpt-6.1-sol",
        endsOn: "none announced",
        source: openAiModels,
        readOn
      },
      { name: "Images", version: "v1", endsOn: "none announced", source: openAiSdk, readOn },
      {
        name: "Default image models",
        version: "gpt-image-2.6-sunburst, gpt-image-2.6-flare",
        endsOn: "none announced",
        source: openAiModels,
        readOn
      }
    ],
    checked: [
      "Requests for images and edits, against schemas written from the SDK's types",
      "Requests and answers of chat completions, of embeddings and of a model's page, against schemas written from the SDK's types"
    ],
    unverified: ["the words of a refusal of `reasoning_effort` (a refusal that names it leaves it out)"]
  },
  {
    vendor: "gemini",
    title: "Google Gemini",
    interfaces: [
      { name: "Interactions, models", version: "v1beta", endsOn: "none announced", source: geminiSdk, readOn },
      {
        name: "Default video model",
        version: "gemini-omni-1.1-flash",
        endsOn: "none announced",
        source: "ai.google.dev/gemini-api/docs/deprecations",
        readOn
      },
      {
        name: "Default image models",
        version: "gemini-3-pro-image, gemini-3.1-flash-image",
        endsOn: "none announced",
        source: "ai.google.dev/gemini-api/docs/changelog",
        readOn
      }
    ],
    checked: ["Requests and answers of interactions, against schemas written from the SDK's types"],
    unverified: [
      "whether `gemini-omni-1.1-flash` takes a length (where it refuses one, the prompt asks for it)",
      "the address of a finished video (one of a file's description is downloaded as the file)"
    ]
  },
  {
    vendor: "replicate",
    title: "Replicate",
    interfaces: [
      {
        name: "Predictions of models",
        version: "v1",
        endsOn: "none announced",
        source: "github.com/replicate/replicate-javascript 1.4.0",
        readOn
      },
      {
        name: "Default video model",
        version: "bytedance/seedance-1-pro",
        endsOn: "none announced",
        source: "replicate.com/bytedance/seedance-1-pro",
        readOn
      }
    ],
    checked: [
      "Requests and answers of predictions, against schemas written from the client's types and the model's page"
    ],
    unverified: ["when the default model ends: Replicate announces no dates, and a model that is gone answers 404"]
  }
]
