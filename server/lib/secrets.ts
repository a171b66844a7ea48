import { createHash, randomBytes } from 'node:crypto'

/** Handed out once and never kept; nobody guesses it. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** What is kept of a text that is only ever compared. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')
