import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import type { HttpTarget } from './test-server.ts'

const root = join(import.meta.dirname, '../..')
const children = new Set<ChildProcess>()

/** Starts the server as its own process, with only these settings. */
export function runServer(
  settings: Record<string, string>,
  command = [process.execPath, 'server/main.ts'],
) {
  const [program = '', ...args] = command
  // `npm_lifecycle_event` makes the server end with this process if a test is interrupted.
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = {
    PATH,
    NODE_COMPILE_CACHE,
    API_ONLY: '1',
    LOG_LEVEL: 'silent',
    npm_lifecycle_event: 'test',
    ...settings,
  }
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const waitForOutput = (text: string) =>
    vi.waitFor(() => expect(output).toContain(text), { timeout: 50_000, interval: 20 })
  const exit = once(child, 'close').then(([code]) => ({
    code: code as number,
    lines: output.trim().split('\n'),
  }))
  return { child, waitForOutput, ended: exit, output: () => output }
}

const MAX_SHUTDOWN_MS = 30_000

/** Kills a server that does not end, so that it fails only the test that started it. */
export async function endServers() {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const killTimer = setTimeout(() => child.kill('SIGKILL'), MAX_SHUTDOWN_MS)
    child.kill('SIGTERM')
    await once(child, 'exit')
    clearTimeout(killTimer)
  }
  children.clear()
}

export async function listenOnFreePort(): Promise<{ port: string; server: Server }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: `${(server.address() as AddressInfo).port}`, server }
}

export async function findFreePort(): Promise<string> {
  const { port, server } = await listenOnFreePort()
  server.close()
  return port
}

const REQUEST_TIMEOUT_MS = 30_000

/** Makes HTTP requests to a running server. */
export const httpTarget = (serverUrl: string): HttpTarget => ({
  async inject({ method = 'GET', url, headers, payload }) {
    const response = await fetch(`${serverUrl}${url as string}`, {
      method,
      headers: {
        ...(headers as Record<string, string>),
        ...(payload && { 'content-type': 'application/json' }),
      },
      ...(payload && { body: JSON.stringify(payload) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    const rawPayload = Buffer.from(await response.arrayBuffer())
    const json = (): unknown => JSON.parse(rawPayload.toString())
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      json,
      rawPayload,
    }
  },
})
