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
  async function listStudents({ http }: Pick<typeof server, 'http'>) {
    const response = await http.inject({
      url: '/api/students',
      headers: { authorization: `Bearer ${sensei.token}` },
    })
    return response.json<{ name: string; enrolled_classes: string[] }[]>()
  }
  const listNames = async (target: Pick<typeof server, 'http'>) =>
    (await listStudents(target)).map(({ name }) => name)
  return { sensei, student, listStudents, listNames }
}
async function runSql(studentId: string, statement: string, values: string[]) {
  await admin.query(
    "select set_config('app.dojo_id', dojo_id::text, false) from students where id = $1",
    [studentId],
  )
  expect((await admin.query(statement, values)).rowCount).toBe(1)
}
const renameStudent = (id: string, name: string) =>
  runSql(id, 'update students set name = $2 where id = $1', [id, name])

test('a change by plain SQL appears in the next list of both servers', async () => {
  const { student, listNames } = await createDojo()
  const listNamesOnBothServers = async () => [
    await listNames(server),
    await listNames(secondServer),
  ]
  expect(await listNamesOnBothServers()).toEqual([['Ken Adams'], ['Ken Adams']])
  for (const name of ['Mia Chen', 'Noah Ito']) {
    await renameStudent(student.id, name)
    await expect
      .poll(listNamesOnBothServers, { timeout: 2000, interval: 5 })
      .toEqual([[name], [name]])
  }
})

test('a row that a foreign key deletes disappears from the next list', async () => {
  const { sensei, student, listStudents } = await createDojo()
  const { id } = await server.createClass(sensei)
  await sensei.post(`/students/${student.id}/enroll/${id}`)
  await expect.poll(() => listStudents(secondServer)).toMatchObject([{ enrolled_classes: [id] }])
  await runSql(student.id, 'delete from classes where id = $1', [id])
  await expect
    .poll(() => listStudents(secondServer), { timeout: 2000, interval: 5 })
    .toMatchObject([{ enrolled_classes: [] }])
})

test('a server that receives no messages reads the database each time', async () => {
  const { student, listNames } = await createDojo()
  const isolatedServer = await server.openServer()
  expect(await listNames(isolatedServer)).toEqual(['Ken Adams'])
  await isolatedServer.pubsub.close()
  await expect.poll(() => isolatedServer.pubsub.isLive()).toBe(false)
  for (const name of ['Mia Chen', 'Noah Ito']) {
    await renameStudent(student.id, name)
    expect(await listNames(isolatedServer)).toEqual([name])
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

/** Creates a cache whose responses have `responseBytes` each. `loadedDojoIds` has the dojo of each
 *  response that was computed. */
function createTestCache(responseBytes: number, maxBytes: number) {
  const loadedDojoIds: string[] = []
  const get = cachePerDojo(
    { db: server.db, pubsub: server.pubsub },
    async (_, dojoId) => {
      loadedDojoIds.push(dojoId)
      return new SerializedReply(studentsApi.list, 'x'.repeat(responseBytes))
    },
    maxBytes,
  )
  return { get, loadedDojoIds }
}

test('keeps many small responses, but only some large ones', async () => {
  const dojoIds = Array.from({ length: 120 }, newId)
  const cacheOfSmallResponses = createTestCache(100, MEGABYTE)
  const cacheOfLargeResponses = createTestCache(MEGABYTE / 20, MEGABYTE)
  const caches = [cacheOfSmallResponses, cacheOfLargeResponses]
  for (const { get } of [...caches, ...caches]) for (const dojoId of dojoIds) await get(dojoId)
  expect(caches.map(({ loadedDojoIds }) => loadedDojoIds.length)).toEqual([120, 240])
  await cacheOfLargeResponses.get(dojoIds.at(-1)!)
  expect(cacheOfLargeResponses.loadedDojoIds.length).toBe(240)
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
  const dojoIds = Array.from({ length: 20 }, newId)
  const initialBytes = measureBufferBytes()
  const { get, loadedDojoIds } = createTestCache(MEGABYTE / 2, 1000 * MEGABYTE)
  for (const time of ['12:14:59', '12:15:00', '12:29:59', '12:30:00', '12:45:00']) {
    setClock(`2027-03-01T${time}Z`)
    for (const dojoId of dojoIds) await get(dojoId)
  }
  expect(loadedDojoIds.length).toBe(4 * dojoIds.length)
  await expect.poll(() => measureBufferBytes() - initialBytes).toBeLessThan(15 * MEGABYTE)
  await get(dojoIds[0]!)
  expect(loadedDojoIds.length).toBe(4 * dojoIds.length)
})

test('limits the memory of cached responses, including their compressed copies', async () => {
  const initialBytes = measureBufferBytes()
  const { get, loadedDojoIds } = createTestCache(MEGABYTE, 20 * MEGABYTE)
  const dojoIds = Array.from({ length: 100 }, newId)
  for (const dojoId of dojoIds) {
    const response = await get(dojoId)
    await response.compressed()
  }
  await expect.poll(() => measureBufferBytes() - initialBytes).toBeLessThan(20 * MEGABYTE)
  // Half of the limit is reserved for compressed copies, which are tiny here.
  for (const dojoId of dojoIds.slice(-9)) await get(dojoId)
  expect(loadedDojoIds.length).toBe(100)
})
