import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createFollowingSchool, FIRST_DAY } from '../test/new-students.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const createSchool = (steps?: object[]) => createFollowingSchool(server, steps)

const LOOK = { day: 1, kind: 'look', words: 'Look after them', condition: 'always' }
const CALL = { day: 10, kind: 'call', words: 'Ask how they like it', condition: 'few_classes' }
const AWAY = { day: 10, kind: 'call', words: 'Ask where they are', condition: 'away' }

type StepState = { words: string; state: string; skipped_why: string | null }

describe('the plan', () => {
  test('is off until somebody turns it on', async () => {
    const sensei = await server.createSensei()
    const { body } = await sensei.get('/followups/plan')
    expect(body).toMatchObject({ is_on: false, version: 0, starts_from: null })
    const days = body.steps.map(({ day, kind }: { day: number; kind: string }) => [day, kind])
    expect(days).toEqual([
      [1, 'look'],
      [3, 'text'],
      [10, 'call'],
      [30, 'note'],
      [60, 'look'],
      [90, 'look'],
    ])
    const { id: class_id } = await server.createClass(sensei)
    const ken = await server.createStudent(sensei)
    await sensei.post('/attendance', {
      student_id: ken.id,
      class_id,
      class_date: new Date().toISOString(),
      present: true,
    })
    expect((await sensei.get(`/followups/students/${ken.id}`)).body).toEqual({
      plan_day: null,
      started_on: null,
      is_paused: false,
      may_start: false,
      steps: [],
    })
  })

  test.each([
    ['steps', [], 'Add at least one step'],
    ['steps.0.day', [{ ...LOOK, day: 91 }], 'Day must be a whole number from 1 to 90'],
    ['steps.0.words', [{ ...LOOK, words: ' ' }], 'Words is required'],
    ['steps.0.kind', [{ ...LOOK, kind: 'fax' }], 'Kind is not valid'],
  ])('is refused for wrong %s', async (field, steps, message) => {
    const sensei = await server.createSensei()
    const { status, body } = await sensei.put('/followups/plan', { is_on: true, steps })
    expect([status, body.errors]).toEqual([422, [{ field, message }]])
    expect((await sensei.get('/followups/plan')).body.version).toBe(0)
  })

  test('has a new version after each change, and students keep the steps they started with', async () => {
    const school = await createSchool([LOOK])
    const ken = await school.createStudent()
    await school.mark(ken.id, FIRST_DAY)
    const { body } = await school.client().put('/followups/plan', { is_on: true, steps: [CALL] })
    expect(body).toMatchObject({ version: school.plan.version + 1, starts_from: FIRST_DAY })
    expect((await school.readFollowups(ken.id)).steps).toMatchObject([{ words: LOOK.words }])
  })

  test('shows and sends nothing while it is off', async () => {
    const school = await createSchool([LOOK])
    const ken = await school.createStudent({ name: 'Ken Adams' })
    await school.mark(ken.id, FIRST_DAY)
    expect(await school.readDueWords()).toEqual(['Ken Adams: Look after them'])
    await school.client().put('/followups/plan', { is_on: false, steps: [LOOK] })
    expect(await school.readDueWords()).toEqual([])
    expect((await school.readFollowups(ken.id)).plan_day).toBeNull()
  })
})

