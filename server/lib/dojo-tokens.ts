import { randomBytes } from 'node:crypto'

const ID_BYTES = 16
const SECRET_BYTES = 16
/** How many characters a token has, in base64. */
export const DOJO_TOKEN_LENGTH = Math.ceil(((ID_BYTES + SECRET_BYTES) * 8) / 6)
const TOKEN = /^[\w-]{43}$/

/** The bytes of the dojo's id, so that the server knows in which dojo to look, and random ones. It
 *  is short, because texts contain it. */
export const newDojoToken = (dojoId: string): string =>
  Buffer.concat([
    Buffer.from(dojoId.replaceAll('-', ''), 'hex'),
    randomBytes(SECRET_BYTES),
  ]).toString('base64url')

/** Null if the text has not the form of a token. */
export const dojoOfToken = (token: string): string | null =>
  TOKEN.test(token) ? formatUuid(Buffer.from(token, 'base64url').subarray(0, ID_BYTES)) : null

const formatUuid = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
