import { hash, randomBytes } from 'node:crypto'

/** 256 random bits, handed out once; only its hash is stored. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The hash that is stored of a value that is only compared. */
export const sha256 = (text: string): string => hash('sha256', text, 'base64url')
