import { randomUUID } from 'node:crypto'
import { setClock } from './clock.ts'
import { createKioskToken } from './fixtures.ts'
import type { startTestServer } from './test-server.ts'

/** Monday, 4:10 PM in Chicago. */
export const DURING_KIDS_CLASS = '2026-03-02T22:10:00Z'

/** Creates a kiosk and two classes on Mondays, one from 4 to 5 PM and one from 5 to 6 PM. */
export async function createKioskDojo(server: Awaited<ReturnType<typeof startTestServer>>) {
  setClock(DURING_KIDS_CLASS)
  const sensei = await server.createSensei()
  const kids = await server.createClass(sensei, { class_name: 'Kids' })
  const teens = await server.createClass(sensei, {
    class_name: 'Teens',
    class_start_time: '5:00 PM',
    class_end_time: '6:00 PM',
  })
  const enroll = (name: string, classIds = [kids.id], changes: object = {}) =>
    server.createStudent(sensei, { name, enrolled_classes: classIds, ...changes })
  const kiosk = server.clientFor(await createKioskToken(server.db, sensei))
  return { sensei, kids, teens, enroll, kiosk }
}
export type KioskDojo = Awaited<ReturnType<typeof createKioskDojo>>

export const checkIn = ({ kiosk, kids }: KioskDojo, body: object) =>
  kiosk.post('/kiosk/check-ins', { id: randomUUID(), class_id: kids.id, ...body })

type RollMark = { student_name: string; class_name: string; present: boolean }

/** Returns the marks as texts, such as "Leo Diaz, Kids: absent". */
export const readRoll = async ({ sensei }: KioskDojo): Promise<string[]> =>
  (await sensei.get('/attendance?class_date=2026-03-02')).body.map(
    ({ student_name, class_name, present }: RollMark) =>
      `${student_name}, ${class_name}${present ? '' : ': absent'}`,
  )

/** Searches for a student at the kiosk. Returns the pass of the first result. */
export const findCheckInPass = async ({ kiosk }: KioskDojo, text: string): Promise<string> =>
  (await kiosk.post('/kiosk/search', { text })).body.students[0].pass

export const readAuditLog = async ({ sensei }: KioskDojo): Promise<string[][]> =>
  (await sensei.get('/audit-log')).body.map(
    ({ action, actor, subject }: Record<string, string>) => [action, actor, subject],
  )
