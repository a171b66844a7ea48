import { grantEverything } from '../test/grant-everything.ts'
import { expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { asOverseer } from '../db/database.ts'
import { createBrowser } from '../test/fake-push.ts'
import { createFixtures, TEST_SETTINGS, startTestServer } from '../test/test-server.ts'
import { findOrCreatePushKeys } from './push-keys.ts'
import { startPushWorker } from './push-worker.ts'
import { vapidKeys } from './tables.ts'

const server = await startTestServer()

test('creates one key pair when servers start at the same time, and keeps it', async () => {
  const { db } = await server.openServer()
  await grantEverything(server)
  await db.withoutDojo((tx) => tx.delete(vapidKeys))
  const keyPairs = await Promise.all(
    Array.from({ length: 6 }, (_, index) => findOrCreatePushKeys(index % 2 ? db : server.db)),
  )
  expect(new Set(keyPairs.map(({ privateKey }) => privateKey)).size).toBe(1)
  expect(await findOrCreatePushKeys(db)).toEqual(keyPairs[0])
})

test('keeps the private key out of responses and logs, and from the overseer role', async () => {
  const logLines: string[] = []
  const { db, pubsub } = server
  const logTo = { write: (line: string) => void logLines.push(line) }
  const http = await buildApp({ db, pubsub, env: { ...TEST_SETTINGS, logLevel: 'trace' }, logTo })
  const post = () => Promise.reject(new Error('connection lost'))
  const stop = startPushWorker({
    db,
    pubsub,
    contact: 'mailto:admin@tatami.test',
    post,
    onError: (err) => http.log.error({ err }, 'push'),
  })
  const fixtures = createFixtures({ http, db })
  const sensei = await fixtures.createSensei()
  const student = await fixtures.createStudent(sensei)
  const { subscription } = createBrowser()
  await student.put('/push-subscription', subscription)
  await sensei.post('/notifications/send', { title: 'Hello', message: 'Bring water.' })
  await expect.poll(() => logLines.join('')).toContain('"message":"connection lost"')
  await stop()
  const { privateKey, publicKey } = await findOrCreatePushKeys(server.db)
  const { body } = await student.get('/push-subscription')
  expect(body).toEqual({ public_key: publicKey, subscribed: true })
  for (const secret of [privateKey, subscription.endpoint, subscription.keys.auth])
    expect(logLines.join('')).not.toContain(secret)
  const overseerRead = db.withoutDojo((tx) =>
    asOverseer(tx, (overseerTx) => overseerTx.select().from(vapidKeys)),
  )
  await expect(overseerRead).rejects.toMatchObject({
    cause: { message: expect.stringContaining('permission denied') },
  })
})
