import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Mark = { student_id: string; present: boolean | null }
type State = 'up' | 'cut' | 'loses answers'

/** What lies between a phone and the server. Marks whose answer is lost have arrived. */
export type Network = {
  url: string
  is: (state: State) => void
  /** Every mark that has arrived at the server and was taken, in this order, however often. */
  arrivedMarks: Mark[]
  /** From now on the server has another version of the app, the same but for its name. */
  release: (version: string) => void
  stop: () => Promise<void>
}

const isMarking = ({ method, url }: IncomingMessage) =>
  (method === 'PUT' && url === '/api/attendance/roll') ||
  (method === 'POST' && url === '/api/attendance')

/** The marks of a roll, or the only one of a single tap. */
function marksIn(body: Buffer): Mark[] {
  const payload = JSON.parse(body.toString()) as Mark & { marks?: Mark[] }
  return payload.marks ?? [{ student_id: payload.student_id, present: payload.present }]
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

const withVersion = (text: string, version: string) =>
  text
    .replace(/(<meta name="version" content=")[^"]*/, `$1${version}`)
    .replace(/(const VERSION = ')[^']*/, `$1${version}`)

/** A network of one phone's own before the server under test. */
export async function startNetwork(target = new URL(process.env.E2E_URL ?? '')): Promise<Network> {
  let state: State = 'up'
  let version: string | undefined
  const arrivedMarks: Mark[] = []

  async function pass(incoming: IncomingMessage, answer: ServerResponse) {
    if (state === 'cut') return incoming.socket.destroy()
    const body = await bodyOf(incoming)
    const mayRename = version !== undefined && !/^\/(api|assets)\//.test(incoming.url ?? '')
    const headers = {
      ...incoming.headers,
      ...(mayRename && { 'accept-encoding': 'identity', 'if-none-match': '' }),
    }
    const onward = request(new URL(incoming.url ?? '/', target), {
      method: incoming.method,
      headers,
    })
    onward.end(body)
    const [reply] = (await once(onward, 'response')) as [IncomingMessage]
    const replyBody = await bodyOf(reply)
    if (isMarking(incoming) && reply.statusCode === 200) arrivedMarks.push(...marksIn(body))
    if ((state as State) === 'cut' || ((state as State) === 'loses answers' && isMarking(incoming)))
      return incoming.socket.destroy()
    const answerBody =
      mayRename && /html|javascript/.test(reply.headers['content-type'] ?? '')
        ? withVersion(replyBody.toString(), version!)
        : replyBody
    const { 'content-length': _, 'transfer-encoding': __, ...keptHeaders } = reply.headers
    return answer.writeHead(reply.statusCode ?? 502, keptHeaders).end(answerBody)
  }
  const server = createServer((incoming, answer) => {
    pass(incoming, answer).catch(() => incoming.socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    is: (next) => {
      state = next
      if (next === 'cut') server.closeAllConnections()
    },
    arrivedMarks,
    release: (next) => {
      version = next
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
