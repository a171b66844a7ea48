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
const second = await server.openServer()
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
  const namesOn = async (target: Pick<typeof server, 'http'>) =>
    (await listOn(target)).map(({ name }) => name)
  return { sensei, student, listOn, namesOn }
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

test('a change made with raw SQL is in the next list of both servers', async () => {
  const { student, namesOn } = await createDojo()
  const namesOnBoth = async () => [await namesOn(server), await namesOn(second)]
  expect(await namesOnBoth()).toEqual([['Ken Adams'], ['Ken Adams']])
  for (const name of ['Mia Chen', 'Noah Ito']) {
    await rename(student.id, name)
    await expect.poll(namesOnBoth, { timeout: 2000, interval: 5 }).toEqual([[name], [name]])
  }
})

test('so is what a foreign key deletes', async () => {
  const { sensei, student, listOn } = await createDojo()
  const { id } = await server.createClass(sensei)
  await sensei.post(`/students/${student.id}/enroll/${id}`)
  await expect.poll(() => listOn(second)).toMatchObject([{ enrolled_classes: [id] }])
  await runSql(student.id, 'delete from classes where id = $1', [id])
  await expect
    .poll(() => listOn(second), { timeout: 2000, interval: 5 })
    .toMatchObject([{ enrolled_classes: [] }])
})

test('a server whose listener is down reads the database each time', async () => {
  const { student, namesOn } = await createDojo()
  const deaf = await server.openServer()
  expect(await namesOn(deaf)).toEqual(['Ken Adams'])
  await deaf.pubsub.close()
  await expect.poll(() => deaf.pubsub.isLive()).toBe(false)
  for (const name of ['Mia Chen', 'Noah Ito']) {
    await rename(student.id, name)
    expect(await namesOn(deaf)).toEqual([name])
  }
})

test('the trigger stands on the tables of cached responses, and on none that is written often', async () => {
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
    'students',
    'styles',
  ])
})

const MEGABYTE = 1024 * 1024

function cacheOf(bytesOfEach: number, maxBytes: number) {
  const loadedDojos: string[] = []
  const get = cachePerDojo(
    { db: server.db, pubsub: server.pubsub },
    async (_, dojoId) => {
      loadedDojos.push(dojoId)
      return new SerializedReply(studentsApi.list, 'x'.repeat(bytesOfEach))
    },
    maxBytes,
  )
  return { get, made: loadedDojos }
}

test('the responses of many small dojos stay, which few large ones would push out', async () => {
  const dojos = Array.from({ length: 120 }, newId)
  const small = cacheOf(100, MEGABYTE),
    large = cacheOf(MEGABYTE / 20, MEGABYTE)
  for (const { get } of [small, large, small, large]) for (const dojo of dojos) await get(dojo)
  expect([small.made.length, large.made.length]).toEqual([120, 240])
  await large.get(dojos.at(-1)!)
  expect(large.made.length).toBe(240)
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
/** The bytes of all buffers. Collected ones are returned a moment later, by another thread. */
const heldBytes = () => {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

test('a response is made anew each quarter of an hour, in the place of the one before', async () => {
  const dojos = Array.from({ length: 20 }, newId),
    bytesBefore = heldBytes()
  const { get, made } = cacheOf(MEGABYTE / 2, 1000 * MEGABYTE)
  for (const time of ['12:14:59', '12:15:00', '12:29:59', '12:30:00', '12:45:00']) {
    setClock(`2027-03-01T${time}Z`)
    for (const dojo of dojos) await get(dojo)
  }
  expect(made.length).toBe(4 * dojos.length)
  await expect.poll(() => heldBytes() - bytesBefore).toBeLessThan(15 * MEGABYTE)
  await get(dojos[0]!)
  expect(made.length).toBe(4 * dojos.length)
})

test('the memory of cached responses is bounded, compressed copies included', async () => {
  const bytesBefore = heldBytes()
  const { get, made } = cacheOf(MEGABYTE, 20 * MEGABYTE)
  const dojos = Array.from({ length: 100 }, newId)
  for (const dojo of dojos) await (await get(dojo)).compressed()
  await expect.poll(() => heldBytes() - bytesBefore).toBeLessThan(20 * MEGABYTE)
  // Half of the limit is reserved for compressed copies, and these are tiny.
  for (const dojo of dojos.slice(-9)) await get(dojo)
  expect(made.length).toBe(100)
})
