import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Mark = { student_id: string; present: boolean | null }
/** With `loses responses`, marks reach the server, but the phone does not get the response. */
type NetworkState = 'up' | 'cut' | 'loses responses'

/** A proxy between one phone and the server, which can fail. */
export type Network = {
  url: string
  setState: (state: NetworkState) => void
  /** The marks that the server has accepted, in order. A mark that was sent twice occurs twice. */
  arrivedMarks: Mark[]
  /** Makes the app look like another version from now on. */
  setVersion: (version: string) => void
  stop: () => Promise<void>
}

const isMarkRequest = ({ method, url }: IncomingMessage) =>
  (method === 'PUT' && url === '/api/attendance/roll') ||
  (method === 'POST' && url === '/api/attendance')

/** Returns the marks of a roll, or the mark of one student. */
function marksIn(body: Buffer): Mark[] {
  const payload = JSON.parse(body.toString()) as Mark & { marks?: Mark[] }
  return payload.marks ?? [{ student_id: payload.student_id, present: payload.present }]
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Replaces the version in the page's meta tag, or the one in the service worker. */
const withVersion = (text: string, version: string) =>
  text
    .replace(/(<meta name="version" content=")[^"]*/, `$1${version}`)
    .replace(/(const VERSION = ')[^']*/, `$1${version}`)

/** Starts a proxy in front of the server under test. */
export async function startNetwork(target = new URL(process.env.E2E_URL ?? '')): Promise<Network> {
  let state: NetworkState = 'up'
  let version: string | undefined
  const arrivedMarks: Mark[] = []

  const isCut = () => state === 'cut'
  const losesResponse = (incoming: IncomingMessage) =>
    isCut() || (state === 'loses responses' && isMarkRequest(incoming))

  async function forward(incoming: IncomingMessage, response: ServerResponse) {
    if (isCut()) return incoming.socket.destroy()
    const body = await readBody(incoming)
    const shownVersion = /^\/(api|assets)\//.test(incoming.url ?? '') ? undefined : version
    const headers = {
      ...incoming.headers,
      ...(shownVersion !== undefined && { 'accept-encoding': 'identity', 'if-none-match': '' }),
    }
    const forwardedRequest = request(new URL(incoming.url ?? '/', target), {
      method: incoming.method,
      headers,
    })
    forwardedRequest.end(body)
    const [reply] = (await once(forwardedRequest, 'response')) as [IncomingMessage]
    const replyBody = await readBody(reply)
    if (isMarkRequest(incoming) && reply.statusCode === 200) arrivedMarks.push(...marksIn(body))
    if (losesResponse(incoming)) return incoming.socket.destroy()
    const hasVersion = /html|javascript/.test(reply.headers['content-type'] ?? '')
    const responseBody =
      shownVersion !== undefined && hasVersion
        ? withVersion(replyBody.toString(), shownVersion)
        : replyBody
    // The body may have another length now, so Node has to set these headers itself.
    const { 'content-length': _, 'transfer-encoding': __, ...otherHeaders } = reply.headers
    return response.writeHead(reply.statusCode ?? 502, otherHeaders).end(responseBody)
  }
  const server = createServer((incoming, response) => {
    forward(incoming, response).catch(() => incoming.socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setState: (newState) => {
      state = newState
      if (newState === 'cut') server.closeAllConnections()
    },
    arrivedMarks,
    setVersion: (newVersion) => {
      version = newVersion
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