describe('a student', () => {
  test('starts at the first class, not at the enrollment', async () => {
    const school = await createSchool()
    const ken = await school.createStudent()
    expect((await school.readFollowups(ken.id)).plan_day).toBeNull()
    await school.goTo('2027-03-05')
    await school.mark(ken.id, '2027-03-05', false)
    expect((await school.readFollowups(ken.id)).plan_day).toBeNull()
    await school.mark(ken.id, '2027-03-05')
    expect(await school.readFollowups(ken.id)).toMatchObject({
      plan_day: 1,
      started_on: '2027-03-05',
    })
    await school.goTo('2027-03-16')
    expect((await school.readFollowups(ken.id)).plan_day).toBe(12)
  })

  test('has not started if the first mark was a mistake', async () => {
    const school = await createSchool()
    const ken = await school.createStudent()
    await school.mark(ken.id, FIRST_DAY)
    await school.mark(ken.id, FIRST_DAY, null)
    expect((await school.readFollowups(ken.id)).started_on).toBeNull()
    await school.goTo('2027-03-03')
    await school.mark(ken.id, '2027-03-03')
    expect((await school.readFollowups(ken.id)).started_on).toBe('2027-03-03')
  })

  test('who came before the plan was turned on does not start', async () => {
    const school = await createSchool()
    const ken = await school.createStudent()
    const mia = await school.createStudent()
    await school.runSql(sql`update students set joined_on = '2026-05-01' where id = ${mia.id}`)
    await school.mark(ken.id, '2027-02-22')
    await school.mark(ken.id, FIRST_DAY)
    await school.mark(mia.id, FIRST_DAY)
    expect((await school.readFollowups(ken.id)).started_on).toBeNull()
    expect((await school.readFollowups(mia.id)).started_on).toBeNull()
  })

  test('does not use up days during a vacation or a holiday', async () => {
    const school = await createSchool([LOOK])
    const ken = await school.createStudent({ name: 'Ken Adams' })
    await school.mark(ken.id, FIRST_DAY)
    await school.runSql(sql`update students set on_vacation = true, vacation_from = '2027-03-04',
      vacation_until = '2027-03-10' where id = ${ken.id}`)
    await school.client().post('/holidays', {
      name: 'Spring break',
      first_day: '2027-03-12',
      last_day: '2027-03-14',
    })
    await school.goTo('2027-03-08')
    expect(await school.readFollowups(ken.id)).toMatchObject({ plan_day: 3, is_paused: true })
    expect(await school.readDueWords()).toEqual([])
    await school.goTo('2027-03-16')
    await school.runJobs()
    expect(await school.readFollowups(ken.id)).toMatchObject({ plan_day: 6, is_paused: false })
    expect(await school.readDueWords()).toEqual(['Ken Adams: Look after them'])
  })

  test('who left is not followed up, and after a return only by hand', async () => {
    const school = await createSchool([LOOK, CALL])
    const ken = await school.createStudent()
    await school.mark(ken.id, FIRST_DAY)
    const departure = { left_on: FIRST_DAY, reason: 'cost' }
    expect((await school.client().post(`/students/${ken.id}/leave`, departure)).status).toBe(200)
    expect(await school.readDueWords()).toEqual([])
    await school.goTo('2027-03-02')
    await school.runJobs()
    await school.client().post(`/students/${ken.id}/return`, {})
    await school.mark(ken.id, '2027-03-02')
    const { plan_day, may_start, steps } = await school.readFollowups(ken.id)
    expect([plan_day, may_start]).toEqual([null, true])
    expect(steps.map(({ skipped_why }: StepState) => skipped_why)).toEqual([
      'Left the school',
      'Left the school',
    ])
    const { body } = await school.client().post(`/followups/students/${ken.id}/start`)
    expect(body).toMatchObject({ plan_day: 1, started_on: '2027-03-02' })
    expect((await school.client().post(`/followups/students/${ken.id}/start`)).status).toBe(409)
  })

  test('is followed up until somebody stops it', async () => {
    const school = await createSchool([LOOK])
    const ken = await school.createStudent()
    await school.mark(ken.id, FIRST_DAY)
    const { body } = await school.client().post(`/followups/students/${ken.id}/stop`)
    expect(body).toMatchObject({ plan_day: null, steps: [{ skipped_why: 'Stopped' }] })
    expect((await school.client().post(`/followups/students/${ken.id}/stop`)).status).toBe(409)
  })
})

