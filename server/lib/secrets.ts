import { hash, randomBytes } from 'node:crypto'

/** A token with 256 random bits. The database stores only its hash. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

export const sha256 = (text: string): string => hash('sha256', text, 'base64url')
