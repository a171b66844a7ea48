import type { OfflinePeople, OfflinePerson } from '@tatami/contract/kiosk/kiosk'

/** Finds the people who check in without a network. Each entry is encrypted with a key from a PIN
 *  or code, so a stolen tablet reveals no names. The contract describes the format. */

const NONCE_BYTES = 12
const KEY_BITS = 256
const encoder = new TextEncoder()

const toBase64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
const fromBase64url = (base64: string) =>
  Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  )

const derivePinKey = async (pin: string, { salt, rounds }: OfflinePeople) => {
  const keyMaterial = await crypto.subtle.importKey('raw', encoder.encode(pin), 'PBKDF2', false, [
    'deriveBits',
  ])
  return crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt: encoder.encode(salt), iterations: rounds },
    keyMaterial,
    KEY_BITS,
  )
}
const deriveCodeKey = (code: string) => crypto.subtle.digest('SHA-256', encoder.encode(code))

const deriveSubkey = async (key: ArrayBuffer, purpose: string) => {
  const hmacKey = await crypto.subtle.importKey(
    'raw',
    key,
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  return crypto.subtle.sign('HMAC', hmacKey, encoder.encode(purpose))
}

async function decryptPeople(
  key: ArrayBuffer,
  { entries }: OfflinePeople,
): Promise<OfflinePerson[]> {
  const tag = toBase64url(await deriveSubkey(key, 'tag'))
  const entry = entries.find((candidate) => candidate.tag === tag)
  if (!entry) return []
  const ciphertext = fromBase64url(entry.sealed)
  const aesKey = await crypto.subtle.importKey(
    'raw',
    await deriveSubkey(key, 'seal'),
    'AES-GCM',
    false,
    ['decrypt'],
  )
  const plaintext = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: ciphertext.slice(0, NONCE_BYTES) },
    aesKey,
    ciphertext.slice(NONCE_BYTES),
  )
  const people: OfflinePerson[] = JSON.parse(new TextDecoder().decode(plaintext))
  return people
}

/** Browsers offer `crypto.subtle` only over https. */
const canDecrypt = () => 'subtle' in crypto

export const findPeopleByPin = async (
  pin: string,
  storedPeople: OfflinePeople | undefined,
): Promise<OfflinePerson[]> =>
  storedPeople && canDecrypt()
    ? decryptPeople(await derivePinKey(pin, storedPeople), storedPeople)
    : []

export const findPeopleByCode = async (
  code: string,
  storedPeople: OfflinePeople | undefined,
): Promise<OfflinePerson[]> =>
  storedPeople && canDecrypt() ? decryptPeople(await deriveCodeKey(code), storedPeople) : []
