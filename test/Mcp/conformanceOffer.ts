import { createHash } from "node:crypto"
import { Effect } from "effect"
import type { Offer } from "../../src/Api/Mcp/Engine.ts"
import {
  invalidParams,
  isObject,
  type JsonObject,
  membersOf,
  objectOf,
  type Problem
} from "../../src/Api/Mcp/Protocol.ts"
import type { TaskBox } from "../../src/Api/Mcp/Tasks.ts"
import { type CallScope, complete, type McpTool, type Outcome } from "../../src/Api/Mcp/Toolbox.ts"

/** A picture of one pixel, and a sound of no length. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="

const text = (content: string): JsonObject => ({ type: "text", text: content })
const image: JsonObject = { type: "image", data: png, mimeType: "image/png" }
const result = (...content: ReadonlyArray<JsonObject>): Outcome => complete(membersOf({ content }))

type Call = (args: JsonObject, scope: CallScope) => Effect.Effect<Outcome, Problem>

const tool = (name: string, call: Call, inputSchema: JsonObject = { type: "object" }): McpTool<never> => ({
  name,
  definition: { name, description: `Fixture of the conformance suite: ${name}.`, inputSchema },
  call: ({ args }, scope) => call(args, scope)
})

const answers =
  (...content: ReadonlyArray<JsonObject>): Call =>
  () =>
    Effect.succeed(result(...content))

const asked = { tool: "fixture", digest: "" }

const elicitation = (message: string, requestedSchema: JsonObject): JsonObject => ({
  method: "elicitation/create",
  params: { mode: "form", message, requestedSchema }
})

const form = (properties: JsonObject): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties)
})

const inputRequired = (inputRequests: JsonObject, requestState?: string): Outcome => ({
  type: "input_required",
  members: membersOf({ inputRequests, ...(requestState === undefined ? {} : { requestState }) })
})

const seal = (state: string): string => `${state}.${createHash("sha256").update(`fixture ${state}`).digest("hex")}`
const isSealed = (state: string | undefined, expected: string): boolean => state === seal(expected)

const accepted = (answer: unknown): JsonObject | undefined =>
  isObject(answer) && answer["action"] === "accept" && isObject(answer["content"]) ? answer["content"] : undefined

const question = { user_name: elicitation("What is your name?", form({ name: { type: "string" } })) }
const confirmation = { confirm: elicitation("Please confirm", form({ ok: { type: "boolean" } })) }
const sampling = (prompt: string, maxTokens: number): JsonObject => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: text(prompt) }], maxTokens }
})
const roots = { method: "roots/list", params: {} }

const declared = (scope: CallScope, name: string): boolean => isObject(scope.capabilities[name])

const onlyDeclared = (scope: CallScope, requests: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(requests).filter(([, request]) => {
      const method = String(objectOf(request)["method"])
      return declared(
        scope,
        method.startsWith("sampling") ? "sampling" : method.startsWith("roots") ? "roots" : "elicitation"
      )
    })
  )

/** Asks once for everything in `requests`, and is done when all of it came. */
const rounds =
  (requests: JsonObject, done: (responses: JsonObject) => string | undefined, state?: string): Call =>
  (_args, scope) => {
    if (state !== undefined && scope.requestState !== undefined && !isSealed(scope.requestState, state)) {
      return Effect.fail(invalidParams("The request state is not ours."))
    }
    const said = done(scope.inputResponses ?? {})
    const isReady = said !== undefined && (state === undefined || isSealed(scope.requestState, state))
    return Effect.succeed(
      isReady
        ? result(text(said))
        : inputRequired(onlyDeclared(scope, requests), state === undefined ? undefined : seal(state))
    )
  }

const pause = Effect.sleep("20 millis")

const withProgress: Call = (_args, scope) =>
  Effect.gen(function* () {
    for (const progress of [0, 50, 100]) {
      const progressToken = scope.meta["progressToken"]
      if (progressToken !== undefined) scope.notify("notifications/progress", { progressToken, progress, total: 100 })
      yield* pause
    }
    return result(text("Done."))
  })

const withLogging: Call = (_args, scope) =>
  Effect.gen(function* () {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      const isWanted = scope.era === "legacy" || scope.meta["io.modelcontextprotocol/logLevel"] !== undefined
      if (isWanted) scope.notify("notifications/message", { level: "info", logger: "fixture", data })
      yield* pause
    }
    return result(text("Done."))
  })

const asks =
  (method: string, params: (args: JsonObject) => JsonObject, said: (answer: JsonObject) => string): Call =>
  (args, scope) =>
    Effect.map(scope.ask(method, params(args), asked), (answer) => result(text(said(objectOf(answer)))))

