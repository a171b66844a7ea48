import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { firstRow } from '../lib/rows.ts'
import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { runJobs } from '../test/ledger-dojo.ts'
import { importBodyOfCsv, importBodyOfTable, requireOk } from '../test/sheets.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

const SHEET = importBodyOfCsv(`Name,Membership,Monthly fee
Ken Adams,Gold,120
Mia Ruiz,gold,120
Leo Cole,Gold,90
Ana Hall,Kids,`)

async function createDojo() {
  setClock('2026-11-26T18:00:00Z')
  const sensei = await server.createSensei()
  const [template] = PLAN_TEMPLATES
  const reply = await sensei.post('/plans', { ...template, name: 'Twice a week', price: 96 })
  return { sensei, planId: requireOk(reply).plan.id as string }
}

const preview = async (sensei: Sensei, body: object) =>
  requireOk(await sensei.post('/student-imports/preview', body))
const importSheet = async (sensei: Sensei, body: object) =>
  requireOk(await sensei.post('/student-imports', body))
const listFees = async (sensei: Sensei) =>
  (await sensei.get('/students')).body.map(
    ({ name, monthly_payment_amount }: { name: string; monthly_payment_amount: number | null }) =>
      [name, monthly_payment_amount] as const,
  )
const listPlans = async (sensei: Sensei) =>
  (await sensei.get('/plans')).body.map(
    ({ name, price, members }: { name: string; price: number; members: number }) => [
      name,
      price,
      members,
    ],
  )
const findMembership = async (sensei: Sensei, name: string) =>
  requireOk(await sensei.get(`/students/${await findId(sensei.email, name)}/membership`))
async function findId(email: string, name: string): Promise<string> {
  const client = await server.signIn(email)
  const rows = (await client.get('/students')).body as { id: string; name: string }[]
  return firstRow(rows.filter((row) => row.name === name)).id
}
const findNotes = async (sensei: Sensei, name: string) => {
  const rows = (await sensei.get('/students')).body as { id: string; name: string }[]
  const student = firstRow(rows.filter((row) => row.name === name))
  return (await sensei.get(`/students/${student.id}`)).body.private_notes
}

test('asks about each membership once', async () => {
  const { sensei } = await createDojo()
  expect((await preview(sensei, SHEET)).memberships_in_sheet).toEqual([
    { name: 'Gold', students: 3, plan_id: null, is_new: false, fee: 120 },
    { name: 'Kids', students: 1, plan_id: null, is_new: false, fee: 0 },
  ])
  await importSheet(sensei, SHEET)
  expect(await listPlans(sensei)).toEqual([['Twice a week', 96, 0]])
  expect(await findNotes(sensei, 'Mia Ruiz')).toBe('Membership: gold')
})

test('takes a membership for the plan of the same name, unless somebody chose otherwise', async () => {
  const { sensei, planId } = await createDojo()
  const sheet = importBodyOfCsv('Name,Membership,Monthly fee\nKen Adams,TWICE  a week,80')
  const findPlanIds = async (memberships?: object[]) =>
    (await preview(sensei, { ...sheet, memberships })).memberships_in_sheet.map(
      ({ plan_id }: { plan_id: string | null }) => plan_id,
    )
  expect(await findPlanIds()).toEqual([planId])
  expect(await findPlanIds([{ name: 'Gold', is_new: true }])).toEqual([planId])
  expect(await findPlanIds([{ name: 'Twice a week', plan_id: null }])).toEqual([null])
  await importSheet(sensei, sheet)
  expect(await findMembership(sensei, 'Ken Adams')).toMatchObject({
    subscriptions: [{ plan_name: 'Twice a week', price: 80 }],
  })
})

test('takes the fee beside a yearly plan of the same name for the price of a year', async () => {
  const { sensei } = await createDojo()
  const [template] = PLAN_TEMPLATES
  const yearlyPlan = { ...template, name: 'Yearly', price: 999.99, cycle_unit: 'year' }
  requireOk(await sensei.post('/plans', yearlyPlan))
  const sheet = importBodyOfCsv('Name,Membership,Monthly fee\nKen Adams,Yearly,999.99')
  await importSheet(sensei, sheet)
  expect(await listFees(sensei)).toEqual([['Ken Adams', 83.33]])
})

test('takes no plan that is no longer sold', async () => {
  const { sensei, planId } = await createDojo()
  requireOk(await sensei.post(`/plans/${planId}/retire`))
  const sheet = importBodyOfCsv('Name,Membership,Monthly fee\nKen Adams,Twice a week,80')
  expect((await preview(sensei, sheet)).memberships_in_sheet).toMatchObject([{ plan_id: null }])
})

