import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from './app.ts'
import { newId } from './db/columns.ts'
import type { Database } from './db/database.ts'
import { createMetrics, serveMetrics } from './metrics.ts'
import { notify } from './notifications/notify.ts'
import { type PushResult, startPushWorker } from './notifications/push-worker.ts'
import { createBrowser } from './test/fake-push.ts'
import { findFreePort } from './test/real-server.ts'
import { createClients, startTestServer, TEST_SETTINGS } from './test/test-server.ts'
import { startTestWorker } from './test/texting-worker.ts'

const backupDir = mkdtempSync(join(tmpdir(), 'tatami-metrics-'))
const server = await startTestServer()
const http = await buildApp({ db: server.db, pubsub: server.pubsub, env: TEST_SETTINGS })
const metrics = createMetrics({ http, db: server.db, backupDir, version: '9.9.9' })
const { clientFor, anonymous } = createClients(http)
const sensei = await server.createSensei()
const client = clientFor(sensei.token)
afterAll(async () => {
  await http.close()
  rmSync(backupDir, { recursive: true })
})

async function readValue(series: string, source = metrics): Promise<number | undefined> {
  const line = (await source.read())
    .split('\n')
    .find((candidate) => candidate.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}
const countRequestsTo = (method: string, route: string, status: string) =>
  readValue(
    `tatami_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`,
  )

test('counts requests by route template and class of status', async () => {
  for (const id of [newId(), newId(), newId()]) await client.get(`/students/${id}/phones`)
  await client.get('/notifications/unread-count')
  await anonymous.get('/notifications/unread-count')
  for (const path of ['/nowhere', '/nowhere/else']) await client.get(path)
  expect(await countRequestsTo('GET', '/api/students/:id/phones', '4xx')).toBe(3)
  expect(await countRequestsTo('GET', '/api/notifications/unread-count', '2xx')).toBe(1)
  expect(await countRequestsTo('GET', '/api/notifications/unread-count', '4xx')).toBe(1)
  expect(await countRequestsTo('any', 'none', '4xx')).toBe(2)
})

test('does not add a series for each id, and reports no ids or emails', async () => {
  await client.get(`/students/${newId()}/phones?secret=${newId()}`)
  const countSeries = async () =>
    (await metrics.read()).split('\n').filter((line) => !line.startsWith('#')).length
  const countBefore = await countSeries()
  for (let times = 0; times < 20; times += 1)
    await client.get(`/students/${newId()}/phones?secret=${newId()}`)
  for (let times = 0; times < 20; times += 1) await client.get(`/nowhere/${newId()}`)
  expect(await countSeries()).toBe(countBefore)
  const text = await metrics.read()
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|secret/)
  expect(text).not.toContain(sensei.email)
})

test('counts texts by kind from the queue to delivery', async () => {
  await server.createStudent(sensei, { phone_number: '+15125550181' })
  await client.post('/sms/send-bulk-message', {
    message_type: 'weather_cancel',
    custom_message: 'No class today.',
  })
  /** New metrics have no cached figures. */
  const createFreshMetrics = () =>
    createMetrics({ http: { addHook: () => {} } as never, db: server.db, backupDir, version: '' })
  expect(await readValue('tatami_texts_queued{state="queued"}', createFreshMetrics())).toBe(1)
  expect(await readValue('tatami_texts_queued{state="in_doubt"}', createFreshMetrics())).toBe(0)
  expect(
    await readValue('tatami_texts_overdue_seconds', createFreshMetrics()),
  ).toBeGreaterThanOrEqual(0)
  const stop = startTestWorker(server, TEST_SETTINGS)
  for (const state of ['accepted', 'delivered'])
    await expect
      .poll(() => readValue(`tatami_texts_total{kind="weather_cancel",state="${state}"}`), {
        timeout: 15_000,
      })
      .toBe(1)
  await stop()
  expect(await readValue('tatami_texts_queued{state="queued"}', createFreshMetrics())).toBe(0)
})

