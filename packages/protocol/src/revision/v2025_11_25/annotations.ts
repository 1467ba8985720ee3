export { Annotations, BaseMetadata, Role } from "../v2025_06_18/annotations.ts"
