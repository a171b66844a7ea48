/** A passkey in software, as the W3C's Web Authentication standard specifies it in section 6. */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

type Options = { challenge: string; rp?: { id: string }; rpId?: string }

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const USER_PRESENT_FLAG = 1
const USER_VERIFIED_FLAG = 4
const HAS_CREDENTIAL_FLAG = 64

const bigEndianBytes = (value: number, byteCount: number) => {
  const buffer = Buffer.alloc(byteCount)
  buffer.writeUIntBE(value, 0, byteCount)
  return buffer
}
/** CBOR encodes a value as its type, its length and its content. */
const cborText = (text: string) =>
  Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
const cborBytes = (bytes: Buffer) =>
  Buffer.concat([Buffer.from([0x59]), bigEndianBytes(bytes.length, 2), bytes])

/** Creates an ES256 passkey, and responds like a browser on a page of `origin`. */
export function createSoftAuthenticator(origin: string, { isVerified = true } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(16)
  const id = credentialId.toString('base64url')
  let counter = 0
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authData = (rpId: string, flags: number, attestationBytes = Buffer.alloc(0)) =>
    Buffer.concat([
      sha256(rpId),
      Buffer.from([flags | USER_PRESENT_FLAG | (isVerified ? USER_VERIFIED_FLAG : 0)]),
      bigEndianBytes((counter += 1), 4),
      attestationBytes,
    ])
  const coseKey = () => {
    // A CBOR map of five fields: key type EC, algorithm ES256, curve P-256, x and y.
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const coordinate = (label: number, value: string) =>
      Buffer.concat([Buffer.from([label, 0x58, 0x20]), Buffer.from(value, 'base64url')])
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
      coordinate(0x21, x),
      coordinate(0x22, y),
    ])
  }
  const credential = { id, rawId: id, type: 'public-key' as const }
  return {
    id,
    make({ challenge, rp }: Options) {
      const attestedData = Buffer.concat([
        Buffer.alloc(16),
        bigEndianBytes(credentialId.length, 2),
        credentialId,
        coseKey(),
      ])
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(authData(rp!.id, HAS_CREDENTIAL_FLAG, attestedData)),
      ])
      const clientDataJSON = clientData('webauthn.create', challenge).toString('base64url')
      return {
        ...credential,
        response: {
          clientDataJSON,
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    sign({ challenge, rpId }: Options) {
      const data = clientData('webauthn.get', challenge),
        authenticatorData = authData(rpId!, 0)
      const signature = createSign('sha256')
        .update(Buffer.concat([authenticatorData, sha256(data)]))
        .sign(privateKey)
      return {
        ...credential,
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}