test('says who is too young or too old for a plan, and imports them', async () => {
  const { sensei } = await createDojo()
  const [template] = PLAN_TEMPLATES
  requireOk(await sensei.post('/plans', { ...template, name: 'Adults', age_from: 18 }))
  const sheet = importBodyOfCsv(`Name,Membership,Birthday
Ken Adams,Adults,2018-04-01
Mia Ruiz,Adults,1990-04-01
Leo Cole,Adults,`)
  expect((await preview(sensei, sheet)).notices).toEqual([
    {
      ...{ row: 0, field: 'membership_plan' },
      message: 'Ken Adams is not of the age for Adults: From age 18',
    },
  ])
  expect((await importSheet(sensei, sheet)).students).toBe(3)
})

test('charges the fee in the sheet once for an add-on', async () => {
  const { sensei } = await createDojo()
  const [template] = PLAN_TEMPLATES
  const addOn = { ...template, name: 'Weapons', price: 30, is_add_on: true }
  const plan_id = requireOk(await sensei.post('/plans', addOn)).plan.id
  await importSheet(sensei, {
    ...importBodyOfCsv('Name,Membership,Monthly fee\nKen Adams,Weapons,30\nMia Ruiz,Weapons,25'),
    memberships: [{ name: 'Weapons', plan_id }],
  })
  expect(new Map(await listFees(sensei))).toEqual(
    new Map([
      ['Ken Adams', null],
      ['Mia Ruiz', null],
    ]),
  )
  expect(await findMembership(sensei, 'Ken Adams')).toMatchObject({
    subscriptions: [{ price: 30 }],
  })
  expect(await findMembership(sensei, 'Mia Ruiz')).toMatchObject({ subscriptions: [{ price: 25 }] })
})

test('gives a new plan the fee that most members pay, and lets others keep their price', async () => {
  const { sensei, planId } = await createDojo()
  const memberships = [
    { name: 'Gold', is_new: true },
    { name: 'Kids', plan_id: planId },
  ]
  await importSheet(sensei, { ...SHEET, memberships })
  expect(await listPlans(sensei)).toEqual([
    ['Twice a week', 96, 1],
    ['Gold', 120, 3],
  ])
  expect(new Set(await listFees(sensei))).toEqual(
    new Set([
      ['Ken Adams', 120],
      ['Mia Ruiz', 120],
      ['Leo Cole', 90],
      ['Ana Hall', 96],
    ]),
  )
  expect(await findNotes(sensei, 'Ken Adams')).toBeNull()
})

test('charges fees for the months after the last paid month', async () => {
  const { sensei, planId } = await createDojo()
  const memberships = [
    { name: 'Gold', is_new: true },
    { name: 'Kids', plan_id: planId },
  ]
  await importSheet(sensei, { ...SHEET, memberships })
  expect((await sensei.get('/owing')).body).toEqual([])
  setClock('2026-12-02T18:00:00Z')
  await runJobs(server)
  const client = await server.signIn(sensei.email)
  const owing = (await client.get('/owing')).body as { total: number }[]
  expect(owing.map(({ total }) => total).toSorted((a, b) => a - b)).toEqual([90, 96, 120, 120])
})

test('gives no plan to former students or students on trial', async () => {
  const { sensei } = await createDojo()
  const sheet = importBodyOfCsv(`Name,Membership,Monthly fee,Status
Ken Adams,Gold,120,Active
Mia Ruiz,Gold,120,Inactive
Leo Cole,Gold,120,Trial`)
  const body = { ...sheet, former_rows: [1], memberships: [{ name: 'Gold', is_new: true }] }
  expect((await preview(sensei, body)).memberships_in_sheet).toMatchObject([
    { name: 'Gold', students: 1, is_new: true },
  ])
  await importSheet(sensei, body)
  expect(await listPlans(sensei)).toEqual([
    ['Twice a week', 96, 0],
    ['Gold', 120, 1],
  ])
})

test('undoing the import also removes the plans that it added', async () => {
  const { sensei } = await createDojo()
  const body = { ...SHEET, memberships: [{ name: 'Gold', is_new: true }] }
  const { import: storedImport } = await importSheet(sensei, body)
  requireOk(await sensei.post(`/student-imports/${storedImport.id}/undo`))
  expect(await listPlans(sensei)).toEqual([['Twice a week', 96, 0]])
  expect((await sensei.get('/students')).body).toEqual([])
})

