import { limits } from "@effective-mcp/protocol"
import { type Listener, telling } from "./lastWords.ts"

/**
 * Cuts a text into its lines, each told without its end. What follows the last line end is told when the text ends; a
 * line of more than `most` characters comes in pieces.
 */
export const stderrLines = (onLine: (line: string) => unknown, most: number = limits.stderrLine): Listener => {
  let line = ""
  const say = (said: string): void => telling(() => onLine(said))
  const add = (text: string): void => {
    line += text
    while (line.length > most) {
      say(line.slice(0, most))
      line = line.slice(most)
    }
  }
  const end = (): void => {
    say(line.endsWith("\r") ? line.slice(0, -1) : line)
    line = ""
  }
  return {
    onText: (text) => {
      for (const [at, part] of text.split("\n").entries()) {
        if (at > 0) end()
        add(part)
      }
    },
    onEnd: () => {
      if (line !== "") end()
    }
  }
}
