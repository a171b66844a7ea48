import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

export const newSecret = (): string => randomBytes(32).toString('base64url')

export const hmac = (secret: string, ...parts: string[]): string =>
  createHmac('sha256', secret).update(parts.join('|')).digest('base64url')

/** Takes the same time for every wrong value, so that nobody can guess a secret bit by bit. */
export const isEqual = (first: string, second: string): boolean =>
  first.length === second.length && timingSafeEqual(Buffer.from(first), Buffer.from(second))

export const sha256 = (text: string): string => hash('sha256', text, 'base64url')
