import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '../../lib/clock.ts'
import type { ProcessSettings } from './server-process.ts'

type Server = { process: ChildProcess; url: string }

const MAX_OUTAGE_MS = 180_000
const TRY_AGAIN_MS = 200
const REQUEST_TIMEOUT_MS = 25_000
const BUSY = 503

/** Null if the server was killed. */
const fetchOrNull = async (url: string, options: RequestInit): Promise<Response | null> => {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  return fetch(url, { ...options, redirect: 'manual', signal }).catch(() => null)
}

/** Two servers on one database, which can be killed, and start again at once. */
export async function startServerPair(settings: Omit<ProcessSettings, 'clockOffsetMs'>) {
  const servers: (Server | null)[] = [null, null]
  const errors: string[] = []
  let killCount = 0

  async function start(index: number): Promise<void> {
    const clockOffsetMs = now().getTime() - Date.now()
    const child = spawn(
      process.execPath,
      [`${import.meta.dirname}/server-process.ts`, JSON.stringify({ ...settings, clockOffsetMs })],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    )
    child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text))
    // A killed process cannot read its input.
    child.stdin.on('error', () => {})
    const [address] = (await once(child.stdout, 'data')) as [Buffer]
    servers[index] = { process: child, url: address.toString().trim() }
  }

  async function stop(index: number): Promise<void> {
    const server = servers[index]
    servers[index] = null
    if (!server) return
    server.process.kill('SIGKILL')
    if (server.process.signalCode === null) await once(server.process, 'exit')
  }

  /** The address of one of the servers that run. Null if none runs. */
  function pickUrl(): string | null {
    const urls = servers.flatMap((server) => server?.url ?? [])
    return urls[Math.floor(Math.random() * urls.length)] ?? null
  }

  /** Like a browser behind a load balancer: tries again if the server dies or is busy. */
  async function request(path: string, options: RequestInit = {}): Promise<Response> {
    const givesUpAt = performance.now() + MAX_OUTAGE_MS
    while (performance.now() < givesUpAt) {
      const url = pickUrl()
      const response = url === null ? null : await fetchOrNull(`${url}${path}`, options)
      if (response && response.status !== BUSY) return response
      await sleep(TRY_AGAIN_MS)
    }
    throw new Error(`No server responds to ${path}`)
  }

  await Promise.all([start(0), start(1)])
  return {
    request,
    pickUrl,
    /** What the servers wrote about errors. */
    errors,
    killCount: () => killCount,
    /** Kills a server in the middle of its work, and starts it again. */
    async kill(index: 0 | 1): Promise<void> {
      killCount += 1
      await stop(index)
      await start(index)
    },
    moveClocks: (ms: number): void => {
      for (const server of servers) server?.process.stdin?.write(`${ms}\n`)
    },
    close: async (): Promise<void> => {
      await Promise.all([stop(0), stop(1)])
    },
  }
}
export type ServerPair = Awaited<ReturnType<typeof startServerPair>>
