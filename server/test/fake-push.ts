import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Post } from '../notifications/push-request.ts'

const PUSH_SERVICE = 'https://push.example.com'
type PushMessage = { title: string; body: string; tag: string; path: string; unread: number }
type PushRequest = { path: string; headers: IncomingHttpHeaders; body: Buffer }

/** Starts a local push service. `statusOf` decides the status of its responses. */
export async function startFakePush(
  statusOf: (path: string) => number | Promise<number> = () => 201,
) {
  const requests: PushRequest[] = []
  async function receive(request: IncomingMessage, response: ServerResponse, body: Buffer) {
    requests.push({ path: request.url!, headers: request.headers, body })
    response.writeHead(await statusOf(request.url!)).end()
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => void receive(request, response, Buffer.concat(chunks)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** Sends a push to this service instead of the real one. */
  const post: Post = async ({ endpoint, headers, body }) => {
    const response = await fetch(endpoint.replace(PUSH_SERVICE, address), {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    })
    return response.status
  }
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { requests, post, close }
}

/** Creates a browser that has subscribed to notifications and can decrypt them. */
export function createBrowser() {
  const ecdh = createECDH('prime256v1')
  const auth = randomBytes(16)
  const path = `/${randomBytes(8).toString('hex')}`
  const p256dh = ecdh.generateKeys()
  const keys = { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') }
  const subscription = { endpoint: `${PUSH_SERVICE}${path}`, keys }

  /** Decrypts a message (RFC 8291) without the server's library. The body starts with 16 bytes of
   *  salt, the record size, and the length of the sender's key (RFC 8188). */
  function decrypt(body: Buffer): PushMessage {
    const salt = body.subarray(0, 16)
    const senderKeyEnd = 21 + body[20]!
    const senderKey = body.subarray(21, senderKeyEnd)
    const ciphertext = body.subarray(senderKeyEnd)
    const derive = (secret: Buffer, key: Buffer, info: Buffer, bytes: number) =>
      Buffer.from(hkdfSync('sha256', secret, key, info, bytes))
    const secret = derive(
      ecdh.computeSecret(senderKey),
      auth,
      Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, senderKey]),
      32,
    )
    const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
    const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(
      ciphertext.subarray(-16),
    )
    const plaintext = Buffer.concat([
      decipher.update(ciphertext.subarray(0, -16)),
      decipher.final(),
    ])
    return JSON.parse(plaintext.subarray(0, plaintext.lastIndexOf(2)).toString()) as PushMessage
  }
  const requestsIn = (requests: PushRequest[]) =>
    requests.filter((request) => request.path === path)
  return {
    subscription,
    path,
    decrypt,
    requestsIn,
    messagesIn: (requests: PushRequest[]) => requestsIn(requests).map(({ body }) => decrypt(body)),
  }
}

/** Returns the claims of the token in a push request (RFC 8292). Throws if its signature is not
 *  valid. */
export function readVapidClaims(
  { authorization = '' }: IncomingHttpHeaders,
  publicKey: string,
): { aud: string; exp: number; sub: string } {
  const [, token = '', sender] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  if (sender !== publicKey) throw new Error(`Signed with another key: ${authorization}`)
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const [head = '', claims = '', signature = ''] = token.split('.')
  const key = {
    key: createPublicKey({ key: jwk, format: 'jwk' }),
    dsaEncoding: 'ieee-p1363',
  } as const
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    key,
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('The signature is not valid')
  return JSON.parse(Buffer.from(claims, 'base64url').toString())
}
