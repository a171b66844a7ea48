import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { studentsApi } from '@tatami/contract/students/students'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'
import { cachePerDojo } from './response-cache.ts'
import { SerializedReply } from './serialized-reply.ts'

const server = await startTestServer()
const secondServer = await server.openServer()
const admin = new pg.Client({ connectionString: server.adminUrl })
await admin.connect()
afterAll(() => admin.end())

async function createDojo() {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  const listOn = async ({ http }: Pick<typeof server, 'http'>) =>
    (
      await http.inject({
        url: '/api/students',
        headers: { authorization: `Bearer ${sensei.token}` },
      })
    ).json<{ name: string; enrolled_classes: string[] }[]>()
  const listNamesOn = async (target: Pick<typeof server, 'http'>) =>
    (await listOn(target)).map(({ name }) => name)
  return { sensei, student, listOn, listNamesOn }
}
async function runSql(studentId: string, statement: string, values: string[]) {
  await admin.query(
    "select set_config('app.dojo_id', dojo_id::text, false) from students where id = $1",
    [studentId],
  )
  expect((await admin.query(statement, values)).rowCount).toBe(1)
}
const rename = (id: string, name: string) =>
  runSql(id, 'update students set name = $2 where id = $1', [id, name])

test('a change by plain SQL appears in the next list of both servers', async () => {
  const { student, listNamesOn } = await createDojo()
  const listNamesOnBoth = async () => [await listNamesOn(server), await listNamesOn(secondServer)]
  expect(await listNamesOnBoth()).toEqual([['Ken Adams'], ['Ken Adams']])
  for (const name of ['Mia Chen', 'Noah Ito']) {
    await rename(student.id, name)
    await expect.poll(listNamesOnBoth, { timeout: 2000, interval: 5 }).toEqual([[name], [name]])
  }
})

test('a row that a foreign key deletes disappears from the next list', async () => {
  const { sensei, student, listOn } = await createDojo()
  const { id } = await server.createClass(sensei)
  await sensei.post(`/students/${student.id}/enroll/${id}`)
  await expect.poll(() => listOn(secondServer)).toMatchObject([{ enrolled_classes: [id] }])
  await runSql(student.id, 'delete from classes where id = $1', [id])
  await expect
    .poll(() => listOn(secondServer), { timeout: 2000, interval: 5 })
    .toMatchObject([{ enrolled_classes: [] }])
})

test('a server without its listener reads the database each time', async () => {
  const { student, listNamesOn } = await createDojo()
  const isolatedServer = await server.openServer()
  expect(await listNamesOn(isolatedServer)).toEqual(['Ken Adams'])
  await isolatedServer.pubsub.close()
  await expect.poll(() => isolatedServer.pubsub.isLive()).toBe(false)
  for (const name of ['Mia Chen', 'Noah Ito']) {
    await rename(student.id, name)
    expect(await listNamesOn(isolatedServer)).toEqual([name])
  }
})

test('the trigger is on the tables of cached responses and on no busy table', async () => {
  const { rows } = await admin.query<{ name: string }>(
    'select tgrelid::regclass::text as name from pg_trigger where tgname = ' +
      "'publish_dojo_change' order by 1",
  )
  expect(rows.map(({ name }) => name)).toEqual([
    'accounts',
    'belt_changes',
    'classes',
    'dojos',
    'enrolments',
    'guardians',
    'guardianships',
    'incoming_texts',
    'ladders',
    'payment_records',
    'ranks',
    'student_notes',
    'student_photos',
    'students',
    'styles',
  ])
})

const MEGABYTE = 1024 * 1024

/** Creates a cache whose responses have `responseBytes` each. `loadedDojos` has the dojo of each
 *  response that was computed. */
function createTestCache(responseBytes: number, maxBytes: number) {
  const loadedDojos: string[] = []
  const get = cachePerDojo(
    { db: server.db, pubsub: server.pubsub },
    async (_, dojoId) => {
      loadedDojos.push(dojoId)
      return new SerializedReply(studentsApi.list, 'x'.repeat(responseBytes))
    },
    maxBytes,
  )
  return { get, loadedDojos }
}

test('keeps the responses of many small dojos, but only some large ones', async () => {
  const dojos = Array.from({ length: 120 }, newId)
  const smallCache = createTestCache(100, MEGABYTE),
    largeCache = createTestCache(MEGABYTE / 20, MEGABYTE)
  for (const { get } of [smallCache, largeCache, smallCache, largeCache])
    for (const dojo of dojos) await get(dojo)
  expect([smallCache.loadedDojos.length, largeCache.loadedDojos.length]).toEqual([120, 240])
  await largeCache.get(dojos.at(-1)!)
  expect(largeCache.loadedDojos.length).toBe(240)
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
/** Returns the size of all buffers in memory. V8 frees collected buffers a moment later, in another
 *  thread. */
const measureBufferBytes = () => {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

test('replaces a response every 15 minutes', async () => {
  const dojos = Array.from({ length: 20 }, newId),
    bytesBefore = measureBufferBytes()
  const { get, loadedDojos } = createTestCache(MEGABYTE / 2, 1000 * MEGABYTE)
  for (const time of ['12:14:59', '12:15:00', '12:29:59', '12:30:00', '12:45:00']) {
    setClock(`2027-03-01T${time}Z`)
    for (const dojo of dojos) await get(dojo)
  }
  expect(loadedDojos.length).toBe(4 * dojos.length)
  await expect.poll(() => measureBufferBytes() - bytesBefore).toBeLessThan(15 * MEGABYTE)
  await get(dojos[0]!)
  expect(loadedDojos.length).toBe(4 * dojos.length)
})

test('limits the memory of cached responses, including their compressed copies', async () => {
  const bytesBefore = measureBufferBytes()
  const { get, loadedDojos } = createTestCache(MEGABYTE, 20 * MEGABYTE)
  const dojos = Array.from({ length: 100 }, newId)
  for (const dojo of dojos) await (await get(dojo)).compressed()
  await expect.poll(() => measureBufferBytes() - bytesBefore).toBeLessThan(20 * MEGABYTE)
  // Half of the limit is reserved for compressed copies, which are tiny here.
  for (const dojo of dojos.slice(-9)) await get(dojo)
  expect(loadedDojos.length).toBe(100)
})
