import type { LeavingImpact } from '@tatami/contract/students/leaving'
import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { exampleStudent, PASSWORD, signInAs } from '../test/fixtures.ts'
import { createGradingDojo, setClockToNoon, TODAY } from '../test/grading-dojo.ts'
import { APRIL, createLedgerDojo, MARCH } from '../test/ledger-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>
type Person = { name: string }

const LAST_DAY = '2027-03-10'
const createLeaveForm = (changes: object = {}) => ({
  left_on: LAST_DAY,
  reason: 'moved_away',
  ...changes,
})
const listNames = (people: Person[]) => people.map(({ name }) => name)
const listCurrentNames = async (sensei: Sensei) => listNames((await sensei.get('/students')).body)
const listFormerNames = async (sensei: Sensei) =>
  listNames((await sensei.get('/former-students')).body)

async function setUpDojo() {
  setClock(`${LAST_DAY}T18:00:00Z`)
  const sensei = await server.createSensei()
  const kids = await server.createClass(sensei, { class_name: 'Kids' })
  const teens = await server.createClass(sensei, { class_name: 'Teens' })
  const ken = await server.createStudent(sensei, {
    name: 'Ken Adams',
    enrolled_classes: [kids.id, teens.id],
  })
  const leave = (changes: object = {}) =>
    sensei.post(`/students/${ken.id}/leave`, createLeaveForm(changes))
  const comeBack = () => sensei.post(`/students/${ken.id}/return`)
  const readImpact = async (): Promise<LeavingImpact> =>
    (await sensei.get(`/students/${ken.id}/leaving-impact`)).body
  return { sensei, kids, teens, ken, leave, comeBack, readImpact }
}

describe('a student who leaves', () => {
  test('moves to the former students, with the day, the reason and the history', async () => {
    const { sensei, kids, ken, leave } = await setUpDojo()
    const mark = { student_id: ken.id, class_id: kids.id, class_date: '2027-03-08T00:00:00.000Z' }
    await sensei.post('/attendance', { ...mark, present: true })
    const { status, body } = await leave({ left_on: '2027-03-08', note: 'To Denver' })
    expect([status, body.student]).toMatchObject([
      200,
      { left_on: '2027-03-08', left_reason: 'moved_away', enrolled_classes: [] },
    ])
    expect([await listCurrentNames(sensei), await listFormerNames(sensei)]).toEqual([
      [],
      ['Ken Adams'],
    ])
    const page = (await sensei.get(`/students/${ken.id}`)).body
    expect(page).toMatchObject({ left_note: 'To Denver', recent_marks: [{ present: true }] })
    expect(page.left_classes).toHaveLength(2)
  })

  test('needs a last day that is not in the future, and a valid reason', async () => {
    const { leave, sensei } = await setUpDojo()
    const readErrors = async (changes: object) => (await leave(changes)).body.errors
    expect(await readErrors({ left_on: '2027-03-11' })).toEqual([
      { field: 'left_on', message: 'The last day must not be after today' },
    ])
    expect(await readErrors({ left_on: null })).toEqual([
      { field: 'left_on', message: 'Last day is required' },
    ])
    expect(await readErrors({ reason: 'boredom' })).toEqual([
      { field: 'reason', message: 'Reason is not valid' },
    ])
    expect(await listCurrentNames(sensei)).toEqual(['Ken Adams'])
  })

  test('can be deleted, and only their last day and reason can be changed', async () => {
    const { sensei, kids, ken, leave } = await setUpDojo()
    await leave()
    const refusal = {
      status: 409,
      body: { detail: 'Ken Adams is a former student. Re-enroll them first.' },
    }
    const form = exampleStudent({ ...ken, class_preferences: ['saturday'], on_vacation: false })
    const vacation = { vacation_from: LAST_DAY, vacation_until: null }
    expect(await sensei.put(`/students/${ken.id}`, form)).toMatchObject(refusal)
    expect(await sensei.post(`/students/${ken.id}/enroll/${kids.id}`)).toMatchObject(refusal)
    expect(await sensei.put(`/students/${ken.id}/vacation`, vacation)).toMatchObject(refusal)
    expect((await leave({ left_on: '2027-02-20', reason: 'cost' })).body.student).toMatchObject({
      left_on: '2027-02-20',
      left_reason: 'cost',
    })
    expect((await sensei.delete(`/students/${ken.id}`)).status).toBe(200)
    expect(await listFormerNames(sensei)).toEqual([])
  })

  test('returns to the classes that still exist', async () => {
    const { sensei, kids, teens, leave, comeBack } = await setUpDojo()
    await leave()
    await sensei.delete(`/classes/${teens.id}`)
    expect((await comeBack()).body.student).toMatchObject({
      left_on: null,
      left_reason: null,
      enrolled_classes: [kids.id],
    })
    expect([await listCurrentNames(sensei), await listFormerNames(sensei)]).toEqual([
      ['Ken Adams'],
      [],
    ])
    // A second tap changes nothing.
    expect((await comeBack()).status).toBe(200)
  })

  test('gives up a place in a class to the waitlist', async () => {
    const { sensei, kids, leave } = await setUpDojo()
    const ana = await server.createStudent(sensei, { name: 'Ana Reyes' })
    await sensei.put(`/classes/${kids.id}/places`, { places: 1 })
    const place = { class_id: kids.id, day: LAST_DAY }
    expect((await ana.post('/class-dates/places', place)).body.state).toBe('waiting')
    await leave()
    const [date] = (await sensei.get(`/class-dates?class_id=${kids.id}&until=${LAST_DAY}`)).body
    expect(date.students).toMatchObject([{ student_name: 'Ana Reyes', state: 'has_place' }])
  })

  test('is removed from planned belt tests, and owes no fee for them', async () => {
    setClockToNoon(TODAY)
    const { sensei, leo, plan, invite, readCharges } = await createGradingDojo(server)
    const { id } = (await plan()).body
    await invite(id, [leo])
    const impact = (await sensei.get(`/students/${leo.id}/leaving-impact`)).body as LeavingImpact
    expect(impact.gradings).toEqual([{ id, name: 'Spring grading' }])
    await sensei.post(`/students/${leo.id}/leave`, createLeaveForm({ left_on: TODAY }))
    expect(listNames((await sensei.get(`/gradings/${id}`)).body.candidates)).not.toContain(
      'Leo Chen',
    )
    expect(await readCharges(leo)).toMatchObject([{ amount: 40, owed: 0 }])
  })

  test('gets no texts, not even a text that an instructor writes', async () => {
    const { sensei, ken, leave } = await setUpDojo()
    await leave()
    expect(await sensei.post('/sms/messages', { student_ids: [ken.id], text: 'Hi' })).toMatchObject(
      {
        status: 409,
        body: { detail: 'Ken Adams is a former student and gets no texts.' },
      },
    )
  })
})

