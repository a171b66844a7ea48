import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import {
  createKioskDojo,
  checkIn,
  type KioskDojo,
  findCheckInPass,
  readRoll,
  DURING_KIDS_CLASS,
} from '../test/kiosk-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const createDojo = () => createKioskDojo(server)
const MONDAY = '2026-03-02'
const TUESDAY_MORNING = '2026-03-03T15:00:00Z'

const cancelClass = ({ sensei }: KioskDojo, class_id: string) =>
  sensei.put('/class-dates/cancelled', { class_id, day: MONDAY, reason: 'Weather' })
/** The instructor's notifications of check-ins that were not counted. */
const readNotices = async ({ sensei }: Pick<KioskDojo, 'sensei'>): Promise<string[]> =>
  (await sensei.get('/notifications')).body
    .filter(({ title }: { title: string }) => title === 'A check-in was not counted')
    .map(({ message }: { message: string }) => message)
/** Sends a check-in on Tuesday, when the kiosk is online again. */
const sendLate = (dojo: KioskDojo, passes: string[], overrides: object = {}) => {
  setClock(TUESDAY_MORNING)
  return checkIn(dojo, { passes, came_at: DURING_KIDS_CLASS, ...overrides })
}

describe('an offline check-in that does not count', () => {
  test('is reported to the instructors once per student and day', async () => {
    const dojo = await createDojo()
    await dojo.enroll('Ada Byron')
    const passes = [await findCheckInPass(dojo, 'ada')]
    await cancelClass(dojo, dojo.kids.id)
    const id = randomUUID()
    for (const _ of ['first delivery', 'second delivery'])
      expect(await sendLate(dojo, passes, { id })).toMatchObject({
        status: 200,
        body: { greetings: [] },
      })
    // A student may tap twice.
    await Promise.all([sendLate(dojo, passes), sendLate(dojo, passes)])
    expect(await readNotices(dojo)).toEqual([
      'Ada Byron checked in on Monday, March 2 at 4:10 PM, but Kids was canceled that day.',
    ])
    expect(await readRoll(dojo)).toEqual([])
    expect((await dojo.kiosk.delete(`/kiosk/check-ins/${id}`)).status).toBe(404)
    const otherDojo = await createDojo()
    expect(await readNotices(otherDojo)).toEqual([])
  })

  test('is reported if the class was over, or the student is not in it', async () => {
    const dojo = await createDojo()
    await dojo.enroll('Ada Byron')
    await dojo.enroll('Guest Miller', [])
    const ada = [await findCheckInPass(dojo, 'ada')]
    const guest = [await findCheckInPass(dojo, 'guest')]
    await sendLate(dojo, ada, { came_at: '2026-03-02T23:00:00Z' })
    await sendLate(dojo, guest, { asks_first: true })
    expect((await readNotices(dojo)).toSorted()).toEqual([
      'Ada Byron checked in on Monday, March 2 at 5:00 PM, but Kids was already over.',
      'Guest Miller checked in on Monday, March 2 at 4:10 PM, but is not in Kids.',
    ])
    expect(await readRoll(dojo)).toEqual([])
  })

  test('is reported with the reason, such as a deleted class or a missing PIN', async () => {
    const dojo = await createDojo()
    for (const name of ['Ada Byron', 'Ben Moss', 'Cleo Park', 'Dan Ross'])
      await dojo.enroll(name, [])
    const passes = await Promise.all(
      ['ada', 'ben', 'cleo', 'dan'].map((name) => findCheckInPass(dojo, name)),
    )
    await dojo.sensei.put('/class-dates/moved', {
      class_id: dojo.kids.id,
      day: MONDAY,
      to_day: '2026-03-06',
    })
    await sendLate(dojo, [passes[0]!])
    await dojo.sensei.delete(`/classes/${dojo.kids.id}`)
    await sendLate(dojo, [passes[1]!])
    await dojo.sensei.put('/kiosk-settings', { asks_pin: true })
    await sendLate(dojo, [passes[2]!], { class_id: dojo.teens.id })
    setClock('2026-03-09T22:11:00Z') // A week and a minute later
    const tooLate = { passes: [passes[3]], came_at: DURING_KIDS_CLASS, class_id: dojo.teens.id }
    expect((await checkIn(dojo, tooLate)).status).toBe(200)
    expect((await readNotices(dojo)).toReversed()).toEqual([
      'Ada Byron checked in on Monday, March 2 at 4:10 PM, but Kids did not take place that day.',
      'Ben Moss checked in on Monday, March 2 at 4:10 PM, but the class has since been deleted.',
      'Cleo Park checked in on Monday, March 2 at 4:10 PM, ' +
        'but did not enter the PIN that the kiosk asks for.',
      'Dan Ross checked in on Monday, March 2 at 4:10 PM, ' +
        'but the check-in arrived more than 7 days later.',
    ])
    expect(await readRoll(dojo)).toEqual([])
  })

  test('does not affect family members, and is ignored for a deleted student', async () => {
    const dojo = await createDojo()
    const family = [
      await dojo.enroll('Ada Byron'),
      await dojo.enroll('Ken Byron', [dojo.teens.id]),
      await dojo.enroll('Leo Byron'),
    ]
    const guardian = await server.createGuardian(dojo.sensei, family)
    const { code } = (await guardian.get('/my/check-in/code')).body
    const { people } = (await dojo.kiosk.post('/kiosk/code', { code, class_id: dojo.kids.id })).body
    await cancelClass(dojo, dojo.kids.id)
    await dojo.sensei.delete(`/students/${family[2]!.id}`)
    const { status, body } = await sendLate(
      dojo,
      people.map(({ pass }: { pass: string }) => pass),
    )
    expect([status, body.greetings]).toMatchObject([
      200,
      [{ first_name: 'Ken', class_name: 'Teens' }],
    ])
    expect(await readRoll(dojo)).toEqual(['Ken Byron, Teens'])
    expect(await readNotices(dojo)).toHaveLength(1)
  })

  test('is not reported if it already counted before the class was canceled', async () => {
    const dojo = await createDojo()
    await dojo.enroll('Ada Byron')
    const passes = [await findCheckInPass(dojo, 'ada')]
    const id = randomUUID()
    await sendLate(dojo, passes, { id })
    await cancelClass(dojo, dojo.kids.id)
    expect((await sendLate(dojo, passes, { id })).status).toBe(200)
    expect(await readNotices(dojo)).toEqual([])
  })
})

