export { Annotations, BaseMetadata, Role } from "../v2025_11_25/annotations.ts"