describe('debts of a former student', () => {
  const setUpLedger = async (changes: object = {}) => {
    const dojo = await createLedgerDojo(server, { name: 'Ken Adams', ...changes })
    const leave = (form: object = {}) =>
      dojo.post(`/students/${dojo.id()}/leave`, createLeaveForm(form))
    const readOwed = async () => (await dojo.account()).balance
    const readOwing = async () => (await dojo.get('/owing')).body
    return { dojo, leave, readOwed, readOwing }
  }

  test('include the current month, but no later months', async () => {
    const { dojo, leave, readOwed, readOwing } = await setUpLedger()
    await leave()
    expect([await readOwed(), await readOwing()]).toMatchObject([
      100,
      [{ total: 100, students: [{ name: 'Ken Adams', left_on: LAST_DAY }] }],
    ])
    await dojo.moveClockTo('2027-05-10T18:00:00Z')
    expect(await readOwed()).toBe(100)
    expect(await dojo.dues(APRIL)).toEqual([])
    expect(await dojo.statistics(APRIL)).toMatchObject({
      total_monthly_paying_students: 0,
      total_yet_to_pay: 0,
    })
    await dojo.pay(100)
    expect([await readOwed(), await readOwing()]).toEqual([0, []])
  })

  test('do not include the current month if the student left before it', async () => {
    const { leave, readOwed } = await setUpLedger()
    await leave({ left_on: '2027-02-27' })
    expect(await readOwed()).toBe(0)
  })

  test('do not use up the credit, which can still be refunded', async () => {
    const { dojo, leave } = await setUpLedger()
    await dojo.pay(130)
    await leave()
    expect(await dojo.account()).toMatchObject({ balance: -30, credit: 30 })
  })

  test('are written off if the instructor chooses to write them off', async () => {
    const { dojo, leave, readOwed, readOwing } = await setUpLedger()
    await dojo.charge(25)
    const impact = (await dojo.get(`/students/${dojo.id()}/leaving-impact`)).body as LeavingImpact
    expect(impact).toMatchObject({ owed: 25, owed_this_month: 100, credit: 0 })
    await leave({ writes_off_debts: true })
    expect([await readOwed(), await readOwing()]).toEqual([0, []])
  })

  test('grow again after the student returns, but only once a month', async () => {
    const { dojo, leave, readOwed } = await setUpLedger()
    await leave()
    await dojo.post(`/students/${dojo.id()}/return`)
    expect(await readOwed()).toBe(100)
    await leave()
    await dojo.moveClockTo('2027-05-10T18:00:00Z')
    await dojo.post(`/students/${dojo.id()}/return`)
    expect(await readOwed()).toBe(200)
  })
})