describe('the time of a late check-in', () => {
  test('is never in the future, even if the tablet’s clock is ahead', async () => {
    const dojo = await createDojo()
    await dojo.enroll('Ada Byron')
    const passes = [await findCheckInPass(dojo, 'ada')]
    expect((await checkIn(dojo, { passes, came_at: '2026-03-02T22:40:00Z' })).status).toBe(200)
    expect(await readRoll(dojo)).toEqual(['Ada Byron, Kids'])
  })

  test('is accepted only with passes of that day, because a PIN could be guessed', async () => {
    const dojo = await createDojo()
    const { id } = await dojo.enroll('Ada Byron')
    await dojo.sensei.put(`/students/${id}/pin`, { pin: '4711' })
    expect((await checkIn(dojo, { pin: '4711', came_at: DURING_KIDS_CLASS })).status).toBe(422)
    const passes = [await findCheckInPass(dojo, 'ada')]
    expect((await sendLate(dojo, passes, { came_at: '2026-03-01T22:10:00Z' })).status).toBe(422)
    expect(await readRoll(dojo)).toEqual([])
  })
})

test('refuses the pass of a deleted student', async () => {
  const dojo = await createDojo()
  const { id } = await dojo.enroll('Ada Byron')
  const passes = [await findCheckInPass(dojo, 'ada')]
  await dojo.sensei.delete(`/students/${id}`)
  expect(await checkIn(dojo, { passes })).toMatchObject({
    status: 422,
    body: { detail: 'Please start again' },
  })
})
