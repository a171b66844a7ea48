import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'

export type Target = { port: number; ca: string }
type Options = {
  method?: string
  headers?: Record<string, string>
  body?: string
  localAddress?: string
}

const agents = new Map<string, Agent>()

export function requestHttps(
  { port, ca }: Target,
  path: string,
  { method = 'GET', headers = {}, body, localAddress = '127.0.0.1' }: Options,
) {
  const key = `${port} ${localAddress}`
  const agent = agents.get(key) ?? new Agent({ keepAlive: true, ca, localAddress })
  agents.set(key, agent)
  return new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const clientRequest = request(
      { host: 'localhost', port, path, method, headers, agent, family: 4 },
      (response) => {
        response.on('error', reject)
        response
          .resume()
          .on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }))
      },
    )
    clientRequest.on('error', reject)
    clientRequest.end(body)
  })
}
