import type { OfflinePeople, OfflinePerson } from '@tatami/contract/kiosk/kiosk'

const NONCE_BYTES = 12
const text = new TextEncoder()

const toBase64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
const fromBase64url = (letters: string) =>
  Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  )

const keyOfPin = async (pin: string, { salt, rounds }: OfflinePeople) => {
  const keyMaterial = await crypto.subtle.importKey('raw', text.encode(pin), 'PBKDF2', false, [
    'deriveBits',
  ])
  return crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt: text.encode(salt), iterations: rounds },
    keyMaterial,
    256,
  )
}
const keyOfCode = (code: string) => crypto.subtle.digest('SHA-256', text.encode(code))

const derive = async (key: ArrayBuffer, use: string) => {
  const mac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  return crypto.subtle.sign('HMAC', mac, text.encode(use))
}

async function open(key: ArrayBuffer, { entries }: OfflinePeople): Promise<OfflinePerson[]> {
  const tag = toBase64url(await derive(key, 'tag'))
  const entry = entries.find((candidate) => candidate.tag === tag)
  if (!entry) return []
  const ciphertext = fromBase64url(entry.sealed)
  const cipher = await crypto.subtle.importKey('raw', await derive(key, 'seal'), 'AES-GCM', false, [
    'decrypt',
  ])
  const plaintext = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: ciphertext.slice(0, NONCE_BYTES) },
    cipher,
    ciphertext.slice(NONCE_BYTES),
  )
  return JSON.parse(new TextDecoder().decode(plaintext)) as OfflinePerson[]
}

/** Browsers offer `crypto.subtle` only over https. */
const canOpen = () => 'subtle' in crypto

export const peopleOfPin = async (
  pin: string,
  storedPeople: OfflinePeople | undefined,
): Promise<OfflinePerson[]> =>
  storedPeople && canOpen() ? open(await keyOfPin(pin, storedPeople), storedPeople) : []

export const peopleOfCode = async (
  code: string,
  storedPeople: OfflinePeople | undefined,
): Promise<OfflinePerson[]> =>
  storedPeople && canOpen() ? open(await keyOfCode(code), storedPeople) : []
