/** Where the server's processor time goes in a poll and in a mark, as shares of what it is busy with: node bench/profile.ts */
import { setTimeout as pause } from 'node:timers/promises'
import autocannon, { type Request } from 'autocannon'
import { createDojo } from './dojo.ts'
import { PORT, startTatami } from './servers.ts'

const INSPECTOR_PORT = PORT + 1,
  SECONDS = Number(process.env.BENCH_SECONDS ?? 10),
  WARM_UP_SECONDS = 5
const DAY_MS = 86_400_000
/** The parts of the table, by the file in which time is spent; the first that matches counts. */
const PARTS: [name: string, file: RegExp][] = [
  ['PostgreSQL driver (pg)', /node_modules\/pg/],
  ['Drizzle', /node_modules\/drizzle-orm/],
  ['Fastify, routing', /node_modules\/(fastify|find-my-way|avvio|@fastify|fast-)/],
  ['log (pino)', /node_modules\/(pino|sonic-boom|thread-stream)/],
  ['checking what comes in (Zod)', /node_modules\/zod/],
  ['other packages', /node_modules/],
  [
    'HTTP and sockets (Node)',
    /^node:(_http|internal\/http|net|internal\/stream|stream|internal\/net)/,
  ],
  ['Node, the rest', /^node:/],
  ['ours: http/', /server\/http\//],
  ['ours: db/', /server\/db\//],
  ['ours: the modules', /server\/|contract\//],
]
const NOT_BUSY = new Set(['(idle)', '(program)', '(root)'])

type Node = { id: number; callFrame: { functionName: string; url: string }; children?: number[] }
type Profile = { nodes: Node[]; samples: number[]; timeDeltas: number[] }

/** The calls of the DevTools protocol. */
async function inspector(port: number) {
  const [{ webSocketDebuggerUrl }] = (await (
    await fetch(`http://127.0.0.1:${port}/json/list`)
  ).json()) as [{ webSocketDebuggerUrl: string }]
  const socket = new WebSocket(webSocketDebuggerUrl)
  const answers = new Map<number, (result: unknown) => void>()
  let calls = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown }
    answers.get(id)?.(result)
  })
  await new Promise((resolve) => {
    socket.addEventListener('open', resolve, { once: true })
  })
  return {
    call: <T>(method: string) =>
      new Promise<T>((resolve) => {
        answers.set((calls += 1), resolve as (result: unknown) => void)
        socket.send(JSON.stringify({ id: calls, method }))
      }),
    close: () => socket.close(),
  }
}

/** Native functions have no file: they belong to who called them. */
function sharesOf({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const parts = new Map<number, string | undefined>(),
    byId = new Map(nodes.map((node) => [node.id, node]))
  const assign = (
    { id, callFrame: { functionName, url }, children = [] }: Node,
    caller?: string,
  ) => {
    const own =
      functionName === '(garbage collector)'
        ? 'garbage collection'
        : (PARTS.find(([, file]) => file.test(url))?.[0] ?? caller)
    parts.set(id, NOT_BUSY.has(functionName) ? undefined : own)
    for (const child of children) assign(byId.get(child)!, own)
  }
  assign(nodes[0]!)
  const shares = new Map<string, number>()
  for (const [at, id] of samples.entries()) {
    const part = parts.get(id)
    if (part) shares.set(part, (shares.get(part) ?? 0) + timeDeltas[at]!)
  }
  const busy = [...shares.values()].reduce((sum, time) => sum + time, 0)
  return new Map([...shares].map(([part, time]) => [part, time / busy]))
}

async function profile(url: string, request: Request): Promise<Map<string, number>> {
  const load = (duration: number) =>
    autocannon({ url, connections: 10, duration, requests: [request] })
  await load(WARM_UP_SECONDS)
  const { call, close } = await inspector(INSPECTOR_PORT)
  await call('Profiler.enable')
  await call('Profiler.start')
  await load(SECONDS)
  const { profile: seen } = await call<{ profile: Profile }>('Profiler.stop')
  close()
  if (process.env.BENCH_PROFILE_TO)
    (await import('node:fs')).writeFileSync(
      `${process.env.BENCH_PROFILE_TO}-${request.method ?? 'GET'}.cpuprofile`,
      JSON.stringify(seen),
    )
  return sharesOf(seen)
}

process.env.BENCH_NODE_OPTIONS = `--inspect=127.0.0.1:${INSPECTOR_PORT}`
const server = await startTatami(PORT)
try {
  const { token, class_id, students } = await createDojo(server.databaseUrl, 30)
  await pause(1000)
  let marks = 0
  const body = () => {
    const day = new Date(Date.UTC(1950, 0, 1) + Math.floor((marks += 1) / students.length) * DAY_MS)
    return JSON.stringify({
      student_id: students[marks % students.length]!.id,
      class_id,
      class_date: day.toISOString(),
      present: true,
    })
  }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const poll = await profile(server.url, { path: '/api/notifications/unread-count', headers })
  const mark = await profile(server.url, {
    method: 'POST',
    path: '/api/attendance',
    headers,
    setupRequest: (asked: Request) => ({ ...asked, body: body() }),
  })
  const percent = (share = 0) => `${(share * 100).toFixed(0)} %`
  console.log('| the server is busy with | a poll | a mark |\n|---|---|---|')
  for (const part of [...PARTS.map(([name]) => name), 'garbage collection'])
    console.log(`| ${part} | ${percent(poll.get(part))} | ${percent(mark.get(part))} |`)
} finally {
  await server.stop()
}
