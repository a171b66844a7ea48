/** Returns the value, and throws if it is missing, which would be a bug. */
export function mustExist<Value>(value: Value | null | undefined, name: string): Value {
  if (value === null || value === undefined) throw new Error(`${name} is missing`)
  return value
}
