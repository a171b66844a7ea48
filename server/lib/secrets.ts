import { hash, randomBytes } from 'node:crypto'

export const newSecret = (): string => randomBytes(32).toString('base64url')

export const sha256 = (text: string): string => hash('sha256', text, 'base64url')
