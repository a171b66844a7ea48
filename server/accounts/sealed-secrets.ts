import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm',
  KEY_BYTES = 32,
  NONCE_BYTES = 12,
  TAG_BYTES = 16
/** Marks an encrypted secret. An unencrypted secret is base32, which has no period. */
const SEALED_PREFIX = 'v1.'

/** The operator may set SECRETS_KEY to encrypt the secrets of authenticator apps and the tokens of
 *  Twilio accounts in the database. */
let key: Buffer | undefined

export function setSecretsKey(setting: string | undefined): void {
  key =
    setting === undefined
      ? undefined
      : Buffer.from(hkdfSync('sha256', setting, '', 'tatami authenticator secrets', KEY_BYTES))
}

export const hasSecretsKey = (): boolean => key !== undefined

export function seal(secret: string): string {
  if (!key) return secret
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  const ciphertext = Buffer.concat([
    nonce,
    cipher.update(secret, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  return `${SEALED_PREFIX}${ciphertext.toString('base64url')}`
}

export function unseal(storedSecret: string): string | null {
  if (!storedSecret.startsWith(SEALED_PREFIX)) return storedSecret
  if (!key) return null
  const ciphertext = Buffer.from(storedSecret.slice(SEALED_PREFIX.length), 'base64url')
  try {
    const decipher = createDecipheriv(CIPHER, key, ciphertext.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(ciphertext.subarray(-TAG_BYTES))
    const secret = ciphertext.subarray(NONCE_BYTES, -TAG_BYTES)
    return decipher.update(secret, undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
