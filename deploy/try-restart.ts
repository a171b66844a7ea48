import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../server/db/database.ts'
import { exampleClass, type FixtureSensei } from '../server/test/fixtures.ts'
import { requestHttps, type Target } from './try-client.ts'
import { reportCheck } from './try-harness.ts'

const VISITOR_COUNT = 20
const BAD_GATEWAY = 502

/** Restarts the server under load. Every call must succeed, and every class must be stored once. */
export async function tryRestart(
  target: Target,
  db: Database,
  sensei: FixtureSensei,
  server: { stop: () => Promise<void>; start: () => Promise<void> },
) {
  const load = startLoad(target, `Bearer ${sensei.token}`)
  await sleep(2_000)
  const startedAt = performance.now()
  const elapsedSeconds = () => ((performance.now() - startedAt) / 1000).toFixed(1)
  await server.stop()
  const stopSeconds = elapsedSeconds()
  await server.start()
  const backSeconds = elapsedSeconds()
  await sleep(3_000)
  const { outcomes, createdKeys, repeatCount } = await load.stop()
  reportCheck(
    'a restart under load: every call succeeds',
    [...outcomes.keys()].join() === '200',
    `${JSON.stringify(Object.fromEntries(outcomes))}, ${repeatCount} of them repeated ` +
      `after a 502; stopped in ${stopSeconds} s, back after ${backSeconds} s`,
  )
  const { rows } = await db.inDojo(sensei.dojoId, (tx) =>
    tx.execute<{ description: string }>('select description from classes'),
  )
  const storedKeys = rows.map(({ description }) => description)
  reportCheck(
    'every created class is stored once',
    storedKeys.toSorted().join() === createdKeys.toSorted().join(),
    `${createdKeys.length} confirmed, ${storedKeys.length} stored`,
  )
}

function startLoad(target: Target, authorization: string) {
  const outcomes = new Map<string, number>()
  const createdKeys: string[] = []
  const end = new AbortController()
  let repeatCount = 0
  /** Creates a class. Like the web app, repeats the call with the same key if the proxy returns
   *  502. */
  async function createClass() {
    const key = randomUUID()
    const send = () =>
      requestHttps(target, '/api/classes', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(exampleClass({ description: key })),
      })
    let response = await send()
    if (response.status === BAD_GATEWAY) {
      repeatCount += 1
      response = await send()
    }
    if (response.status === 200) createdKeys.push(key)
    return response
  }
  const listStudents = () => requestHttps(target, '/api/students', { headers: { authorization } })
  async function repeat(call: typeof createClass) {
    while (!end.signal.aborted) {
      const outcome = await call().then(
        ({ status }) => String(status),
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      )
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      await sleep(20)
    }
  }
  const visits = Array.from({ length: VISITOR_COUNT }, (_, index) =>
    repeat(index % 2 ? createClass : listStudents),
  )
  const stop = async () => {
    end.abort()
    await Promise.all(visits)
    return { outcomes, createdKeys, repeatCount }
  }
  return { stop }
}
