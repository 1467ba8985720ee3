export { ListRootsRequest, ListRootsResult, Root, RootsListChangedNotification } from "../v2024_11_05/roots.ts"
