/** How a lean server is to be run, and what it does. */
export interface Lean {
  /** Runs first, in the shell. */
  readonly first?: string
  /** Branches of the `case` over each line, tried before its own. `$id` is the id of the request. */
  readonly cases?: string
}

/** Answers with a result, in which variables of the shell's stand as `'"$x"'`. */
export const result = (json: string): string => `echo '{"jsonrpc":"2.0","id":'"$id"',"result":${json}}'`

const info = `"serverInfo":{"name":"lean","version":"1.0.0"}`

/** Answers every line that has `pattern` in it. */
export const branch = (pattern: string, json: string): string => `*'${pattern}'*) ${result(json)};;`

/**
 * A legacy server in the language of the system's shell, which starts in 2 ms. It says its pid on stderr, and never answers a
 * request that has `hold` in it.
 */
export const lean = ({ cases = "", first = "" }: Lean = {}): {
  readonly command: string
  readonly args: Array<string>
} => ({
  command: "sh",
  args: [
    "-c",
    `${first}
echo "pid $$" >&2
while IFS= read -r line; do
  id=\${line#*'"id":'}; id=\${id%%[,\\}]*}
  case $line in
    ${cases}
    *'"hold"'*) ;;
    ${branch('"initialize"', `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},${info}}`)}
    ${branch('"tools/list"', `{"tools":[]}`)}
    ${branch('"tools/call"', `{"content":[],"structuredContent":{"pid":'"$$"'}}`)}
    ${branch('"ping"', `{}`)}
    *'"id":'*) echo '{"jsonrpc":"2.0","id":'"$id"',"error":{"code":-32601,"message":"Method not found"}}';;
  esac
done`
  ]
})

/**
 * Branches that make a modern server of it, which says on stderr what it is asked to tell of, and what of that no more.
 * With `only`, a condition of the shell's, they count while that holds.
 */
export const modern = (only = "true"): string => `
    *'"server/discover"'*) if ${only}; then
      ${result(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private"}`)}
      else echo '{"jsonrpc":"2.0","id":'"$id"',"error":{"code":-32601,"message":"Method not found"}}'; fi;;
    *'"subscriptions/listen"'*) echo "listen $id by $$" >&2
      echo '{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":'"$id"'}}}';;
    *'"notifications/cancelled"'*) id=\${line#*'"requestId":'}; id=\${id%%[,\\}]*}; echo "cancel $id by $$" >&2;;`
