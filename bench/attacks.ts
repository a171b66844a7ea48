/** What another dojo notices while somebody floods the server: node bench/attacks.ts [one of FLOODS]. Only ever against a server of its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createDojo } from './dojo.ts'
import { PORT, startTatami } from './servers.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 15)
const STUDENTS = 60,
  CALL_EVERY_MS = 25,
  SIGN_IN_EVERY_MS = 1000,
  WARM_UP_MS = 2000,
  COUNTED_AS_LOST_MS = 30_000,
  TRICKLE_MS = 1000,
  SENT_AT_ONCE = 200
const EMAIL = 'aiko@bench.com',
  PASSWORD = 'Kiai2026!',
  HOME = '203.0.113.7'
const JSON_TYPE = { 'content-type': 'application/json' }

/** How many requests are under way at most, how many begin a second, and what the next one says: all at once or, where `isSlow`, one byte a
 *  second, and never all of it. */
type Flood = {
  connections: number
  perSecond: number
  request: (number: number) => string
  isSlow?: true
}
const post = (path: string, body: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`
const deepBody = (path: string): Flood => {
  const request = post(path, '['.repeat(240_000))
  return { connections: 20, perSecond: Infinity, request: () => request }
}
const FLOODS: Record<string, Flood> = {
  'webhook-bodies': deepBody('/api/sms/webhooks/status'),
  'nowhere-bodies': deepBody('/api/there-is-no-such-path'),
  'deep-json': {
    connections: 20,
    perSecond: Infinity,
    request: () => post('/api/login', '['.repeat(16_000)),
  },
  'slow-headers': {
    connections: 500,
    perSecond: Infinity,
    isSlow: true,
    request: () => `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(1000)}`,
  },
  'slow-bodies': {
    connections: 500,
    perSecond: Infinity,
    isSlow: true,
    request: () => post('/api/login', `{"email":"${'x'.repeat(1000)}`),
  },
  // From 250 addresses, each time for another email.
  'sign-ins': {
    connections: 5000,
    perSecond: 1000,
    request: (number) =>
      post(
        '/api/login',
        JSON.stringify({ email: `flood${number}@bench.com`, password: PASSWORD }),
        `X-Forwarded-For: 198.51.100.${number % 250}\r\n`,
      ),
  },
}

/** Runs in a process of its own, so that it does not slow the measuring. Its sockets do no more than they must. */
async function flood(name: string, url: string) {
  const { connections, perSecond, request, isSlow } = FLOODS[name]!
  const { port, hostname } = new URL(url)
  const counts: Record<string, number> = {},
    idle: Socket[] = [],
    all = new Set<Socket>()
  let number = 0
  const from = performance.now()
  const isOver = () => performance.now() - from > (SECONDS + 3) * 1000
  const ask = (socket: Socket) => {
    const text = request((number += 1))
    if (!isSlow) {
      socket.write(text)
      return
    }
    let sent = Math.min(SENT_AT_ONCE, text.length - 1)
    socket.write(text.slice(0, sent))
    const trickle = setInterval(() => {
      if (sent < text.length - 1) socket.write(text[sent]!)
      sent += 1
    }, TRICKLE_MS)
    socket.once('close', () => clearInterval(trickle))
  }
  function open() {
    const socket = connect(Number(port), hostname).setEncoding('latin1')
    all.add(socket)
    const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1)
    socket
      .on('data', (said: string) => {
        const status = /^HTTP\/1\.1 (\d+)/.exec(said)?.[1]
        if (!status || isOver()) return
        count(status)
        if (isSlow) return
        if (perSecond === Infinity) ask(socket)
        else idle.push(socket)
      })
      .on('error', () => count('cut'))
      .on('close', () => {
        all.delete(socket)
        if (idle.includes(socket)) idle.splice(idle.indexOf(socket), 1)
        if (perSecond === Infinity && !isOver()) open()
      })
    ask(socket)
  }
  const next = () => {
    const socket = idle.pop()
    if (socket) ask(socket)
    else if (all.size < connections) open()
    else number += 1
  }
  while (!isOver()) {
    const due =
      perSecond === Infinity ? connections : ((performance.now() - from) / 1000) * perSecond
    for (let missing = due - number; missing > 0; missing -= 1) next()
    await pause(10)
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  console.log(
    `\n${name}: ${Math.round(total / (SECONDS + 3))} answers a second, ${number} requests:`,
    Object.entries(counts)
      .map(([status, count]) => `${count} x ${status}`)
      .join(', '),
  )
  process.exit()
}

async function timed(call: () => Promise<Response>): Promise<{ ms: number; ok: boolean }> {
  const from = performance.now()
  const ok = await call().then(
    async (answer) => (await answer.arrayBuffer()) && answer.ok,
    () => false,
  )
  return { ms: performance.now() - from, ok }
}

/** Calls at a fixed pace, whether or not the ones before were answered. */
async function paced(everyMs: number, call: () => Promise<Response>) {
  const calls: ReturnType<typeof timed>[] = []
  const until = performance.now() + SECONDS * 1000
  while (performance.now() < until) {
    calls.push(timed(call))
    await pause(everyMs)
  }
  const done = await Promise.all(calls)
  const times = done.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (share: number) =>
    Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]!)
  return {
    calls: done.length,
    'answered well': done.filter(({ ok }) => ok).length,
    'p50 ms': at(0.5),
    'p99 ms': at(0.99),
    'max ms': at(1),
  }
}

async function whatOthersNotice(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': HOME }
  const limited = () => ({ signal: AbortSignal.timeout(COUNTED_AS_LOST_MS) })
  const get = (path: string) => () => fetch(`${url}/api${path}`, { headers, ...limited() })
  const signIn = () =>
    fetch(`${url}/api/login`, {
      method: 'POST',
      headers: { ...JSON_TYPE, 'x-forwarded-for': HOME },
      body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
      ...limited(),
    })
  const [polled, list, rightSignIn] = await Promise.all([
    paced(CALL_EVERY_MS, get('/notifications/unread-count')),
    paced(CALL_EVERY_MS * 4, get('/students')),
    paced(SIGN_IN_EVERY_MS, signIn),
  ])
  return { polled, list, 'right sign-in': rightSignIn }
}

async function measure(names: string[]) {
  const server = await startTatami(PORT, { TRUST_PROXY: '1', LOG_LEVEL: 'silent', API_ONLY: '1' })
  try {
    const { token } = await createDojo(server.databaseUrl, STUDENTS)
    await whatOthersNotice(server.url, token)
    console.log('\nwithout a flood')
    console.table(await whatOthersNotice(server.url, token))
    for (const name of names) {
      const flooding = fork(import.meta.filename, ['--flood', name, server.url])
      await pause(WARM_UP_MS)
      const seen = await whatOthersNotice(server.url, token)
      if (flooding.exitCode === null) await once(flooding, 'exit')
      console.log(`\nunder ${name}`)
      console.table(seen)
    }
  } finally {
    await server.stop()
  }
}

const [first, name, url] = process.argv.slice(2)
if (first === '--flood') await flood(name!, url!)
else await measure(first ? [first] : Object.keys(FLOODS))
