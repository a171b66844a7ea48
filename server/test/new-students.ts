import { sql } from 'drizzle-orm'
import { runDueJobs } from '../schedule.ts'
import { setClock } from './clock.ts'
import { signInAs, type StudentFields } from './fixtures.ts'
import type { startTestServer } from './test-server.ts'

type TestServer = Awaited<ReturnType<typeof startTestServer>>

/** The first class is on this Monday, at 4 PM in Austin. */
export const FIRST_DAY = '2027-03-01'

const instantAt = (day: string, hour: number): string =>
  `${day}T${String(hour).padStart(2, '0')}:00:00Z`

/** A school that follows up on new students, with a plan of `steps`. */
export async function createFollowingSchool(server: TestServer, steps?: object[]) {
  setClock(instantAt(FIRST_DAY, 15))
  const { id, dojoId, ...sensei } = await server.createSensei()
  let client = server.clientFor(sensei.token)
  const runSql = (query: ReturnType<typeof sql>) =>
    server.db.inDojo(dojoId, (tx) => tx.execute(query))
  const plan = (await client.get('/followups/plan')).body
  const { body: savedPlan } = await client.put('/followups/plan', {
    is_on: true,
    steps: steps ?? plan.steps,
  })
  const { id: class_id } = await server.createClass({ id })
  const mark = (studentId: string, day: string, present: boolean | null = true) =>
    client.put('/attendance/roll', {
      class_id,
      class_date: day,
      marks: [{ student_id: studentId, present }],
    })
  return {
    sensei: { id, dojoId, ...sensei },
    dojoId,
    class_id,
    plan: savedPlan,
    runSql,
    mark,
    client: () => client,
    createStudent: (fields: StudentFields = {}) => server.createStudent({ id }, fields),
    /** Moves the clock. Sessions end after some days, so it also signs in again. */
    goTo: async (day: string, hour = 18) => {
      setClock(instantAt(day, hour))
      client = server.clientFor(await signInAs(server.db, id))
    },
    runJobs: () =>
      runDueJobs(server.db, (error) => {
        throw error
      }),
    readFollowups: async (studentId: string) =>
      (await client.get(`/followups/students/${studentId}`)).body,
    readDueWords: async (): Promise<string[]> =>
      (await client.get('/followups/due')).body.steps.map(
        ({ student_name, words }: { student_name: string; words: string }) =>
          `${student_name}: ${words}`,
      ),
    readTexts: async (): Promise<string[]> => {
      const { rows } = await runSql(sql`select m.phone, m.text from messages m
        join message_batches b on b.dojo_id = m.dojo_id and b.id = m.batch_id
        where b.kind = 'first_days' and m.sent_with is null order by m.id`)
      return (rows as { phone: string; text: string }[]).map(
        ({ phone, text }) => `${phone.slice(-4)} ${text}`,
      )
    },
  }
}
