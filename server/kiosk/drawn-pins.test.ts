import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { OWNER_SCOPE } from '../accounts/staff-caller.ts'
import type { DojoCaller } from '../http/serve.ts'
import { createKioskDojo } from '../test/kiosk-dojo.ts'
import { startTestServer } from '../test/test-server.ts'
import { drawPin } from './pins.ts'

const { drawnNumbers } = vi.hoisted(() => ({ drawnNumbers: [] as number[] }))
vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof import('node:crypto')>()
  return { ...crypto, randomInt: (max: number) => drawnNumbers.shift() ?? crypto.randomInt(max) }
})

const server = await startTestServer()

test('draws another PIN if another family gets the same PIN at the same time', async () => {
  const dojo = await createKioskDojo(server)
  const emma = await dojo.enroll('Emma Johnson')
  const ken = await dojo.enroll('Ken Adams')
  drawnNumbers.push(4711, 4711, 815)
  const { id, dojoId } = dojo.sensei
  const instructor: DojoCaller = {
    id,
    dojoId,
    role: 'instructor',
    sessionId: '',
    step: null,
    staff: OWNER_SCOPE,
  }
  const countWaitingTransactions = async () => {
    const { rows } = await server.db.inDojo(dojoId, (tx) =>
      tx.execute(sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`),
    )
    return rows.length
  }
  const emmaPinDrawn = Promise.withResolvers<void>()
  const kenWaiting = Promise.withResolvers<void>()
  const emmaPin = server.db.inDojo(dojoId, async (tx) => {
    const pin = await drawPin(tx, instructor, emma.id)
    emmaPinDrawn.resolve()
    await kenWaiting.promise
    return pin
  })
  await emmaPinDrawn.promise
  const kenPin = ken.put(`/my/students/${ken.id}/pin`)
  await vi.waitFor(async () => expect(await countWaitingTransactions()).toBe(1), 10_000)
  kenWaiting.resolve()
  expect(await emmaPin).toBe('4711')
  expect(await kenPin).toMatchObject({ status: 200, body: { pin: '0815' } })
})
