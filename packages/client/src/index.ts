export * as Client from "./Client.ts"
export { type CallError, type ConnectError, EndlessList, NoCommonRevision, NotOffered } from "./ClientError.ts"
export type { RequestOptions, Session } from "./Session.ts"
export * as Tools from "./feature/Tools.ts"
