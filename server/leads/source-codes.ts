import { randomInt } from 'node:crypto'

const CODE_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const RANDOM_LETTERS = 6

/** Readable, and unique on the server, because the link does not name the school. */
export function createCode(name: string): string {
  const readablePart = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 20)
  const randomPart = Array.from(
    { length: RANDOM_LETTERS },
    () => CODE_LETTERS[randomInt(CODE_LETTERS.length)],
  ).join('')
  return readablePart === '' ? randomPart : `${readablePart}-${randomPart}`
}
