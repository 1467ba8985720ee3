/** Says which file a runtime takes for `./client/platform`, and whether it can be used. */
import { make } from "@effective-mcp/http/client/platform"

console.log(`${import.meta.resolve("@effective-mcp/http/client/platform").split("/").at(-1)} ${typeof make}`)
