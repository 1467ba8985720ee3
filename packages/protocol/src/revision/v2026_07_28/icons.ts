export { Icon, Icons } from "../v2025_11_25/icons.ts"