test('keeps siblings’ prices until the month ends, and previews their new prices', async () => {
  const dojo = await createLedgerDojo(
    server,
    { name: 'Ana Diaz', monthly_payment_amount: 100 },
    { name: 'Leo Diaz', monthly_payment_amount: 90 },
  )
  await server.createGuardian(dojo.sensei, [], {
    name: 'Rosa Diaz',
    phone: '(512) 555-0177',
    students: dojo.students.map(({ id }) => ({ student_id: id, pays: true, sees_fees: true })),
  })
  const prices = [{ nth: 2, percent: 50, amount_off: null }]
  await dojo.put('/sibling-prices', { ordered_by: 'highest_fee', prices })
  const impact = (await dojo.get(`/students/${dojo.id()}/leaving-impact`)).body as LeavingImpact
  expect(impact.sibling_prices).toEqual([
    { id: dojo.id(1), name: 'Leo Diaz', before: 45, after: 90 },
  ])
  await dojo.post(`/students/${dojo.id()}/leave`, createLeaveForm())
  const readLeosDebt = async (month: number) =>
    (await dojo.dues(month)).find(({ student_id }) => student_id === dojo.id(1))?.owed
  expect([await readLeosDebt(MARCH), await readLeosDebt(APRIL)]).toEqual([45, 90])
})

describe('logins', () => {
  const LOGIN_CLOSED =
    'You no longer train here, so this login is closed. If you want to come back, please ask ' +
    'your instructor.'
  const logIn = (email: string) => server.anonymous.post('/login', { email, password: PASSWORD })

  test('of a former student are closed until the student returns', async () => {
    const { ken, leave, comeBack, readImpact } = await setUpDojo()
    expect((await readImpact()).log_in).toBe('ends')
    await leave()
    expect((await ken.get('/profile')).status).toBe(401)
    expect(await logIn(ken.email)).toMatchObject({ status: 403, body: { detail: LOGIN_CLOSED } })
    await comeBack()
    expect((await logIn(ken.email)).status).toBe(200)
  })

  test('of a parent who stops training stay open because of the children', async () => {
    const { sensei, kids } = await setUpDojo()
    const ann = await server.createStudent(sensei, {
      name: 'Ann Adams',
      date_of_birth: '1985-01-01',
    })
    const leo = await server.createStudent(sensei, {
      name: 'Leo Adams',
      enrolled_classes: [kids.id],
    })
    const students = [{ student_id: leo.id }]
    await sensei.post('/guardians', { account_id: ann.id, students })
    const impact = (await sensei.get(`/students/${ann.id}/leaving-impact`)).body as LeavingImpact
    expect(impact.log_in).toBe('stays')
    await sensei.post(`/students/${ann.id}/leave`, createLeaveForm())
    const parent = await server.signIn(ann.email)
    expect((await parent.get('/profile')).body).toMatchObject({
      is_guardian: true,
      students: [{ name: 'Leo Adams' }],
    })
    expect(listNames((await parent.get('/family/home')).body.children)).toEqual(['Leo Adams'])
    await sensei.post(`/students/${ann.id}/return`)
    const student = await server.signIn(ann.email)
    expect((await student.get('/profile')).body).toMatchObject({
      name: 'Ann Adams',
      belt_level: 'white',
    })
  })

  test('of guardians stay open, and show which child left', async () => {
    const { sensei, ken, leave, comeBack, readImpact } = await setUpDojo()
    const ann = await server.createGuardian(sensei, [ken])
    expect((await readImpact()).guardians).toEqual([{ id: ann.id, name: 'Ann Adams' }])
    await leave()
    expect((await ann.get('/family/home')).body).toMatchObject({
      children: [],
      former: [{ name: 'Ken Adams', left_on: LAST_DAY, owed: null }],
    })
    expect((await ann.get(`/attendance?student_id=${ken.id}`)).status).toBe(404)
    await comeBack()
    expect((await ann.get('/family/home')).body).toMatchObject({
      children: [{ name: 'Ken Adams' }],
      former: [],
    })
  })
})

