let began = false

/** Said by a transport when it begins to serve a host. */
export const begin = (): void => {
  began = true
}

/** Whether this process has begun to serve a host, over any wire: what then goes wrong in one call is no reason to end the others. */
export const hasBegun = (): boolean => began
