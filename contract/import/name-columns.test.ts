import { expect, test } from 'vitest'
import { readRow } from './rows.ts'
import { toImportForm, parseSheet } from './sheet.ts'

const TODAY = '2026-11-22'

/** Reads the rows of a sheet. `names` has the student's name, then the guardians' names. */
function readSheet(...lines: string[]) {
  const sheet = parseSheet(
    lines.map((line) => line.split(',')),
    TODAY,
  )
  const { columns, headings, rows } = toImportForm(sheet)
  return rows.map((cells) => {
    const { person } = readRow(columns, cells, { order: 'month-first', today: TODAY, headings })
    return { ...person, names: [person.name, ...person.guardians.map(({ name }) => name)] }
  })
}
const readNames = (...lines: string[]) => readSheet(...lines).map(({ names }) => names.join(' + '))

test.each([
  ['Name,Vorname', 'Müller,Jürgen', 'Jürgen Müller'],
  ['Nom,Prénom', 'Lefèvre,Jean', 'Jean Lefèvre'],
  ['Nombre,Apellidos', 'Ana,Díaz López', 'Ana Díaz López'],
  ['Apellido Paterno,Apellido Materno,Nombre', 'Diaz,Lopez,Ana', 'Ana Diaz'],
  ['Cognome,Nome', 'Rossi,Mario', 'Mario Rossi'],
  ['Nome,Sobrenome', 'Ana,Silva', 'Ana Silva'],
  ['Naam,Voornaam', 'Jansen,Piet', 'Piet Jansen'],
  ['Nachname,Name', 'Müller,Jürgen', 'Jürgen Müller'],
  ['Name,First Name', 'Adams,Ken', 'Ken Adams'],
  ['Surname,Name', 'Adams,Ken', 'Ken Adams'],
  ['Last,Name', 'Adams,Ken', 'Ken Adams'],
  ['Student,Last Name', 'Ken,Adams', 'Ken Adams'],
  ['Student Name,Surname', 'Ken,Adams', 'Ken Adams'],
  ['Child,Surname', 'Ken,Adams', 'Ken Adams'],
  ['Last Name,First Name,Name', 'Adams,Ken,Kenny', 'Ken Adams'],
  ['Name,First Name,Last Name', 'Ken Adams,Ken,Adams', 'Ken Adams'],
  ['Full Name,First Name', 'Ken Adams,Ken', 'Ken Adams'],
  ['Name,Last Name', 'Ken Adams,Adams', 'Ken Adams'],
  ['Name,First Name', 'Ken Adams,Ken', 'Ken Adams'],
  ['First Name,Last Name,Preferred Name', 'Kenneth,Adams,Kenny', 'Kenneth Adams'],
  ['Family Name,Given Name,Middle', 'Smith,Ken,J', 'Ken Smith'],
  ['Family,Student', 'The Baker family,Tom', 'Tom Baker'],
])('reads the columns %s with %s as %s', (headings, cells, name) => {
  expect(readNames(headings, cells)).toEqual([name])
})

test('completes a first name with the surname column', () => {
  expect(readNames('Name,Surname', 'Ken Adams,Adams', 'Mia,Ruiz')).toEqual([
    'Ken Adams',
    'Mia Ruiz',
  ])
})

test.each([
  ['First Name,Last Name,Name,Relationship', 'Ken,Adams,Ann Cole,Mother'],
  ['First,Last,Relationship,Name', 'Ken,Adams,Mother,Ann Cole'],
  ['Name,DOB,Name,Relationship', 'Ken Adams,3/14/2014,Ann Cole,Mother'],
  ['Student First,Student Last,Name,Relation to Student', 'Ken,Adams,Ann Cole,Mother'],
  ['Name,Name (Parent)', 'Ken Adams,Ann Cole'],
  ['Name,Name of parent', 'Ken Adams,Ann Cole'],
  ['Parent Name,First Name,Last Name', 'Ann Cole,Ken,Adams'],
  ['Parent or Guardian Name,Student', 'Ann Cole,Ken Adams'],
  ['Parent/Guardian full name (if under 18),Student’s full name', 'Ann Cole,Ken Adams'],
])('reads the guardian in the columns %s as a guardian, not as a student', (headings, cells) => {
  expect(readNames(headings, cells)).toEqual(['Ken Adams + Ann Cole'])
})

