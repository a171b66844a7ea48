import { classesApi } from '@tatami/contract/classes/classes'
import { STUDENT_CSV_COLUMNS } from '@tatami/contract/import/students-csv'
import { toImportForm, parseSheet } from '@tatami/contract/import/sheet'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { addClass } from '../classes/classes.ts'
import { exampleClass } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

/** Returns the columns of students.csv that an import can read, without the byte order mark. */
async function exportRows({ post }: Sensei): Promise<string[][]> {
  const { body } = await post('/export/students', {})
  const table = Papa.parse<string[]>(Buffer.from(body).toString().slice(1).trimEnd()).data
  return table.map((row) => row.slice(0, STUDENT_CSV_COLUMNS.length))
}

test('imports an export without changing any row', async () => {
  const [sourceDojo, targetDojo] = [await server.createSensei(), await server.createSensei()]
  const kids = await server.createClass(sourceDojo, { class_name: 'Kids Judo' })
  const fields = { date_of_birth: '2015-03-02', gender: 'female', belt_level: 'green' } as const
  const [mia, leo] = [
    await server.createStudent(sourceDojo, {
      name: 'Mia Ortiz',
      phone_number: '+15125550143',
      monthly_payment_amount: 85.5,
      enrolled_classes: [kids.id],
      ...fields,
    }),
    await server.createStudent(sourceDojo, {
      name: 'Leo Ortiz',
      phone_number: '512 555 0144',
      is_trial: true,
      enrolled_classes: [kids.id],
      ...fields,
    }),
  ]
  await sourceDojo.put(`/students/${mia.id}/notes`, {
    allergies: '=Peanuts, "nuts"',
    medical_note: 'Asthma',
  })
  await server.createGuardian(sourceDojo, [], {
    name: 'Ann Ortiz',
    phone: '512 555 0111',
    students: [mia, leo].map(({ id }) => ({ student_id: id, pays: true, relation: 'mother' })),
  })
  // An imported student has no login and therefore no email.
  for (const { id } of [mia, leo])
    await server.db.inDojo(sourceDojo.dojoId, (tx) =>
      tx.execute(`update students set email = null where id = '${id}'`),
    )
  const table = await exportRows(sourceDojo)
  expect(table).toHaveLength(3)
  const { status } = await targetDojo.post(
    '/student-imports',
    toImportForm(parseSheet(table, '2026-11-23')),
  )
  expect(status).toBe(200)
  expect(await exportRows(targetDojo)).toEqual(table)
})

test('keeps a class with a separator in its name, and letters of other alphabets', async () => {
  const name = 'Kids, small; Mon|Wed'
  // Forms accept only letters, but older classes may have other characters.
  const addClassWithSeparators = ({ dojoId }: Sensei) =>
    server.db.inDojo(dojoId, (tx) =>
      addClass(tx, { ...classesApi.create.body.parse(exampleClass()), class_name: name }),
    )
  const [sourceDojo, targetDojo, emptyDojo] = [
    await server.createSensei(),
    await server.createSensei(),
    await server.createSensei(),
  ]
  const { id } = await addClassWithSeparators(sourceDojo)
  const kids = await server.createClass(sourceDojo, { class_name: 'Kids Judo' })
  const { id: student } = await server.createStudent(sourceDojo, {
    name: 'Đặng Łukasz',
    enrolled_classes: [id, kids.id],
  })
  await server.db.inDojo(sourceDojo.dojoId, (tx) =>
    tx.execute(`update students set email = null where id = '${student}'`),
  )
  const table = await exportRows(sourceDojo)
  const sheet = toImportForm(parseSheet(table, '2026-11-23'))
  await addClassWithSeparators(targetDojo)
  expect((await targetDojo.post('/student-imports', sheet)).body).toMatchObject({
    students: 1,
    classes: 1,
  })
  expect(await exportRows(targetDojo)).toEqual(table)
  const { body } = await emptyDojo.post('/student-imports/preview', sheet)
  const names = body.classes_in_sheet.map(({ class_name }: { class_name: string }) => class_name)
  expect(names.toSorted()).toEqual(['Kids Judo', 'Kids small Mon Wed'])
})
