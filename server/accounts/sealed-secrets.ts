import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Marks an encrypted secret. An unencrypted secret never contains a period. */
const SEALED_PREFIX = 'v1.'

/** The operator may set SECRETS_KEY to encrypt the secrets of authenticator apps and the tokens of
 *  Twilio accounts in the database. */
let encryptionKey: Buffer | undefined

export function setSecretsKey(setting: string | undefined): void {
  encryptionKey =
    setting === undefined
      ? undefined
      : Buffer.from(hkdfSync('sha256', setting, '', 'tatami authenticator secrets', KEY_BYTES))
}

export const hasSecretsKey = (): boolean => encryptionKey !== undefined

export function seal(secret: string): string {
  if (!encryptionKey) return secret
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, encryptionKey, nonce, { authTagLength: TAG_BYTES })
  const sealedBytes = Buffer.concat([
    nonce,
    cipher.update(secret, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  return `${SEALED_PREFIX}${sealedBytes.toString('base64url')}`
}

/** Returns null if the secret cannot be decrypted, because the key is missing or wrong. */
export function unseal(storedSecret: string): string | null {
  if (!storedSecret.startsWith(SEALED_PREFIX)) return storedSecret
  if (!encryptionKey) return null
  const sealedBytes = Buffer.from(storedSecret.slice(SEALED_PREFIX.length), 'base64url')
  try {
    const decipher = createDecipheriv(CIPHER, encryptionKey, sealedBytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(sealedBytes.subarray(-TAG_BYTES))
    const ciphertext = sealedBytes.subarray(NONCE_BYTES, -TAG_BYTES)
    return decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
