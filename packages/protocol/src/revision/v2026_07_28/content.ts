export {
  Annotations,
  AudioContent,
  BlobResourceContents,
  ContentBlock,
  EmbeddedResource,
  Icon,
  ImageContent,
  ResourceLink,
  TextContent,
  TextResourceContents
} from "../v2025_11_25/content.ts"
