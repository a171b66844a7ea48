import { request } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openSession } from '../accounts/sessions.ts'
import { createStudents } from '../test/fixtures.ts'
import { createSampleDojo } from '../test/sample-rows.ts'
import { startTestServer } from '../test/test-server.ts'

const MARK_COUNT = 400_000
const STUDENT_COUNT = 2_000
/** All rows together would take five times as much memory. */
const MAX_GROWTH_BYTES = 40 * 1024 * 1024
const MEASURE_EVERY_BYTES = 2 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
function measureBytesInUse() {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test.runIf(process.env.LONG)(
  'sends ten years of data without keeping it in memory, and serves other requests meanwhile',
  { timeout: 600_000 },
  async () => {
    const server = await startTestServer()
    const ids = await createSampleDojo(server.db)
    await createStudents(server.db, ids.dojo_id, STUDENT_COUNT)
    const days = MARK_COUNT / STUDENT_COUNT
    // Inserts a tenth at a time, because statements have a time limit.
    for (let day = 0; day < days; day += days / 10)
      await server.db.inDojo(ids.dojo_id, (tx) =>
        tx.execute(sql`insert into attendance
            (id, student_id, class_id, class_name, class_date, present, created_at)
          select gen_random_uuid(), s.id, null, 'Kids Judo', date '2016-01-01' + n, true, now()
          from students s, generate_series(${day}::int, ${day + days / 10 - 1}::int) n`),
      )
    const otherDojo = await server.createSensei()
    const address = await server.http.listen({ host: '127.0.0.1', port: 0 })
    const token = await server.db.withoutDojo((tx) => openSession(tx, ids.instructor_id))
    const initialBytes = measureBytesInUse()
    let maxGrowthBytes = 0
    let downloadedBytes = 0
    let measuredAtBytes = 0
    const statuses: number[] = []
    await new Promise<void>((resolve, reject) => {
      const exportRequest = request(
        `${address}/api/export`,
        { method: 'POST', headers: { authorization: `Bearer ${token}` } },
        (response) => {
          response.on('data', (chunk: Buffer) => {
            downloadedBytes += chunk.length
            if (downloadedBytes - measuredAtBytes > MEASURE_EVERY_BYTES) {
              measuredAtBytes = downloadedBytes
              maxGrowthBytes = Math.max(maxGrowthBytes, measureBytesInUse() - initialBytes)
            }
            // Another dojo sends requests during the download.
            if (statuses.length < 20)
              void otherDojo.get('/students').then(({ status }) => statuses.push(status))
          })
          response.on('end', resolve).on('error', reject)
        },
      )
      exportRequest.on('error', reject).end()
    })
    console.log(
      `${MARK_COUNT} marks: ${downloadedBytes} bytes of zip, ` +
        `${Math.round(maxGrowthBytes / 1024 / 1024)} MB more memory at most`,
    )
    expect(downloadedBytes).toBeGreaterThan(1_000_000)
    expect(maxGrowthBytes).toBeLessThan(MAX_GROWTH_BYTES)
    expect(statuses.length).toBeGreaterThan(0)
    expect(new Set(statuses)).toEqual(new Set([200]))
  },
)
