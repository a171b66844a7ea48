import { session } from './session.ts'

/** Not randomUUID: without https there is none. */
export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The last attempt at each call that has not succeeded. */
const attempts = new Map<string, { content: string; key: string }>()
session.watch(() => attempts.clear())

/** The key of an attempt: the same as long as the same is tried again, whether or not the form was closed in between. */
export function keyOfAttempt(call: string, content: string): string {
  const last = attempts.get(call)
  const key = last?.content === content ? last.key : newKey()
  attempts.set(call, { content, key })
  return key
}

/** It succeeded: the same content sent once more is meant to be done once more. */
export function endAttempt(call: string, key: string): void {
  if (attempts.get(call)?.key === key) attempts.delete(call)
}
