/** True for a name without a dot or under a top-level domain for private networks. */
export const isPrivateHostname = (name: string): boolean =>
  !name.includes('.') || /\.(localhost|local|internal|lan|home|arpa)\.?$/.test(name)
