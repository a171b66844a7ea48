export const isPrivateHostname = (name: string): boolean =>
  !name.includes('.') || /\.(localhost|local|internal|lan|home|arpa)\.?$/.test(name)
