import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Tx } from '../db/database.ts'
import { createSampleDojo } from '../test/sample-rows.ts'
import { startTestServer } from '../test/test-server.ts'
import { createExportLimits } from './limits.ts'
import { streamSnapshot } from './snapshot.ts'

const server = await startTestServer()
const ids = await createSampleDojo(server.db)
async function countStudents(tx: Tx) {
  const { rows } = await tx.execute<{ count: string }>(sql`select count(*)::text from students`)
  return rows[0]!.count
}
const hasNoOpenTransaction = async () => {
  const { rows } = await server.db.withoutDojo((tx) =>
    tx.execute<{ count: number }>(
      sql`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and state like 'idle in%' and pid <> pg_backend_pid()`,
    ),
  )
  return rows[0]!.count === 0
}

test('reads everything as of one moment, and cannot write', async () => {
  const insertion = Promise.withResolvers<void>()
  const { stream, finished } = streamSnapshot(server.db, ids.dojo_id, async (tx) => {
    const initialCount = await countStudents(tx)
    return Readable.from(
      (async function* () {
        yield initialCount
        await insertion.promise
        yield ` ${await countStudents(tx)}`
        await expect(tx.execute(sql`delete from students`)).rejects.toMatchObject({
          cause: { message: expect.stringContaining('read-only transaction') as string },
        })
      })(),
    )
  })
  const body = await stream
  await server.db.inDojo(ids.dojo_id, (tx) =>
    tx.execute(
      sql`insert into students (id, name, created_at) values (gen_random_uuid(), 'New', now())`,
    ),
  )
  insertion.resolve()
  const [firstCount, secondCount] = (await text(body)).split(' ')
  expect(secondCount).toBe(firstCount)
  await finished
})

async function* generateForever() {
  for (;;) yield await Promise.resolve('x'.repeat(10_000))
}

test('releases the connection if the client leaves or stalls', async () => {
  const abandonedStream = streamSnapshot(server.db, ids.dojo_id, () =>
    Promise.resolve(Readable.from(generateForever())),
  )
  ;(await abandonedStream.stream).destroy()
  await abandonedStream.finished
  const stalledStream = streamSnapshot(
    server.db,
    ids.dojo_id,
    () => Promise.resolve(Readable.from(generateForever())),
    { stallMs: 60 },
  )
  const body = await stalledStream.stream
  const failure = new Promise<Error>((resolve) => body.once('error', resolve))
  expect(await failure).toMatchObject({ message: 'The export was not read in time' })
  await stalledStream.finished
  await expect.poll(hasNoOpenTransaction).toBe(true)
})

test('ends the stream with an error if reading fails', async () => {
  let startCount = 0
  const { stream, finished } = streamSnapshot(server.db, ids.dojo_id, async (tx) => {
    startCount += 1
    await countStudents(tx)
    return Readable.from(
      (async function* () {
        yield await Promise.resolve('some')
        throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
      })(),
    )
  })
  await expect(text(await stream)).rejects.toThrow('deadlock detected')
  await finished
  expect(startCount).toBe(1)
})

test('runs at most three exports at the same time, and at most two of one dojo', async () => {
  const { run } = createExportLimits(60)
  const startedIds: string[] = []
  const permission = Promise.withResolvers<void>()
  const startExport = (dojoId: string) =>
    run(dojoId, async () => {
      startedIds.push(dojoId)
      await permission.promise
    })
  const runs = ['a', 'a', 'a', 'b', 'b'].map(startExport)
  await expect.poll(() => startedIds.length).toBe(3)
  expect(startedIds).toEqual(['a', 'a', 'b'])
  permission.resolve()
  await Promise.all(runs)
  expect(startedIds.toSorted()).toEqual(['a', 'a', 'a', 'b', 'b'])
})

test('limits how many files an account can download per hour', () => {
  const { countExport } = createExportLimits(3)
  for (let file = 0; file < 3; file++) countExport('kenji')
  expect(() => countExport('kenji')).toThrow(
    'You have downloaded too many files. Please try again in an hour.',
  )
  expect(() => countExport('aiko')).not.toThrow()
})