test('counts pushes by result', async () => {
  const statuses = [201, 410, 500]
  const results: PushResult[] = []
  const stop = startPushWorker({
    ...server,
    contact: 'mailto:a@b.example',
    onError: () => {},
    onResult: (result) => {
      results.push(result)
      metrics.countPush(result)
    },
    post: async () => statuses.pop()!,
  })
  for (let browsers = 0; browsers < 3; browsers += 1) {
    const person = browsers === 0 ? sensei : await server.createStudent(sensei)
    await server.clientFor(person.token).put('/push-subscription', createBrowser().subscription)
    await server.db.inDojo(sensei.dojoId, (tx) =>
      notify(tx, sensei.dojoId, [person.id], { title: 'News', message: 'Good' }),
    )
  }
  await expect.poll(() => results.toSorted()).toEqual(['expired', 'failed', 'sent'])
  await stop()
  for (const result of results)
    expect(await readValue(`tatami_pushes_total{result="${result}"}`)).toBe(1)
})

test('reports connections, caches, sessions, the process and the version', async () => {
  for (const state of ['in_use', 'idle', 'waiting'])
    expect(await readValue(`tatami_database_connections{state="${state}"}`)).toBeGreaterThanOrEqual(
      0,
    )
  const hitsBefore = (await readValue(
    'tatami_cache_requests_total{cache="sessions",result="hit"}',
  ))!
  await client.get('/notifications/unread-count')
  expect(
    await readValue('tatami_cache_requests_total{cache="sessions",result="hit"}'),
  ).toBeGreaterThan(hitsBefore)
  expect(await readValue('tatami_sessions')).toBeGreaterThan(0)
  expect(await readValue('tatami_info{version="9.9.9"}')).toBe(1)
  expect(await readValue('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
})

test('reports the age of the newest backup, or NaN without one', async () => {
  expect(await readValue('tatami_backup_age_seconds')).toBeNaN()
  writeFileSync(join(backupDir, 'tatami.backup'), 'x')
  const hourAgo = new Date(Date.now() - 3_600_000)
  utimesSync(join(backupDir, 'tatami.backup'), hourAgo, hourAgo)
  writeFileSync(join(backupDir, 'tatami-2.backup.tmp'), 'x')
  expect(Math.round((await readValue('tatami_backup_age_seconds'))! / 60)).toBe(60)
})

test('leaves out figures from the database while it is down', async () => {
  let isDown = false
  const db: Database = {
    ...server.db,
    withoutDojo: (work) =>
      isDown ? Promise.reject(new Error('down')) : server.db.withoutDojo(work),
    status: () => ({ ...server.db.status(), isBreakerOpen: isDown }),
  }
  const createMetricsWhile = (state: 'up' | 'down') => {
    isDown = state === 'down'
    return createMetrics({ http: { addHook: () => {} } as never, db, backupDir, version: '' })
  }
  const metricsWhileUp = createMetricsWhile('up')
  expect([
    await readValue('tatami_database_up', metricsWhileUp),
    await readValue('tatami_database_breaker_open', metricsWhileUp),
  ]).toEqual([1, 0])
  const metricsWhileDown = createMetricsWhile('down')
  expect([
    await readValue('tatami_database_up', metricsWhileDown),
    await readValue('tatami_database_breaker_open', metricsWhileDown),
  ]).toEqual([0, 1])
  expect(await readValue('tatami_texts_queued{state="queued"}', metricsWhileDown)).toBeUndefined()
})

test('serves only the metrics on a separate port', async () => {
  const port = Number(await findFreePort())
  const stop = await serveMetrics(metrics, { host: '127.0.0.1', port })
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/plain'),
  ])
  expect(await response.text()).toMatch(
    /^tatami_http_request_duration_seconds_bucket\{method="GET",route="[^"]+",status="2xx",le="0.002"\} \d+$/m,
  )
  expect((await fetch(`http://127.0.0.1:${port}/api/health/live`)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404)
  await stop()
  expect((await client.get('/metrics')).status).toBe(404)
})

test('has every metric that the alert rules use', async () => {
  const text = await metrics.read()
  const rules = readFileSync(join(import.meta.dirname, '../deploy/alerts.yml'), 'utf8')
  const metricNames = [...rules.matchAll(/\b(tatami|nodejs|process)_\w+/g)].map(([name]) =>
    name.replace(/_(bucket|count|sum)$/, ''),
  )
  expect(metricNames.length).toBeGreaterThan(10)
  for (const name of metricNames) expect(text).toContain(`# TYPE ${name} `)
})
