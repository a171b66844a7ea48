import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'
import { createPlan, insertHold, insertPack, insertSubscription } from '../test/plan-members.ts'

const server = await startTestServer()
/** A Thursday. */
const TODAY = '2026-03-05'

async function setUpDojo() {
  setClock(`${TODAY}T18:00:00Z`)
  const sensei = await server.createSensei()
  const classOn = (name: string) =>
    server.createClass(sensei, {
      class_name: name,
      class_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'],
    })
  const kids = await classOn('Kids')
  const weapons = await classOn('Weapons')
  const student = await server.createStudent(sensei, {
    enrolled_classes: [kids.id],
    monthly_payment_amount: 0,
  })
  const markIn = (class_id: string, day: string, present = true) =>
    sensei.post('/attendance', { student_id: student.id, class_id, class_date: day, present })
  return {
    ...{ sensei, kids, weapons, student },
    member: { studentId: student.id },
    markIn,
    mark: (day: string, present = true) => markIn(kids.id, day, present),
    entry: async (day = TODAY, class_id = kids.id) =>
      (await sensei.get(`/class-entries?class_id=${class_id}&day=${day}`)).body[0] ?? null,
    words: async (day = TODAY, class_id = kids.id) =>
      (await sensei.get(`/class-entries?class_id=${class_id}&day=${day}`)).body[0]?.words ?? null,
  }
}

describe('a limit', () => {
  test('counts up, and never refuses a mark', async () => {
    const { sensei, student, member, mark, entry, words } = await setUpDojo()
    const plan = await createPlan(sensei, { entry_limit: 2, entry_limit_per: 'week' })
    await insertSubscription(server, sensei, { ...member, plan })
    expect(await words()).toBe('1st of 2 this week')
    await mark('2026-03-02')
    await mark('2026-03-03')
    const notice = {
      student_id: student.id,
      words: '3rd of 2 this week',
      is_over_limit: true,
      visits_left: null,
    }
    expect(await entry()).toEqual(notice)
    expect((await mark(TODAY)).status).toBe(200)
    expect(await entry()).toEqual(notice)
    await mark('2026-03-02', false)
    expect(await words()).toBe('2nd of 2 this week')
    expect(await words('2026-03-09')).toBe('1st of 2 this week')
  })

  test('counts by the week of the school, and by the plan’s own cycle', async () => {
    const { sensei, member, mark, words } = await setUpDojo()
    const plan = await createPlan(sensei, { entry_limit: 8, entry_limit_per: 'cycle' })
    const start = { starts_on: '2026-02-20', billing_day: 'start' as const }
    await insertSubscription(server, sensei, { ...member, plan }, start)
    await mark('2026-02-27')
    expect(await words()).toBe('2nd of 8 since February 20')
    expect(await words('2026-03-20')).toBe('1st of 8 since March 20')
  })

  test('counts a class that was moved on the day on which it took place', async () => {
    const { sensei, kids, member, mark, words } = await setUpDojo()
    const plan = await createPlan(sensei, { entry_limit: 2, entry_limit_per: 'week' })
    await insertSubscription(server, sensei, { ...member, plan })
    const [sunday, monday] = ['2026-03-08', '2026-03-09']
    const move = { class_id: kids.id, day: monday, to_day: sunday }
    expect((await sensei.put('/class-dates/moved', move)).status).toBe(200)
    expect((await mark(monday)).status).toBe(409)
    expect((await mark(sunday)).status).toBe(200)
    await mark('2026-03-06')
    expect(await words(sunday)).toBe('2nd of 2 this week')
    expect(await words('2026-03-10')).toBe('1st of 2 this week')
  })

  test('counts marks of all classes for staff who see only their own', async () => {
    const { sensei, kids, weapons, member, markIn } = await setUpDojo()
    const plan = await createPlan(sensei, { entry_limit: 2, entry_limit_per: 'week' })
    await insertSubscription(server, sensei, { ...member, plan })
    await markIn(weapons.id, '2026-03-02')
    const coach = await server.createStaff(sensei, { rights: ['roll'], class_ids: [kids.id] })
    const { body } = await coach.get(`/class-entries?class_id=${kids.id}&day=${TODAY}`)
    expect(body).toMatchObject([{ words: '2nd of 2 this week' }])
    const otherRoll = await coach.get(`/class-entries?class_id=${weapons.id}&day=2026-03-02`)
    expect(otherRoll.body).toEqual([])
  })
})

