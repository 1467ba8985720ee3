const once: ReadonlySet<string> = new Set(["tools/call", "tasks/update", "extension/call"])

/** Whether a request may change something each time that it is sent: once a wire has had it, it is never sent again unasked. */
export const isOnce = (method: string): boolean => once.has(method)
