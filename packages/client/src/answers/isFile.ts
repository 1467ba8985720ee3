import type { Root } from "@effective-mcp/protocol"

/** Whether a root is a file or a folder: nothing else is one. */
export const isFile = ({ uri }: Root): boolean => /^file:\/\//i.test(uri)
