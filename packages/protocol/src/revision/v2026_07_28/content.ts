/** Unchanged since 2025-11-25. @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result */
export {
  AudioContent,
  BlobResourceContents,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceContents,
  ResourceLink,
  TextContent,
  TextResourceContents
} from "../v2025_11_25/content.ts"
