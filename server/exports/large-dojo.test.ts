import { request } from 'node:http'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openSession } from '../accounts/sessions.ts'
import { createStudents } from '../test/fixtures.ts'
import { createSampleDojo } from '../test/sample-rows.ts'
import { startTestServer } from '../test/test-server.ts'

const MARKS = 400_000
const STUDENTS = 2_000
/** What the whole of it would take in memory is many times as much. */
const MAX_GROWTH_BYTES = 120 * 1024 * 1024

test.runIf(process.env.LONG)(
  'a dojo of ten years is sent without being held in memory, while others are served',
  { timeout: 600_000 },
  async () => {
    const server = await startTestServer()
    const ids = await createSampleDojo(server.db)
    await createStudents(server.db, ids.dojo_id, STUDENTS)
    await server.db.inDojo(ids.dojo_id, (tx) =>
      tx.execute(sql`insert into attendance (id, student_id, class_id, class_name, class_date, present, created_at)
        select gen_random_uuid(), s.id, null, 'Kids Judo', date '2016-01-01' + n, true, now()
        from (select id, row_number() over () as place from students) s, generate_series(1, ${MARKS / STUDENTS}) n`),
    )
    const other = await server.createSensei()
    const address = await server.http.listen({ host: '127.0.0.1', port: 0 })
    const token = await server.db.withoutDojo((tx) => openSession(tx, ids.instructor_id))
    global.gc?.()
    const before = process.memoryUsage().rss
    let most = 0,
      bytes = 0
    const answers: number[] = []
    await new Promise<void>((resolve, reject) => {
      const asked = request(`${address}/api/export`, { method: 'POST', headers: { authorization: `Bearer ${token}` } }, (answer) => {
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          most = Math.max(most, process.memoryUsage().rss - before)
          // Others ask meanwhile.
          if (answers.length < 20) void other.get('/students').then(({ status }) => answers.push(status))
        })
        answer.on('end', resolve).on('error', reject)
      })
      asked.on('error', reject).end()
    })
    console.log(`${MARKS} marks: ${bytes} bytes of zip, ${Math.round(most / 1024 / 1024)} MB more memory at most`)
    expect(bytes).toBeGreaterThan(1_000_000)
    expect(most).toBeLessThan(MAX_GROWTH_BYTES)
    expect(answers.length).toBeGreaterThan(0)
    expect(new Set(answers)).toEqual(new Set([200]))
  },
)
