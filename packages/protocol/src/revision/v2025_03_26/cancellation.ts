export { CancelledNotification } from "../v2024_11_05/cancellation.ts"
