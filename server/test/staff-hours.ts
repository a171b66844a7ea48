import type { ApiClient, startTestServer } from './test-server.ts'
import { setClock } from './clock.ts'

/** Friday, 8 PM in Chicago. */
export const FRIDAY_EVENING = '2026-11-21T02:00:00Z'
export const FRIDAY = '2026-11-20'

export type EnteredHours = { id: string; day: string; minutes: number }

/** Creates a school with an owner, a coach who sees only one class, and a desk worker. */
export async function createStaffedDojo(
  server: Awaited<ReturnType<typeof startTestServer>>,
  time = FRIDAY_EVENING,
) {
  setClock(time)
  const owner = await server.createSensei()
  const kids = await server.createClass(owner, {
    class_name: 'Kids',
    class_days: ['friday'],
    class_start_time: '5:00 PM',
    class_end_time: '6:00 PM',
  })
  const coach = await server.createStaff(owner, { rights: ['roll'], class_ids: [kids.id] })
  const desk = await server.createStaff(owner, { rights: ['roll', 'students.read'] })
  return { owner, kids, coach, desk }
}

export async function enterHours(
  person: ApiClient,
  form: { day?: string; from?: string; until?: string; minutes?: number; task?: string },
): Promise<EnteredHours[]> {
  const { status, body } = await person.post('/my/hours', { day: FRIDAY, task: 'Desk', ...form })
  if (status !== 200) throw new Error(`The hours were refused: ${body.detail}`)
  return body.entries
}

export const approveHours = (manager: ApiClient, hours: readonly { id: string }[]) =>
  manager.post('/approved-staff-hours', { hours_ids: hours.map(({ id }) => id) })

export const setRate = (manager: ApiClient, personId: string, rate: object = {}) =>
  manager.post('/pay/rates', {
    person_id: personId,
    task: 'Desk',
    unit: 'hour',
    amount: 20,
    from: '2026-01-01',
    ...rate,
  })