/** Ken Adams enrolled on March 10, 2027. It is now April 10. */
async function setUpAnalytics() {
  const dojo = await createLedgerDojo(server, { name: 'Ken Adams' })
  const kids = await server.createClass(dojo.sensei, { class_name: 'Kids' })
  await dojo.post(`/students/${dojo.id()}/enroll/${kids.id}`)
  await dojo.moveClockTo('2027-04-10T18:00:00Z')
  const leave = (left_on: string, changes: object = {}) =>
    dojo.post(`/students/${dojo.id()}/leave`, createLeaveForm({ left_on, ...changes }))
  const comeBack = () => dojo.post(`/students/${dojo.id()}/return`)
  const deleteStudent = async () =>
    server.clientFor(await signInAs(server.db, dojo.sensei.id)).delete(`/students/${dojo.id()}`)
  const readChanges = async () => (await dojo.get('/dashboard/stats')).body.changes
  const readMovements = async () => {
    const { body } = await dojo.get('/dashboard/analytics')
    return body.movements
      .filter(({ enrolled, departed }: Movement) => enrolled + departed > 0)
      .map(({ month, enrolled, departed }: Movement) => [month, enrolled, departed])
  }
  return { dojo, leave, comeBack, deleteStudent, readChanges, readMovements }
}
type Movement = { month: string; enrolled: number; departed: number }

test('counts a departure once, in the month of the last day', async () => {
  const { sensei, ken, leave } = await setUpDojo()
  const listDepartures = async () => {
    const { movements } = (await sensei.get('/dashboard/analytics')).body
    return movements
      .filter(({ departed }: { departed: number }) => departed > 0)
      .map(({ month, departed }: { month: string; departed: number }) => [month, departed])
  }
  const readStats = async () => (await sensei.get('/dashboard/stats')).body
  await leave({ left_on: '2027-02-15' })
  expect(await listDepartures()).toEqual([['2027-02-01', 1]])
  expect(await readStats()).toMatchObject({ total_students: 0, regular_students: 0 })
  await sensei.delete(`/students/${ken.id}`)
  expect(await listDepartures()).toEqual([['2027-02-01', 1]])
})

test('counts a return in a later month as an enrollment', async () => {
  const { dojo, leave, comeBack, deleteStudent, readMovements, readChanges } =
    await setUpAnalytics()
  await leave('2027-04-02')
  expect(await readChanges()).toEqual({ total: -1, regular: -1, trial: 0, vacation: 0 })
  await comeBack()
  expect(await readChanges()).toEqual({ total: 0, regular: 0, trial: 0, vacation: 0 })
  expect(await readMovements()).toEqual([['2027-03-01', 1, 0]])
  await leave('2027-04-05')
  await dojo.moveClockTo('2027-06-10T18:00:00Z')
  await comeBack()
  expect(await readChanges()).toEqual({ total: 1, regular: 1, trial: 0, vacation: 0 })
  const movementsAfterReturn = [
    ['2027-03-01', 1, 0],
    ['2027-04-01', 0, 1],
    ['2027-06-01', 1, 0],
  ]
  expect(await readMovements()).toEqual(movementsAfterReturn)
  await deleteStudent()
  expect(await readMovements()).toEqual([...movementsAfterReturn.slice(0, 2), ['2027-06-01', 1, 1]])
})

test('undoes a return if the last day is the same as before', async () => {
  const { dojo, leave, comeBack, readMovements, readChanges } = await setUpAnalytics()
  await leave('2027-03-20', { note: 'To Denver' })
  await comeBack()
  expect(await readChanges()).toMatchObject({ total: 1 })
  await leave('2027-03-20')
  expect(await readChanges()).toMatchObject({ total: 0 })
  expect(await readMovements()).toEqual([['2027-03-01', 1, 1]])
  const page = (await dojo.get(`/students/${dojo.id()}`)).body
  expect(page).toMatchObject({ left_note: 'To Denver', student: { left_on: '2027-03-20' } })
  expect(page.left_classes).toHaveLength(1)
})

test('counts only current students in the super admin’s list', async () => {
  const { sensei, leave, comeBack } = await setUpDojo()
  const superAdmin = await server.signInSuperAdmin()
  const countStudents = async () => {
    const { body } = await superAdmin.get(
      `/super-admin/sensei?search=${encodeURIComponent(sensei.email)}`,
    )
    return body.sensei_list[0].total_students
  }
  expect(await countStudents()).toBe(1)
  await leave()
  expect(await countStudents()).toBe(0)
  await comeBack()
  expect(await countStudents()).toBe(1)
})
