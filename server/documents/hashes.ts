import { hash } from 'node:crypto'

/** Hexadecimal, as people compare it with the output of `sha256sum`. */
export const sha256Hex = (content: string | Uint8Array): string => hash('sha256', content, 'hex')
