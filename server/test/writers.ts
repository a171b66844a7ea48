import { addDays } from '@tatami/contract/lib/calendar-day'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { exampleStudent } from './fixtures.ts'
import { type ApiResponse } from './test-server.ts'

type Caller = { post: (path: string, payload: object) => Promise<ApiResponse> }
type WrittenNames = { attendance: Set<string>; payments: Set<string>; students: Set<string> }

const RETRY_PAUSE_MS = 30
const SERVICE_UNAVAILABLE = 503
const toDay = (index: number) => addDays('2001-01-01', index)
/** A server that is being stopped may respond with 503. */
const isUnavailable = ({ status }: ApiResponse) => status === SERVICE_UNAVAILABLE

const NAME_QUERIES: Record<keyof WrittenNames, string> = {
  attendance: "select student_id || ' ' || class_date || ' ' || present as name from attendance",
  payments:
    "select student_id || ' ' || payment_year || '-' || payment_month as name from payment_records",
  students: 'select id::text as name from students',
}

/** Keeps writing new rows until `stop`, and remembers the rows for which the server responded with
 *  200. `findLostWrites` returns those that the database does not have. */
export function startWriters(
  sensei: Caller,
  { class_id, student_ids }: { class_id: string; student_ids: string[] },
) {
  const writtenNames: WrittenNames = {
    attendance: new Set(),
    payments: new Set(),
    students: new Set(),
  }
  const unexpectedResponses: string[] = []
  /** `unavailableCount` counts responses with 503, and `missingCount` calls without a response. */
  const responseStats = { slowestMs: 0, unavailableCount: 0, missingCount: 0 }
  const endOfLoad = new AbortController()

  async function write(
    kind: keyof WrittenNames,
    path: string,
    payload: object,
    rowName: (response: ApiResponse) => string,
  ) {
    const startedAt = performance.now()
    const response = await sensei.post(path, payload).catch(() => undefined)
    responseStats.slowestMs = Math.max(responseStats.slowestMs, performance.now() - startedAt)
    if (!response) responseStats.missingCount += 1
    else if (isUnavailable(response)) responseStats.unavailableCount += 1
    if (response?.status === 200) writtenNames[kind].add(rowName(response))
    else if (response && !isUnavailable(response))
      unexpectedResponses.push(`${path}: ${response.status} ${JSON.stringify(response.body)}`)
    if (response?.status !== 200) await sleep(RETRY_PAUSE_MS)
  }
  async function repeat(action: (index: number) => Promise<void>) {
    for (let index = 0; !endOfLoad.signal.aborted; index += 1) await action(index)
  }
  const markAttendance = (student_id: string) =>
    repeat((index) =>
      write(
        'attendance',
        '/attendance',
        {
          student_id,
          class_id,
          class_date: `${toDay(index)}T00:00:00.000Z`,
          present: index % 3 > 0,
        },
        () => `${student_id} ${toDay(index)} ${index % 3 > 0}`,
      ),
    )
  const markPayments = (student_id: string) =>
    repeat((index) => {
      const payment_year = 2000 + (Math.floor(index / 12) % 200)
      const payment_month = index % 12
      return write(
        'payments',
        '/payment-records',
        {
          student_id,
          monthly_payment_amount: 85.5,
          payment_year,
          payment_month,
          payment_status: 'paid',
        },
        () => `${student_id} ${payment_year}-${payment_month}`,
      )
    })
  const addStudents = () =>
    repeat(() =>
      write(
        'students',
        '/students',
        exampleStudent({ enrolled_classes: [class_id] }),
        ({ body }) => `${body.student.id}`,
      ),
    )
  const loops = [
    ...student_ids.flatMap((id) => [markAttendance(id), markPayments(id)]),
    addStudents(),
  ]

  async function findLostWrites(database: pg.ClientConfig) {
    const client = new pg.Client(database)
    client.on('error', () => {})
    await client.connect()
    const missingNames: string[] = []
    for (const kind of Object.keys(NAME_QUERIES) as (keyof WrittenNames)[]) {
      const confirmedNames = [...writtenNames[kind]]
      const storedNames = new Set(
        (await client.query<{ name: string }>(NAME_QUERIES[kind])).rows.map(({ name }) => name),
      )
      missingNames.push(
        ...confirmedNames
          .filter((name) => !storedNames.has(name))
          .map((name) => `${kind}: ${name}`),
      )
    }
    await client.end()
    return missingNames
  }

  return {
    writtenNames,
    unexpectedResponses,
    responseStats,
    findLostWrites,
    count: () => Object.values(writtenNames).reduce((sum, { size }) => sum + size, 0),
    stop: async () => {
      endOfLoad.abort()
      await Promise.all(loops)
    },
  }
}
