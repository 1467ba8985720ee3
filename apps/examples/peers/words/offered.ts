import { offer } from "../servers/Offer.ts"
import type { Words } from "../Words.ts"

const { bytes, form, greeting, notes, page, template, tools } = offer

/** How the servers of this folder's neighbour are asked, all of them in the same words. */
export const offered: Words = {
  server: offer.info.name,
  instructions: offer.instructions,
  echo: (text) => ({ tool: tools.echo, args: { text }, text }),
  output: { tool: tools.add, args: { a: 19, b: 23 }, content: { sum: 42 } },
  failure: { tool: tools.fail, text: offer.failure },
  progress: { tool: tools.count, args: { count: 3 }, times: 3, text: "counted to 3" },
  cancellation: (key) => ({
    wait: { tool: tools.wait, args: { key } },
    stopped: { tool: tools.stopped, args: { key }, text: "it was cancelled" }
  }),
  logs: {
    tool: tools.log,
    args: { text: "it goes on" },
    level: "notice",
    heard: { level: "notice", logger: "peer", data: "it goes on" }
  },
  resources: notes,
  bytes,
  pageSize: offer.pageSize,
  template: {
    uri: template.uri,
    expanded: "item://apple",
    text: template.text("apple"),
    completes: { name: "id", value: "ap", values: ["apple", "apricot"] }
  },
  prompt: {
    name: greeting.name,
    args: { name: "Ada" },
    text: greeting.text("Ada"),
    completes: { prompt: greeting.name, name: greeting.argument, value: "Ad", values: ["Ada", "Adele"] }
  },
  form: { tool: tools.form, message: form.message, text: "accept Ada" },
  page: { tool: tools.page, url: page.url, text: "accept" },
  signIn: { tool: tools.signIn },
  model: { tool: tools.model, prompt: offer.prompt, text: "in 7" },
  where: { tool: tools.where },
  grow: (name) => ({ tool: tools.grow, args: { name }, list: "tools" }),
  touch: { tool: tools.touch, uri: notes[0]!.uri }
}