const elicits = (message: (args: JsonObject) => string, requestedSchema: JsonObject): Call =>
  asks(
    "elicitation/create",
    (args) => ({ message: message(args), requestedSchema }),
    (answer) =>
      `Elicitation completed: action=${String(answer["action"])}, content=${JSON.stringify(answer["content"])}`
  )

const texts = ["string", "string"]
const titled = ["value1", "value2", "value3"].map((value, index) => ({ const: value, title: `Option ${index + 1}` }))
const options = ["option1", "option2", "option3"]

const schema2020: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } }
    }
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" }
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false
}

const multiRound: Call = (_args, scope) => {
  const ask = (step: string, message: string, name: string): Outcome =>
    inputRequired({ [step]: elicitation(message, form({ [name]: { type: "string" } })) }, seal(step))
  const responses = scope.inputResponses ?? {}
  if (isSealed(scope.requestState, "step2") && accepted(responses["step2"]) !== undefined) {
    return Effect.succeed(result(text("All steps are done.")))
  }
  if (isSealed(scope.requestState, "step1") && accepted(responses["step1"]) !== undefined) {
    return Effect.succeed(ask("step2", "Step 2: What is your favorite color?", "color"))
  }
  return Effect.succeed(ask("step1", "Step 1: What is your name?", "name"))
}

const nameOf = (responses: JsonObject): string | undefined => {
  const name = accepted(responses["user_name"])?.["name"]
  return typeof name === "string" ? `Hello, ${name}!` : undefined
}

const tools: ReadonlyArray<McpTool<never>> = [
  tool("test_simple_text", answers(text("This is a simple text response for testing."))),
  tool("test_image_content", answers(image)),
  tool("test_audio_content", answers({ type: "audio", data: wav, mimeType: "audio/wav" })),
  tool(
    "test_embedded_resource",
    answers({
      type: "resource",
      resource: {
        uri: "test://embedded-resource",
        mimeType: "text/plain",
        text: "This is an embedded resource content."
      }
    })
  ),
  tool(
    "test_multiple_content_types",
    answers(text("Multiple content types test:"), image, {
      type: "resource",
      resource: {
        uri: "test://mixed-content-resource",
        mimeType: "application/json",
        text: '{"test":"data","value":123}'
      }
    })
  ),
  tool("test_tool_with_logging", withLogging),
  tool("test_logging_tool", withLogging),
  tool("test_tool_with_progress", withProgress),
  tool("test_streaming_elicitation", withProgress),
  tool("test_error_handling", () =>
    Effect.succeed(
      complete(membersOf({ content: [text("This tool intentionally returns an error for testing")], isError: true }))
    )
  ),
  tool(
    "test_sampling",
    asks(
      "sampling/createMessage",
      ({ prompt }) => objectOf(sampling(String(prompt), 100)["params"]),
      (answer) => `LLM response: ${JSON.stringify(answer["content"])}`
    )
  ),
  tool(
    "test_elicitation",
    elicits(({ message }) => String(message), form({ username: { type: "string" }, email: { type: "string" } }))
  ),
  tool(
    "test_elicitation_sep1034_defaults",
    elicits(() => "Please check the defaults", {
      ...form({
        name: { type: texts[0], default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true }
      }),
      required: []
    })
  ),
  tool(
    "test_elicitation_sep1330_enums",
    elicits(() => "Please choose", {
      ...form({
        untitledSingle: { type: "string", enum: options },
        titledSingle: { type: "string", oneOf: titled },
        legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["One", "Two", "Three"] },
        untitledMulti: { type: "array", items: { type: "string", enum: options } },
        titledMulti: { type: "array", items: { anyOf: titled } }
      }),
      required: []
    })
  ),
  tool("test_reconnection", answers(text("Reconnected."))),
  tool("test_missing_capability", (_args, scope) =>
    declared(scope, "sampling")
      ? Effect.succeed(result(text("The client can sample.")))
      : Effect.fail({
          _tag: "Problem",
          status: 400,
          code: -32021,
          message: "The client cannot sample.",
          data: { requiredCapabilities: { sampling: {} } }
        })
  ),
  tool("json_schema_2020_12_tool", answers(text("Valid.")), schema2020),
  tool("test_input_required_result_elicitation", rounds(question, nameOf)),
  tool(
    "test_input_required_result_sampling",
    rounds({ capital_question: sampling("What is the capital of France?", 100) }, ({ capital_question: answer }) =>
      isObject(answer) ? JSON.stringify(answer["content"]) : undefined
    )
  ),
  tool(
    "test_input_required_result_list_roots",
    rounds({ client_roots: roots }, ({ client_roots: answer }) =>
      isObject(answer) ? JSON.stringify(answer["roots"]) : undefined
    )
  ),
  tool(
    "test_input_required_result_request_state",
    rounds(confirmation, ({ confirm }) => (accepted(confirm) === undefined ? undefined : "state-ok"), "state")
  ),
  tool(
    "test_input_required_result_tampered_state",
    rounds(confirmation, ({ confirm }) => (accepted(confirm) === undefined ? undefined : "state-ok"), "tampered")
  ),
  tool(
    "test_input_required_result_multiple_inputs",
    rounds(
      { ...question, greeting: sampling("Generate a greeting", 50), client_roots: roots },
      (responses) =>
        isObject(responses["greeting"]) && isObject(responses["client_roots"]) ? nameOf(responses) : undefined,
      "multiple"
    )
  ),
  tool("test_input_required_result_multi_round", multiRound),
  tool("test_input_required_result_capabilities", rounds({ ...question, greeting: sampling("Greet", 50) }, nameOf)),
  tool("test_trigger_tool_change", answers(text("Lists do not change."))),
  tool("test_trigger_prompt_change", answers(text("Lists do not change.")))
]

