/** A name without a dot, or under a top-level domain reserved for private networks. */
export const isPrivateHostname = (name: string): boolean =>
  !name.includes('.') || /\.(localhost|local|internal|lan|home|arpa)\.?$/.test(name)
