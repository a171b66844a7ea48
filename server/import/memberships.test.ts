import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { firstRow } from '../lib/rows.ts'
import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { runJobs } from '../test/ledger-dojo.ts'
import { importBodyOfCsv, requireOk } from '../test/sheets.ts'
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

test('charges the fees after the months that are already paid', async () => {
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
