import type { Words } from "../Words.ts"

const page = "https://example.com/page?a=b"

/** How the reference server is asked. */
export const everything: Words = {
  server: "mcp-servers/everything",
  instructions: "everything",
  echo: (text) => ({ tool: "echo", args: { message: text }, text: `Echo: ${text}` }),
  output: {
    tool: "get-structured-content",
    args: { location: "Chicago" },
    content: { temperature: 36, conditions: "Light rain / drizzle", humidity: 82 }
  },
  failure: { tool: "get-sum", args: { a: "no number", b: 1 }, text: "Invalid arguments" },
  progress: { tool: "trigger-long-running-operation", args: { duration: 0.02, steps: 2 }, times: 2, text: "completed" },
  logs: { tool: "toggle-simulated-logging", level: "debug" },
  resources: [{ uri: "demo://resource/static/document/features.md", text: "## Tools" }],
  bytes: { uri: "demo://resource/dynamic/blob/3" },
  template: {
    uri: "demo://resource/dynamic/text/{resourceId}",
    expanded: "demo://resource/dynamic/text/3",
    text: "Resource 3",
    completes: { name: "resourceId", value: "3", values: ["3"] }
  },
  prompt: {
    name: "args-prompt",
    args: { city: "Bern" },
    text: "Bern",
    completes: { prompt: "completable-prompt", name: "department", value: "E", values: ["Engineering"] }
  },
  form: { tool: "trigger-elicitation-request", message: "Please provide inputs", text: "Ada" },
  page: { tool: "trigger-url-elicitation", args: { url: page }, url: page, text: "accept" },
  signIn: { tool: "trigger-url-elicitation", args: { url: page, errorPath: true } },
  model: { tool: "trigger-sampling-request", args: { prompt: "hi", maxTokens: 7 }, prompt: "hi", text: "in 7" },
  where: { tool: "get-roots-list" },
  grow: (name) => ({
    tool: "gzip-file-as-resource",
    args: { name, data: "data:text/plain,hi", outputType: "resource" },
    list: "resources"
  }),
  touch: { tool: "toggle-subscriber-updates", uri: "demo://resource/static/document/features.md" }
}
