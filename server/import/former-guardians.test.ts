import { expect, test } from 'vitest'
import { importBodyOfCsv } from '../test/sheets.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

const SHEET = `Name,DOB,Mother,Mother Email,Mother Cell,Father,Father Email,Father Cell
Ken Adams,3/4/2014,Ann Adams,ann@example.com,512-555-0101,Bob Adams,bob@example.com,512-555-0102
Mia Adams,3/4/2016,Ann Adams,ann@example.com,512-555-0101,Bob Adams,bob@example.com,512-555-0102`
const requireOk = ({ status, body }: { status: number; body: any }) => {
  expect([Math.floor(status / 100), body?.detail]).toEqual([2, undefined])
  return body
}
const preview = async (sensei: Sensei, body: object) =>
  requireOk(await sensei.post('/student-imports/preview', body))
const importSheet = async (sensei: Sensei, body: object) =>
  requireOk(await sensei.post('/student-imports', body))
const listStudents = async (sensei: Sensei) => (await sensei.get('/students')).body as any[]
const listGuardianNames = async (sensei: Sensei) =>
  Object.fromEntries(
    (await listStudents(sensei)).map(({ name, guardians }) => [
      name,
      guardians.map((guardian: { name: string }) => guardian.name).join(),
    ]),
  )
const findIdsOfKenAndBob = async (sensei: Sensei) => {
  const [ken] = await listStudents(sensei)
  const bob = ken.guardians.find(({ name }: { name: string }) => name === 'Bob Adams')
  return { ken: ken.id, bob: bob.id }
}
const unlinkGuardian = async (sensei: Sensei, { ken, bob }: { ken: string; bob: string }) =>
  requireOk(await sensei.delete(`/guardians/${bob}/students/${ken}`))

test('does not link a removed guardian again when the list is imported again', async () => {
  const sensei = await server.createSensei()
  await importSheet(sensei, importBodyOfCsv(SHEET))
  const ids = await findIdsOfKenAndBob(sensei)
  await unlinkGuardian(sensei, ids)
  const plan = await preview(sensei, importBodyOfCsv(SHEET))
  expect([plan.students, plan.merged, plan.guardians, plan.added_links]).toEqual([0, 2, 0, []])
  expect(plan.ended_links).toEqual([
    { guardian: 'Bob Adams', student: 'Ken Adams', student_id: ids.ken },
  ])
  await importSheet(sensei, importBodyOfCsv(SHEET))
  expect(await listGuardianNames(sensei)).toEqual({
    'Ken Adams': 'Ann Adams',
    'Mia Adams': 'Ann Adams,Bob Adams',
  })
})

test.each([
  ['another address and number', SHEET.replaceAll('bob@', 'bobby@').replaceAll('0102', '0109')],
  ['only a name', SHEET.replaceAll('bob@example.com,512-555-0102', ',')],
])('does not link a removed guardian again if the list has %s', async (_, sheet) => {
  const sensei = await server.createSensei()
  await importSheet(sensei, importBodyOfCsv(SHEET))
  await unlinkGuardian(sensei, await findIdsOfKenAndBob(sensei))
  await importSheet(sensei, importBodyOfCsv(sheet))
  expect((await listGuardianNames(sensei))['Ken Adams']).toBe('Ann Adams')
})

test('still recognizes a child by a guardian who was removed', async () => {
  const sensei = await server.createSensei()
  const sheet = 'Name,Father,Father Email\nKen Adams,Bob Adams,bob@example.com'
  await importSheet(sensei, importBodyOfCsv(sheet))
  await unlinkGuardian(sensei, await findIdsOfKenAndBob(sensei))
  await importSheet(sensei, importBodyOfCsv(sheet))
  expect(await listGuardianNames(sensei)).toEqual({ 'Ken Adams': '' })
})

test('adds a deleted guardian again only if the instructor says so', async () => {
  const sensei = await server.createSensei()
  await importSheet(sensei, importBodyOfCsv(SHEET))
  const { bob } = await findIdsOfKenAndBob(sensei)
  requireOk(await sensei.delete(`/guardians/${bob}`))
  const plan = await preview(sensei, importBodyOfCsv(SHEET))
  expect([plan.guardians, plan.added_links, plan.guardian_questions]).toEqual([
    0,
    [],
    [
      expect.objectContaining({
        ...{ guardian: 'Bob Adams', email: 'bob@example.com', phone: '512-555-0102' },
        ...{ students: ['Ken Adams', 'Mia Adams'], is_added: false },
      }),
    ],
  ])
  await importSheet(sensei, importBodyOfCsv(SHEET))
  expect((await listGuardianNames(sensei))['Ken Adams']).toBe('Ann Adams')
  const add_guardians = [plan.guardian_questions[0].id]
  const answeredPlan = await preview(sensei, { ...importBodyOfCsv(SHEET), add_guardians })
  expect([answeredPlan.guardians, answeredPlan.added_links.length]).toEqual([1, 2])
  await importSheet(sensei, { ...importBodyOfCsv(SHEET), add_guardians })
  expect((await listGuardianNames(sensei))['Ken Adams']).toBe('Ann Adams,Bob Adams')
})

test('shows in the preview which guardians existing students get', async () => {
  const sensei = await server.createSensei()
  await importSheet(
    sensei,
    importBodyOfCsv('Name,DOB,Mother,Mother Email\nKen Adams,3/4/2014,Ann Adams,ann@example.com'),
  )
  const plan = await preview(sensei, importBodyOfCsv(SHEET))
  expect(plan.added_links.map(({ guardian, student }: any) => [guardian, student])).toEqual([
    ['Bob Adams', 'Ken Adams'],
  ])
})

test('does not count guardians of an undone import as deleted', async () => {
  const sensei = await server.createSensei()
  await importSheet(
    sensei,
    importBodyOfCsv('Name,DOB,Mother,Mother Email\nKen Adams,3/4/2014,Ann Adams,ann@example.com'),
  )
  const { import: importResult } = await importSheet(sensei, importBodyOfCsv(SHEET))
  requireOk(await sensei.post(`/student-imports/${importResult.id}/undo`, {}))
  const plan = await preview(sensei, importBodyOfCsv(SHEET))
  expect([plan.guardians, plan.guardian_questions]).toEqual([1, []])
})
