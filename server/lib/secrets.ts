import { hash, randomBytes } from 'node:crypto'

/** 256 random bits; only the hash is stored. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

export const sha256 = (text: string): string => hash('sha256', text, 'base64url')
