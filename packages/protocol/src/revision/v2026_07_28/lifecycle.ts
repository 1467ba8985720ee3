export { Implementation } from "../v2025_11_25/lifecycle.ts"
