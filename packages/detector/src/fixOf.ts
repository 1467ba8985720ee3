import { clip, ErrorCode, quote } from "@effective-mcp/protocol"
import type { Situation } from "./Situation.ts"
import type { Reason } from "./ConnectTargetError.ts"

const unreachable: Readonly<Record<string, string>> = {
  ENOENT: "Check the spelling, that it is installed, and that PATH (or cwd) of this process leads to it.",
  ENOTDIR: "Check cwd: it is a file.",
  EACCES: "It may not be run: check that it is a program, and its permissions (chmod +x).",
  NotCapable:
    "This runtime does not let the program do that: give it the permission (--allow-run, --allow-net, --allow-env).",
  ECONNREFUSED: "Nobody listens there: is the server running, and at this port?",
  ENOTFOUND: "There is no such host: check the spelling and the network.",
  ETIMEDOUT: "The host does not answer: check the address, the network and any firewall.",
  EHOSTUNREACH: "There is no way to the host: check the network.",
  ENETUNREACH: "There is no way to the host: check the network."
}

const CERTIFICATE = /CERT|TLS|SSL|SELF_SIGNED|VERIFY|HOSTNAME_MISMATCH/

/** A command that begins as the name of a host would. */
const LIKE_HOST = /^command [\w-]+(?:\.[\w-]+)+(?:\/|$)/

const ofUnreachable = (what: string, code: string | undefined): string => {
  if (code === "ENOENT" && LIKE_HOST.test(what)) {
    return `If it is an address, it begins with http:// or https://. If not: ${unreachable.ENOENT}`
  }
  if (code === undefined) return "Check the target by hand."
  if (CERTIFICATE.test(code))
    return "Its certificate is not trusted: check the address, the clock, and who has signed it."
  return unreachable[code] ?? "Check that it can be reached from here, by hand."
}

const ofExit = (code: number | null): string =>
  code === 0
    ? "It had nothing to do: is this the program that serves, and does it speak stdio? Check its arguments."
    : "Run the command by hand and read what it says: most often a key, an argument or a package is missing."

const ofStatus = (status: number, retryAfterMs: number | undefined): string => {
  if (status === 429)
    return `It has had too many requests: wait${retryAfterMs === undefined ? "" : ` ${retryAfterMs} ms`}.`
  return "Try again later; if it stays, look into the server's own log."
}

const ofAuth = ({ resourceMetadata, status }: Extract<Reason, { _tag: "NeedsAuth" }>, isSignedIn: boolean): string => {
  const how = resourceMetadata === undefined ? "" : `, and says how at ${quote(resourceMetadata)}`
  if (status === 401 && isSignedIn) {
    return `The credentials that were given are not accepted: check them. It needs authorization${how}.`
  }
  return status === 401 || how !== ""
    ? `It needs authorization${how}: give headers, apiKey or interceptors.`
    : "What you have given may not enter, or it does not take requests from here: check the key, and the server's list of hosts and origins."
}

const PATHS = "Check the path: many servers answer at /mcp, older ones at /sse."
const FIND_OUT = "Leave out type and wire, so that it is found out what is spoken there."

/** What to do about a reason, in a sentence or two. */
export const fixOf = (
  reason: Reason,
  { isProgram, isSignedIn, wire }: Situation = { isProgram: false, isSignedIn: false }
): string => {
  switch (reason._tag) {
    case "BadTarget":
      if (reason.at !== undefined) return 'Mend it there, or give the words as they are: ["npx", "-y", "…"].'
      return "A target is an http: or https: address, a command line, its words, a stdio: URL, a configuration or its file, or a server."
    case "BadConfig":
      return reason.advice ?? "Mend the configuration there."
    case "Unset":
      return `Set ${quote(reason.variable)}, give it in variables, or write a default: \${${clip(reason.variable)}:-…}.`
    case "Unreachable":
      return ofUnreachable(reason.what, reason.code)
    case "Unsendable":
      return "Look at headers and apiKey: a key that was read from a file may end in a line break."
    case "Exited":
      return ofExit(reason.code)
    case "NeedsAuth":
      return ofAuth(reason, isSignedIn)
    case "NotMcp":
      if (wire !== undefined) return `${FIND_OUT} ${PATHS}`
      return reason.isPage ? `This is a web page. ${PATHS}` : PATHS
    case "HttpStatus":
      return ofStatus(reason.status, reason.retryAfterMs)
    case "Redirected":
      return "Connect to that address, if it is to be trusted."
    case "Refused":
      if (reason.code === ErrorCode.MethodNotFound) {
        return "It speaks JSON-RPC, and does not know this protocol: is it the right address or program?"
      }
      if (wire !== undefined) return `${FIND_OUT} Else look into the server's own log.`
      return "Look into the server's own log; a server that wants certain capabilities is given them by answers."
    case "NoCommonRevision":
      return "Leave out era and revision if they are given; else only a newer or older release of one side can help."
    case "Silent":
      return isProgram
        ? "Is it a server of this protocol? What is no message belongs on its standard error. One that is slow to start needs more time: client.timeout, totalTimeout."
        : "Is it a server of this protocol, and awake? One that is slow needs more time: client.timeout, totalTimeout."
    case "Broken":
      if (wire !== undefined) return `${FIND_OUT} Else this is a fault of the server.`
      return "Is it a server of this protocol? If so, this is a fault of the server."
    case "ServersFailed":
      return "Mend them, set disabled in their entries, or connect with partial: true to those that work."
  }
}
