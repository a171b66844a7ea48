/** Returns a value that must exist. If it is missing, that is a bug. */
export function mustExist<T>(value: T | null | undefined, name: string): T {
  if (value === null || value === undefined) throw new Error(`${name} is missing`)
  return value
}
