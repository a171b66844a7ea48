import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const second = await server.openServer()
const admin = new pg.Client({ connectionString: server.adminUrl })
await admin.connect()
afterAll(() => admin.end())

async function createDojo() {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  const listOn = async ({ http }: Pick<typeof server, 'http'>) =>
    (await http.inject({ url: '/api/students', headers: { authorization: `Bearer ${sensei.token}` } })).json<
      { name: string; enrolled_classes: string[] }[]
    >()
  const namesOn = async (on: Pick<typeof server, 'http'>) => (await listOn(on)).map(({ name }) => name)
  return { sensei, student, listOn, namesOn }
}
/** Runs raw SQL in the student's dojo, as somebody at psql does. */
async function runSql(studentId: string, statement: string, values: string[]) {
  await admin.query("select set_config('app.dojo_id', dojo_id::text, false) from students where id = $1", [studentId])
  expect((await admin.query(statement, values)).rowCount).toBe(1)
}
const rename = (id: string, name: string) => runSql(id, 'update students set name = $2 where id = $1', [id, name])

test('a change made with raw SQL is in the next list of both servers', async () => {
  const { student, namesOn } = await createDojo()
  const both = async () => [await namesOn(server), await namesOn(second)]
  expect(await both()).toEqual([['Ken Adams'], ['Ken Adams']])
  for (const name of ['Mia Chen', 'Noah Ito']) {
    await rename(student.id, name)
    await expect.poll(both, { timeout: 2000, interval: 5 }).toEqual([[name], [name]])
  }
})

test('so is what a foreign key deletes', async () => {
  const { sensei, student, listOn } = await createDojo()
  const { id } = await server.createClass(sensei)
  await sensei.post(`/students/${student.id}/enroll/${id}`)
  await expect.poll(() => listOn(second)).toMatchObject([{ enrolled_classes: [id] }])
  await runSql(student.id, 'delete from classes where id = $1', [id])
  await expect.poll(() => listOn(second), { timeout: 2000, interval: 5 }).toMatchObject([{ enrolled_classes: [] }])
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
    "select tgrelid::regclass::text as name from pg_trigger where tgname = 'publish_dojo_change' order by 1",
  )
  expect(rows.map(({ name }) => name)).toEqual([
    'accounts',
    'classes',
    'dojos',
    'enrolments',
    'incoming_texts',
    'payment_records',
    'students',
  ])
})
