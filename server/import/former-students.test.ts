import { sheetOf, toImportForm } from '@tatami/contract/import/sheet'
import { expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const TODAY = '2026-11-22'

/** Ken Adams left on November 3. The sheet has him and a new student. */
async function setUpDojo() {
  setClock(`${TODAY}T18:00:00Z`)
  const sensei = await server.createSensei()
  const email = `${newId()}@home.org`
  const kids = await server.createClass(sensei, { class_name: 'Kids' })
  const ken = await server.createStudent(sensei, {
    name: 'Ken Adams',
    email,
    enrolled_classes: [kids.id],
  })
  const leaving = { left_on: '2026-11-03', reason: 'schedule' }
  await sensei.post(`/students/${ken.id}/leave`, leaving)
  const sheet = toImportForm(
    sheetOf(
      [
        ['Name', 'Email'],
        ['Ken Adams', email],
        ['Mia Ortiz', 'mia.ortiz@home.org'],
      ],
      TODAY,
    ),
  )
  const names = async (path: string) =>
    (await sensei.get(path)).body.map(({ name }: { name: string }) => name)
  return { sensei, ken, sheet, names }
}

test('asks about a former student, and skips the row until somebody answers', async () => {
  const { sensei, ken, sheet, names } = await setUpDojo()
  const { body: plan } = await sensei.post('/student-imports/preview', sheet)
  expect(plan).toMatchObject({ students: 1, merged: 0, left_out: 1 })
  expect(plan.duplicates).toMatchObject([
    { name: 'Ken Adams', student_id: ken.id, left_on: '2026-11-03', choice: 'skip' },
  ])
  await sensei.post('/student-imports', sheet)
  expect(await names('/students')).toEqual(['Mia Ortiz'])
  expect(await names('/former-students')).toEqual(['Ken Adams'])
})

test('enrolls a former student again if the instructor says so, and undoes that', async () => {
  const { sensei, sheet, names } = await setUpDojo()
  const [row] = (await sensei.post('/student-imports/preview', sheet)).body.duplicates
  const choices = [{ row: row.row, choice: 'update' }]
  const { body } = await sensei.post('/student-imports', { ...sheet, choices })
  expect(await names('/students')).toEqual(['Ken Adams', 'Mia Ortiz'])
  expect((await sensei.get('/students')).body[0].enrolled_classes).toHaveLength(1)
  await sensei.post(`/student-imports/${body.import.id}/undo`)
  expect(await names('/students')).toEqual([])
  const [ken] = (await sensei.get('/former-students')).body
  expect(ken).toMatchObject({ name: 'Ken Adams', left_on: '2026-11-03', left_reason: 'schedule' })
})