test('refuses a plan that the school does not have', async () => {
  const { sensei } = await createDojo()
  const otherSensei = await createDojo()
  const memberships = [{ name: 'Gold', plan_id: otherSensei.planId }]
  const { status, body } = await sensei.post('/student-imports', { ...SHEET, memberships })
  expect([status, body.detail]).toEqual([422, 'Plan is not valid'])
  expect((await sensei.get('/students')).body).toEqual([])
})

test('uses the fee in the sheet as the student’s own weekly price of a weekly plan', async () => {
  const { sensei } = await createDojo()
  const weekly = { ...PLAN_TEMPLATES[0], name: 'Weekly', cycle_unit: 'week', price: 25 }
  const plan_id = requireOk(await sensei.post('/plans', weekly)).plan.id as string
  const sheet = importBodyOfCsv(`Name,Membership,Fee
Ken Adams,Weekly,20
Mia Ruiz,Weekly,`)
  await importSheet(sensei, { ...sheet, memberships: [{ name: 'Weekly', plan_id }] })
  expect((await findMembership(sensei, 'Ken Adams')).subscriptions).toMatchObject([
    { price: 20, list_price: 25, price_reason: 'Imported' },
  ])
  expect((await findMembership(sensei, 'Mia Ruiz')).subscriptions).toMatchObject([
    { price: 25, list_price: null },
  ])
  expect(new Set(await listFees(sensei))).toEqual(
    new Set([
      ['Ken Adams', 86.67],
      ['Mia Ruiz', 108.33],
    ]),
  )
})

test('gives a long-time member neither a new minimum term nor a sign-up fee', async () => {
  const { sensei } = await createDojo()
  const yearlong = { name: 'Yearlong', price: 96, minimum_months: 12, sign_up_fee: 50 }
  const reply = await sensei.post('/plans', { ...PLAN_TEMPLATES[0], ...yearlong })
  const plan_id = requireOk(reply).plan.id as string
  const sheet = importBodyOfCsv(`Name,Membership,Monthly fee,Join date
Ken Adams,Yearlong,96,2019-03-01`)
  await importSheet(sensei, { ...sheet, memberships: [{ name: 'Yearlong', plan_id }] })
  const { subscriptions } = await findMembership(sensei, 'Ken Adams')
  expect(subscriptions).toMatchObject([{ starts_on: '2019-03-01' }])
  // By now, the days in which a member can cancel without a reason are over.
  setClock('2026-12-20T18:00:00Z')
  const client = await server.signIn(sensei.email)
  const endPreview = await client.post(`/subscriptions/${subscriptions[0].id}/end/preview`, {})
  expect(requireOk(endPreview).last_day).toBe('2026-12-20')
  await runJobs(server)
  const { body } = await client.get(`/students/${await findId(sensei.email, 'Ken Adams')}/account`)
  expect(body.charges.map(({ kind }: { kind: string }) => kind)).toEqual(['month'])
})

test('does not start a new term if the term is over, even after an end is undone', async () => {
  const { sensei } = await createDojo()
  const sixMonths = { name: 'Half a year', kind: 'term', price: 96, minimum_months: 6 }
  const reply = await sensei.post('/plans', { ...PLAN_TEMPLATES[0], ...sixMonths })
  const plan_id = requireOk(reply).plan.id as string
  const sheet = importBodyOfCsv(`Name,Membership,Monthly fee,Join date
Ken Adams,Half a year,96,2019-03-01
Mia Ruiz,Half a year,96,2026-09-01
Ana Hall,Half a year,96,`)
  await importSheet(sensei, { ...sheet, memberships: [{ name: 'Half a year', plan_id }] })
  const findFirstAndLastDay = async (name: string) => {
    const { subscriptions } = await findMembership(sensei, name)
    return [subscriptions[0].starts_on, subscriptions[0].ends_on]
  }
  expect(await findFirstAndLastDay('Ken Adams')).toEqual(['2019-03-01', null])
  expect(await findFirstAndLastDay('Mia Ruiz')).toEqual(['2026-09-01', '2027-02-28'])
  expect(await findFirstAndLastDay('Ana Hall')).toEqual(['2026-11-01', '2027-04-30'])
  setClock('2026-12-20T18:00:00Z')
  const client = await server.signIn(sensei.email)
  const ken = await findMembership(client as never, 'Ken Adams')
  const path = `/subscriptions/${ken.subscriptions[0].id}`
  expect(requireOk(await client.post(`${path}/end`, {})).last_day).toBe('2026-12-20')
  requireOk(await client.post(`${path}/keep`))
  const keptMembership = await findMembership(client as never, 'Ken Adams')
  expect(keptMembership.subscriptions).toMatchObject([{ state: 'running', ends_on: null }])
})