describe('a step', () => {
  test('is done or skipped in one tap, and opened again', async () => {
    const school = await createSchool([LOOK])
    const ken = await school.createStudent({ name: 'Ken Adams' })
    await school.mark(ken.id, FIRST_DAY)
    const { steps } = (await school.client().get('/dashboard/stats')).body.due_followups
    expect(steps).toMatchObject([{ student_name: 'Ken Adams', plan_day: 1, kind: 'look' }])
    const path = `/followups/steps/${steps[0].id}`
    const setState = async (state: string) => (await school.client().put(path, { state })).status
    expect(await setState('done')).toBe(200)
    expect(await school.readDueWords()).toEqual([])
    expect((await school.readFollowups(ken.id)).steps).toMatchObject([
      { state: 'done', closed_on: FIRST_DAY, closed_by_name: school.sensei.name },
    ])
    expect(await setState('open')).toBe(200)
    expect(await school.readDueWords()).toHaveLength(1)
    expect(await setState('skipped')).toBe(200)
    expect(await setState('late')).toBe(422)
    expect(await school.readDueWords()).toEqual([])
  })

  test('is skipped with the reason when the student has come often enough', async () => {
    const school = await createSchool([CALL])
    const ken = await school.createStudent({ name: 'Ken Adams' })
    const mia = await school.createStudent({ name: 'Mia Chen' })
    for (const day of [FIRST_DAY, '2027-03-03', '2027-03-05']) await school.mark(ken.id, day)
    await school.mark(mia.id, FIRST_DAY)
    await school.goTo('2027-03-10')
    expect(await school.readDueWords()).toEqual(['Mia Chen: Ask how they like it'])
    await school.runJobs()
    expect((await school.readFollowups(ken.id)).steps).toMatchObject([
      { state: 'skipped', skipped_why: 'Came 3 times' },
    ])
  })

  test('is skipped with the reason when a student who was away comes back', async () => {
    const school = await createSchool([AWAY])
    const ken = await school.createStudent({ name: 'Ken Adams' })
    await school.mark(ken.id, FIRST_DAY)
    await school.goTo('2027-03-11')
    await school.runJobs()
    expect(await school.readDueWords()).toEqual(['Ken Adams: Ask where they are'])
    await school.mark(ken.id, '2027-03-11')
    expect(await school.readDueWords()).toEqual([])
    await school.goTo('2027-03-12')
    await school.runJobs()
    expect((await school.readFollowups(ken.id)).steps).toMatchObject([
      { state: 'skipped', skipped_why: 'Came yesterday' },
    ])
  })

  test('that nobody does is skipped after 30 days', async () => {
    const school = await createSchool([LOOK])
    const ken = await school.createStudent()
    await school.mark(ken.id, FIRST_DAY)
    await school.goTo('2027-04-01')
    await school.runJobs()
    expect((await school.readFollowups(ken.id)).steps).toMatchObject([
      { state: 'skipped', skipped_why: 'Not done within 30 days' },
    ])
  })

  test('is one of seven on Today, and the others are counted', async () => {
    const school = await createSchool([LOOK])
    for (let index = 0; index < 9; index += 1) {
      const student = await school.createStudent()
      await school.mark(student.id, FIRST_DAY)
    }
    const { due_followups } = (await school.client().get('/dashboard/stats')).body
    expect([due_followups.steps.length, due_followups.total]).toEqual([7, 9])
  })
})

describe('the first week', () => {
  test('is marked for new students before and after the first class', async () => {
    const school = await createSchool()
    const ken = await school.createStudent()
    const mia = await school.createStudent()
    const listIds = async () =>
      (await school.client().get('/followups/first-week')).body.student_ids
    await school.mark(ken.id, FIRST_DAY)
    expect((await listIds()).toSorted()).toEqual([ken.id, mia.id].toSorted())
    await school.goTo('2027-03-07')
    expect(await listIds()).toContain(ken.id)
    await school.goTo('2027-03-08')
    expect(await listIds()).toEqual([mia.id])
  })
})