const prompt = (name: string, args: ReadonlyArray<string>) => ({
  definition: {
    name,
    description: `Fixture of the conformance suite: ${name}.`,
    arguments: args.map((argument) => ({ name: argument, description: "An argument.", required: true }))
  }
})

const user = (content: JsonObject): JsonObject => ({ role: "user", content })
const messages = (...list: ReadonlyArray<JsonObject>): Effect.Effect<Outcome> =>
  Effect.succeed(complete(membersOf({ messages: list })))

const getPrompt = (params: JsonObject, scope: CallScope): Effect.Effect<Outcome, Problem> => {
  const args = objectOf(params["arguments"])
  switch (params["name"]) {
    case "test_simple_prompt":
      return messages(user(text("This is a simple prompt for testing.")))
    case "test_prompt_with_arguments":
      return messages(
        user(text(`Prompt with arguments: arg1='${String(args["arg1"])}', arg2='${String(args["arg2"])}'`))
      )
    case "test_prompt_with_embedded_resource":
      return messages(
        user({
          type: "resource",
          resource: { uri: args["resourceUri"], mimeType: "text/plain", text: "Embedded resource content for testing." }
        }),
        user(text("Please process the embedded resource above."))
      )
    case "test_prompt_with_image":
      return messages(user(image), user(text("Please analyze the image above.")))
    case "test_input_required_result_prompt": {
      const context = accepted(scope.inputResponses?.["user_context"])?.["context"]
      return typeof context === "string"
        ? messages(user(text(`Context: ${context}`)))
        : Effect.succeed(
            inputRequired({
              user_context: elicitation("What context should the prompt use?", form({ context: { type: "string" } }))
            })
          )
    }
    default:
      return Effect.fail(invalidParams("There is no prompt with this name."))
  }
}

const resource = (uri: string, mimeType: string, content: JsonObject): string =>
  membersOf({ contents: [{ uri, mimeType, ...content }] })

const readResource = (uri: string): string | undefined => {
  if (uri === "test://static-text") {
    return resource(uri, "text/plain", { text: "This is the content of the static text resource." })
  }
  if (uri === "test://static-binary") return resource(uri, "image/png", { blob: png })
  if (uri === "test://watched-resource") return resource(uri, "text/plain", { text: "Watched." })
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  return id === undefined
    ? undefined
    : resource(uri, "application/json", {
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      })
}

const noTasks: TaskBox<never> = {
  get: () => Effect.fail(invalidParams("There is no task with this id.")),
  update: () => Effect.fail(invalidParams("There is no task with this id.")),
  cancel: () => Effect.fail(invalidParams("There is no task with this id."))
}

/** What the conformance suite calls: its fixtures on the product's own engine. */
export const conformanceOffer: Offer<never> = {
  instructions: "Fixtures of the conformance suite.",
  toolbox: {
    tools,
    get: (name) => tools.find((one) => one.name === name),
    nearest: () => undefined
  },
  resources: {
    resources: ["static-text", "static-binary", "watched-resource"].map((name) => ({
      uri: `test://${name}`,
      name,
      description: "A fixture.",
      mimeType: name === "static-binary" ? "image/png" : "text/plain"
    })),
    templates: [
      {
        uriTemplate: "test://template/{id}/data",
        name: "template",
        description: "A fixture.",
        mimeType: "application/json"
      }
    ],
    skills: Effect.succeed([]),
    hasNews: () => false,
    follow: () => Effect.void,
    read: (uri) => Effect.succeed(readResource(uri))
  },
  prompts: {
    prompts: [
      prompt("test_simple_prompt", []),
      prompt("test_prompt_with_arguments", ["arg1", "arg2"]),
      prompt("test_prompt_with_embedded_resource", ["resourceUri"]),
      prompt("test_prompt_with_image", []),
      prompt("test_input_required_result_prompt", [])
    ],
    get: getPrompt,
    complete: () => Effect.succeed(membersOf({ completion: { values: [], total: 0, hasMore: false } }))
  },
  tasks: noTasks,
  extensions: {}
}