test('reads a name next to a relationship as the student’s if it is the only name', () => {
  expect(readNames('Name,Relationship,Phone', 'Ken Adams,Self,512-555-0001')).toEqual(['Ken Adams'])
})

test('assigns a repeated phone column to the person named before it', () => {
  const [ken] = readSheet(
    'Student,Phone,Email,Mother,Phone,Email,Father,Phone,Email',
    'Ken Adams,512-555-0001,k@e.com,Ann A,512-555-0002,a@e.com,Bob A,512-555-0003,b@e.com',
  )
  expect(ken).toMatchObject({
    phone_number: '512-555-0001',
    email: 'k@e.com',
    guardians: [
      { name: 'Ann A', phone: '512-555-0002', email: 'a@e.com' },
      { name: 'Bob A', phone: '512-555-0003', email: 'b@e.com' },
    ],
  })
  const [mia] = readSheet(
    'First,Last,Parent 1,Relationship,Phone,Parent 2,Relationship,Phone',
    'Mia,Ruiz,Ann A,Mother,512-555-0002,Bob A,Father,512-555-0003',
  )
  expect(mia).toMatchObject({
    phone_number: null,
    guardians: [
      { relation: 'mother', phone: '512-555-0002' },
      { relation: 'father', phone: '512-555-0003' },
    ],
  })
  const [tom] = readSheet(
    'Name,Phone,Emergency Contact,Relationship,Phone',
    'Tom Lee,512-555-0001,Ann A,Mother,512-555-0009',
  )
  expect(tom).toMatchObject({
    phone_number: '512-555-0001',
    emergency_contact_phone: '512-555-0009',
  })
})

test('ignores the contact details and birthdays of doctors, payers and parents', () => {
  const [ken] = readSheet(
    'Name,Doctor,Doctor’s Phone,Billing Email,Mother’s birthday',
    'Ken Adams,Dr. Who,512-555-0009,ann@example.com,3/14/1984',
  )
  expect(ken).toMatchObject({ phone_number: null, email: null, date_of_birth: null, guardians: [] })
})

test('combines headings with the group in the row above them', () => {
  const [ken] = readSheet(
    'Student,,,,Parent 1,,,Parent 2,,Emergency,',
    'First,Last,DOB,Phone,Name,Phone,Email,Name,Phone,Name,Phone',
    'Ken,Adams,3/1/2014,,Ann A,512-555-0801,a@e.com,Bob A,512-555-0802,Gran A,512-555-0803',
  )
  expect(ken).toMatchObject({
    name: 'Ken Adams',
    phone_number: null,
    emergency_contact_name: 'Gran A',
    emergency_contact_phone: '512-555-0803',
    guardians: [
      { name: 'Ann A', phone: '512-555-0801', email: 'a@e.com' },
      { name: 'Bob A', phone: '512-555-0802' },
    ],
  })
  expect(readNames('Student,,Mother,', 'Name,DOB,Name,Phone', 'Ken Adams,3/1/2014,Ann A,')).toEqual(
    ['Ken Adams + Ann A'],
  )
})

test.each([
  ['Tiger Martial Arts,,', ['Name', 'DOB', 'Phone']],
  ['Members,,as of 11/2/2026', ['Name', 'DOB', 'Phone']],
  ['Student,,Contact', ['Name', 'DOB', 'Phone']],
  ['Student,,Parent', ['Name', 'DOB', 'Parent Phone']],
])('with %j above the headings, reads them as %j', (line, headings) => {
  const table = [line, 'Name,DOB,Phone', 'Ken Adams,3/1/2014,512-555-0801']
  const sheet = parseSheet(
    table.map((row) => row.split(',')),
    TODAY,
  )
  expect([sheet.headings, sheet.rows]).toEqual([
    headings,
    [['Ken Adams', '3/1/2014', '512-555-0801']],
  ])
})