test('counts members as joining this month only if their join date is this month', async () => {
  const { sensei, planId } = await createDojo()
  const sheet = importBodyOfCsv(`Name,Membership,Monthly fee,Join date
Ken Adams,Gold,96,2019-03-01
Mia Ruiz,Gold,96,2026-11-10
Leo Cole,Gold,96,`)
  await importSheet(sensei, { ...sheet, memberships: [{ name: 'Gold', plan_id: planId }] })
  const { joining, lists } = requireOk(await sensei.get('/membership-figures'))
  expect(joining).toBe(1)
  expect(lists.joining).toMatchObject([{ student_id: await findId(sensei.email, 'Mia Ruiz') }])
})

test('gives students the remaining visits of a class pack, without a charge', async () => {
  const { sensei } = await createDojo()
  const pack = { name: 'Ten classes', kind: 'pack', visits: 10, price: 150, valid_days: 90 }
  const reply = await sensei.post('/plans', { ...PLAN_TEMPLATES[0], ...pack })
  const plan_id = requireOk(reply).plan.id as string
  const sheet = importBodyOfTable([
    ['Name', 'Membership'],
    ['Ken Adams', '10 classes, 4 left, until 5/1/2027'],
    ['Mia Ruiz', '10 classes, 7 left'],
  ])
  const body = { ...sheet, memberships: [{ name: '10 classes', plan_id }] }
  expect((await preview(sensei, body)).memberships_in_sheet).toMatchObject([
    { name: '10 classes', students: 2, plan_id },
  ])
  const { import: storedImport } = await importSheet(sensei, body)
  expect((await findMembership(sensei, 'Ken Adams')).packs).toMatchObject([
    { plan_name: 'Ten classes', visits_left: 4, expires_on: '2027-05-01' },
  ])
  expect((await findMembership(sensei, 'Mia Ruiz')).packs).toMatchObject([
    { plan_name: 'Ten classes', visits_left: 7, expires_on: '2027-02-24' },
  ])
  expect((await sensei.get('/owing')).body).toEqual([])
  requireOk(await sensei.post(`/student-imports/${storedImport.id}/undo`))
  expect((await sensei.get('/students')).body).toEqual([])
})

test('takes the fee beside a class pack for its price, not for a monthly fee', async () => {
  const { sensei } = await createDojo()
  const pack = { name: 'Ten classes', kind: 'pack', visits: 10, price: 140, valid_days: 90 }
  requireOk(await sensei.post('/plans', { ...PLAN_TEMPLATES[0], ...pack }))
  const sheet = importBodyOfCsv('Name,Membership,Monthly fee\nKen Adams,Ten classes,140')
  expect((await preview(sensei, sheet)).notices).toEqual([
    {
      ...{ row: 0, field: 'monthly_payment_amount' },
      message: 'Ten classes is a class pack, so $140 is not charged monthly',
    },
  ])
  await importSheet(sensei, sheet)
  expect((await findMembership(sensei, 'Ken Adams')).packs).toMatchObject([{ visits_left: 10 }])
  expect(await listFees(sensei)).toEqual([['Ken Adams', null]])
})

test('counts the weeks of a plan from the day on which the member joined this month', async () => {
  const { sensei } = await createDojo()
  const fourWeeks = { name: 'Four weeks', cycle_unit: 'week', cycle_count: 4, price: 80 }
  requireOk(await sensei.post('/plans', { ...PLAN_TEMPLATES[0], ...fourWeeks }))
  const sheet = importBodyOfCsv(
    'Name,Membership,Monthly fee,Join date\nKen Adams,Four weeks,80,2026-11-10',
  )
  await importSheet(sensei, sheet)
  const { subscriptions } = await findMembership(sensei, 'Ken Adams')
  expect(subscriptions).toMatchObject([
    { starts_on: '2026-11-10', next_charge: { due_on: '2026-12-08', amount: 80 } },
  ])
})

test('charges an add-on of a new member only after the last month that was paid', async () => {
  const { sensei } = await createDojo()
  const addOn = { ...PLAN_TEMPLATES[0], name: 'Weapons', price: 30, is_add_on: true }
  requireOk(await sensei.post('/plans', addOn))
  const sheet = importBodyOfCsv('Name,Membership,Join date\nKen Adams,Weapons,2026-11-10')
  await importSheet(sensei, sheet)
  await runJobs(server)
  expect((await sensei.get('/owing')).body).toEqual([])
  const [addOnOfKen] = (await findMembership(sensei, 'Ken Adams')).subscriptions
  expect(addOnOfKen.next_charge).toMatchObject({ due_on: '2026-12-01', amount: 30 })
})
