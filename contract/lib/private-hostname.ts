/** A name that only the network around a machine knows: one without a dot, or under an ending that the internet leaves to such networks. */
export const isPrivateHostname = (name: string): boolean =>
  !name.includes('.') || /\.(localhost|local|internal|lan|home|arpa)\.?$/.test(name)
