import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '../../lib/clock.ts'
import { random } from './random.ts'
import type { ProcessSettings } from './server-process.ts'

type Server = { process: ChildProcess; url: string }

const MAX_OUTAGE_MS = 180_000
const TRY_AGAIN_MS = 200
const REQUEST_TIMEOUT_MS = 25_000
const BUSY = 503
/** How many lines of what a server wrote are kept. */
const MAX_LINES = 200

/** The response, or why there was none. */
const fetchOrError = (url: string, options: RequestInit): Promise<Response | Error> => {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  return fetch(url, { ...options, redirect: 'manual', signal }).catch((error: Error) => error)
}

/** What happened to a request: a status, or the error of the connection. */
async function describe(response: Response | Error): Promise<string> {
  if (response instanceof Response) return `${response.status} ${(await response.text()).trim()}`
  const { message, cause } = response
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}

/** Two servers on one database, which can be killed, and start again at once. */
export async function startServerPair(settings: Omit<ProcessSettings, 'clockOffsetMs'>) {
  const servers: (Server | null)[] = [null, null]
  const errors: string[] = []
  const log: string[] = []
  let killCount = 0
  let isClosed = false

  function keep(index: number, text: string): void {
    log.push(`server ${index}: ${text.trim()}`)
    log.splice(0, log.length - MAX_LINES)
  }

  async function start(index: number): Promise<void> {
    const clockOffsetMs = now().getTime() - Date.now()
    const child = spawn(
      process.execPath,
      [`${import.meta.dirname}/server-process.ts`, JSON.stringify({ ...settings, clockOffsetMs })],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    )
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors.push(text)
      keep(index, text)
    })
    // A killed process cannot read its input.
    child.stdin.on('error', () => {})
    child.once('exit', (code, signal) => {
      if (signal !== 'SIGKILL') void restartAfterEnd(index, `ended with ${code ?? signal}`)
    })
    const address = await new Promise<string>((resolve) => {
      child.stdout.setEncoding('utf8').once('data', resolve)
      child.once('exit', () => resolve(''))
    })
    if (address === '') return
    keep(index, `started at ${address}`)
    servers[index] = { process: child, url: address.trim() }
  }

  /** A server must never end by itself. It starts again, so that the rest can be judged. */
  async function restartAfterEnd(index: number, text: string): Promise<void> {
    servers[index] = null
    if (isClosed) return
    errors.push(`Server ${index} ${text}`)
    keep(index, text)
    await start(index)
  }

  async function stop(index: number): Promise<void> {
    const server = servers[index]
    servers[index] = null
    if (!server) return
    const { process: child } = server
    const hasEnded = child.signalCode !== null || child.exitCode !== null
    child.kill('SIGKILL')
    if (!hasEnded) await once(child, 'exit')
  }

  /** The address of one of the servers that run. Null if none runs. */
  function pickUrl(): string | null {
    const urls = servers.flatMap((server) => server?.url ?? [])
    return urls[Math.floor(random() * urls.length)] ?? null
  }

  /** Like a browser behind a load balancer: tries again if the server dies or is busy. */
  async function request(path: string, options: RequestInit = {}): Promise<Response> {
    const givesUpAt = performance.now() + MAX_OUTAGE_MS
    let lastAnswer = 'No server runs'
    while (performance.now() < givesUpAt) {
      const url = pickUrl()
      const response = url === null ? null : await fetchOrError(`${url}${path}`, options)
      if (response instanceof Response && response.status !== BUSY) return response
      if (response) lastAnswer = `${url}: ${await describe(response)}`
      await sleep(TRY_AGAIN_MS)
    }
    throw new Error(`No server responds to ${path}. ${lastAnswer}\n${log.join('\n')}`)
  }

  await Promise.all([start(0), start(1)])
  return {
    request,
    pickUrl,
    /** What the servers wrote about errors, and each end that we did not cause. */
    errors,
    /** The latest lines that the servers wrote. */
    log,
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
      isClosed = true
      await Promise.all([stop(0), stop(1)])
    },
  }
}
export type ServerPair = Awaited<ReturnType<typeof startServerPair>>