describe('a class pack', () => {
  const PACK = { kind: 'pack' as const, price: 150, visits: 3, valid_days: 30 }

  test('says how many visits are left', async () => {
    const { sensei, student, member, mark, entry, words } = await setUpDojo()
    const plan = await createPlan(sensei, PACK)
    await insertPack(server, sensei, { ...member, plan }, '2026-03-01')
    expect(await entry()).toEqual({
      student_id: student.id,
      words: '3 visits left',
      is_over_limit: false,
      visits_left: 3,
    })
    await mark('2026-03-02')
    await mark('2026-03-03')
    await mark(TODAY)
    expect(await entry()).toMatchObject({ words: 'No visits left', is_over_limit: false })
    expect((await mark('2026-03-06')).status).toBe(200)
    expect(await entry('2026-03-06')).toMatchObject({
      words: 'No visits left',
      is_over_limit: true,
      visits_left: 0,
    })
    await mark('2026-03-02', false)
    expect(await words('2026-03-06')).toBe('No visits left')
    expect(await entry('2026-03-06')).toMatchObject({ is_over_limit: false })
  })

  test('gets a visit back when the class is canceled', async () => {
    const { sensei, kids, member, mark, words } = await setUpDojo()
    const plan = await createPlan(sensei, PACK)
    await insertPack(server, sensei, { ...member, plan }, '2026-03-01')
    await mark('2026-03-02')
    expect(await words()).toBe('2 visits left')
    const target = { class_id: kids.id, day: '2026-03-02' }
    expect(
      (await sensei.put('/class-dates/cancelled', { ...target, reason: 'Weather' })).status,
    ).toBe(200)
    expect(await words()).toBe('3 visits left')
  })

  test('gets a visit back from the day or the class of a mark that was moved', async () => {
    const { sensei, kids, weapons, member, markIn, mark, words } = await setUpDojo()
    const plan = await createPlan(sensei, { ...PACK, class_ids: [kids.id] })
    await insertPack(server, sensei, { ...member, plan }, '2026-03-03')
    await mark('2026-03-02')
    expect(await words()).toBe('3 visits left')
    await mark('2026-03-02', false)
    await mark('2026-03-04')
    expect(await words()).toBe('2 visits left')
    await mark('2026-03-04', false)
    await markIn(weapons.id, '2026-03-04')
    expect(await words()).toBe('3 visits left')
  })

  test('is not for other classes, and pauses with a hold', async () => {
    const { sensei, kids, weapons, student, member, markIn, words } = await setUpDojo()
    const plan = await createPlan(sensei, { ...PACK, class_ids: [weapons.id] })
    await insertPack(server, sensei, { ...member, plan }, '2026-03-01')
    await markIn(kids.id, '2026-03-02')
    await markIn(weapons.id, '2026-03-02')
    expect(await words('2026-03-02', weapons.id)).toBe('2 visits left')
    expect(await words('2026-04-05', weapons.id)).toBeNull()
    await markIn(weapons.id, '2026-04-05')
    expect(await words('2026-04-05', weapons.id)).toBe('No visits left')
    await insertHold(server, sensei, {
      ...{ student_id: student.id, starts_on: '2026-03-10', ends_on: '2026-03-20' },
    })
    expect(await words('2026-04-05', weapons.id)).toBe('1 visit left')
  })
})

test('students without a plan, or with one without a limit, have no words', async () => {
  const { sensei, member, mark, entry } = await setUpDojo()
  expect(await entry()).toBeNull()
  const plan = await createPlan(sensei)
  await insertSubscription(server, sensei, { ...member, plan })
  await mark('2026-03-02')
  expect(await entry()).toBeNull()
})
