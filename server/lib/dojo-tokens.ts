import { randomBytes } from 'node:crypto'

const ID_BYTES = 16
export const SECRET_BYTES = 16
/** The length of a token in base64 characters. */
export const DOJO_TOKEN_LENGTH = Math.ceil(((ID_BYTES + SECRET_BYTES) * 8) / 6)
const TOKEN_PATTERN = /^[\w-]{43}$/

/** A token has the dojo's id, in which the server must look, and random bytes. It is short, because
 *  it is part of links in texts. */
export const newDojoToken = (dojoId: string, secret = randomBytes(SECRET_BYTES)): string =>
  Buffer.concat([Buffer.from(dojoId.replaceAll('-', ''), 'hex'), secret]).toString('base64url')

/** Returns null if the text does not have the form of a token. */
export const parseDojoToken = (token: string): string | null =>
  TOKEN_PATTERN.test(token)
    ? formatUuid(Buffer.from(token, 'base64url').subarray(0, ID_BYTES))
    : null

const formatUuid = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
