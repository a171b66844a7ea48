import { expect, test } from 'vitest'
import { textConsents } from '../consent/tables.ts'
import { requireOk, importBodyOfCsv } from '../test/sheets.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

async function findNotes(sensei: Sensei, name: string): Promise<string | null> {
  const { body: students } = await sensei.get('/students')
  const student = students.find((person: { name: string }) => person.name === name)
  return (await sensei.get(`/students/${student.id}`)).body.private_notes
}

test('does not add a guardian who has died or must not be contacted', async () => {
  const sensei = await server.createSensei()
  const body = importBodyOfCsv(`Name,DOB,Mother,Mother Phone,Father,Father Phone
Amy Ford,3/1/2017,Jill Ford (RESTRAINING ORDER - father),512-555-1007,DO NOT CONTACT,512-555-1008
Leo Cruz,3/1/2016,deceased,512-555-1009,Jose Cruz,512-555-1004
Ian Holt,3/1/2015,same as father,512-555-1005,Tim Holt,512-555-1005
Eva Moss,3/1/2014,N/A - foster care,512-555-1006,,`)
  const plan = requireOk(await sensei.post('/student-imports/preview', body))
  expect(plan.guardians_in_sheet).toEqual([
    { name: 'Jill Ford', is_new: true, pays: true, rows: [0] },
    { name: 'Jose Cruz', is_new: true, pays: true, rows: [1] },
    { name: 'Tim Holt', is_new: true, pays: true, rows: [2] },
  ])
  expect(plan.notices.map(({ row, field }: any) => [row, field])).toEqual([
    [0, 'guardian_name'],
    [0, 'guardian_2_name'],
    [1, 'guardian_name'],
    [2, 'guardian_name'],
    [3, 'guardian_name'],
  ])
  requireOk(await sensei.post('/student-imports', body))
  expect(await findNotes(sensei, 'Amy Ford')).toBe(
    'Mother: RESTRAINING ORDER - father\nFather: DO NOT CONTACT\nFather Phone: 512-555-1008',
  )
  expect(await findNotes(sensei, 'Eva Moss')).toBe(
    'Mother: N/A - foster care\nMother Phone: 512-555-1006',
  )
  const consents = await server.db.inDojo(sensei.dojoId, (tx) => tx.select().from(textConsents))
  expect(consents.map(({ phone, words }) => [phone, words])).toEqual([
    ['+15125551008', 'Father: DO NOT CONTACT'],
  ])
})

test('leaves out people who are not students, and says why', async () => {
  const sensei = await server.createSensei()
  const body = importBodyOfCsv(`Name,Type,DOB,Phone
Ken Adams,Student,3/1/2014,512-555-0001
Ann Adams,Parent,,512-555-0002
- no show -,,,
Tom Lee,Student & Parent,3/1/1985,512-555-0003
Sam Teacher,Employee,3/1/1980,512-555-0004`)
  const plan = requireOk(await sensei.post('/student-imports/preview', body))
  expect([plan.students, plan.left_out, plan.problems]).toEqual([2, 3, []])
  expect(plan.left_out_rows).toMatchObject([
    { row: 1, kind: 'other', words: 'Type: Parent', is_included: false, is_former: false },
    { row: 2, kind: 'heading', words: null, is_included: false, is_former: false },
    { row: 4, kind: 'other', words: 'Type: Employee', is_included: false, is_former: false },
  ])
  const bodyWithIncludedRow = { ...body, include_rows: [4] }
  expect(requireOk(await sensei.post('/student-imports', bodyWithIncludedRow))).toMatchObject({
    students: 3,
  })
})

test('does not import hints and examples below the headings', async () => {
  const sensei = await server.createSensei()
  const body = importBodyOfCsv(`First Name,Last Name,Birthday,Cell Phone,Parent Name,Parent Cell
(required),(required),MM/DD/YYYY,10 digits,if under 18,10 digits
e.g. John,e.g. Smith,e.g. 01/31/2010,,,
John,Doe,01/31/2010,5551234567,EXAMPLE - delete this row,
Ken,Adams,03/14/2014,512-555-0811,Ann Adams,512-555-0812
Ann,Sample,03/14/2014,512-555-0813,,`)
  const plan = requireOk(await sensei.post('/student-imports/preview', body))
  expect([plan.students, plan.problems]).toEqual([2, []])
  expect(plan.left_out_rows).toMatchObject([
    { row: 0, kind: 'heading' },
    { row: 1, kind: 'heading' },
    { row: 2, kind: 'other', words: 'Parent Name: EXAMPLE - delete this row' },
  ])
})

test('says why a number cannot get texts', async () => {
  const sensei = await server.createSensei()
  const body = importBodyOfCsv(`Name,Phone,Mother,Mother Phone,Father,Father Phone
Ken Adams,5551234567,deceased,,Bob Adams,555-0142
Mia Ruiz,512-155-0004,,,Rob Ruiz,+44 7700 900123
Tom Lee,52 55 1234 5678,,,,`)
  const { notices } = requireOk(await sensei.post('/student-imports/preview', body))
  const remarks = notices
    .filter(({ kind }: any) => kind === 'no_texts')
    .map(({ row, field, message }: any) => `${row} ${field}: ${message}`)
  expect(remarks).toEqual([
    '0 guardian_2_phone: 555-0142 cannot get texts: it is not a complete number',
    '0 phone_number: 5551234567 cannot get texts: there is no area code 555',
    '1 guardian_2_phone: +44 7700 900123 cannot get texts: it is a number from another country',
    '1 phone_number: 512-155-0004 cannot get texts: it is not a valid phone number',
    '2 phone_number: 52 55 1234 5678 cannot get texts: it has too many digits',
  ])
})
