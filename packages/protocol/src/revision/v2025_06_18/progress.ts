export { ProgressNotification } from "../v2025_03_26/progress.ts"
