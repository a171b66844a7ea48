import { describe, expect, test } from 'vitest'
import { parseSheet } from './sheet.ts'

const TODAY = '2026-11-22'
const readSheet = (...lines: string[]) =>
  parseSheet(
    lines.map((line) => line.split('|')),
    TODAY,
  )

describe('name, email and phone in one cell', () => {
  test.each([
    'Ken Adams <ken@example.com> 512-555-0142',
    'Ken Adams, ken@example.com, 512-555-0142',
    'Ken Adams\nken@example.com\n512-555-0142',
    'Ken Adams (512-555-0142) / Email: ken@example.com',
  ])('are split into columns: %j', (cell) => {
    const { fields, rows } = parseSheet(
      [
        ['Client', 'Belt'],
        [cell, 'White'],
      ],
      TODAY,
    )
    expect(fields).toEqual(['name', 'email', 'phone_number', 'belt_level'])
    expect(rows).toEqual([['Ken Adams', 'ken@example.com', '512-555-0142', 'White']])
  })

  test.each(['Email / Phone', 'Contact', 'Email', 'Contact info'])(
    'are split into columns without a name: %s',
    (heading) => {
      const { fields, rows } = parseSheet(
        [
          ['Name', heading],
          ['Ken Adams', 'ken@example.com / 512-555-0142'],
          ['Mia Ruiz', '512-555-0143, mia@example.com'],
        ],
        TODAY,
      )
      expect(fields).toEqual(['name', 'email', 'phone_number'])
      expect(rows).toEqual([
        ['Ken Adams', 'ken@example.com', '512-555-0142'],
        ['Mia Ruiz', 'mia@example.com', '512-555-0143'],
      ])
    },
  )

  test('are about the parent if the heading says parent', () => {
    const { fields, rows } = readSheet('Name|Parent Info', 'Ken Adams|Ann Adams, 512-555-0142')
    expect(fields).toEqual(['name', 'guardian_name', 'guardian_phone'])
    expect(rows).toEqual([['Ken Adams', 'Ann Adams', '512-555-0142']])
  })

  test('are not split in columns of emails, notes and doctors', () => {
    const { headings } = readSheet(
      'Name|Email|Notes|Doctor',
      'Ken Adams|Ken <ken@example.com>|call Ann 512-555-0142|Dr. Ito 512-555-0143',
    )
    expect(headings).toEqual(['Name', 'Email', 'Notes', 'Doctor'])
  })

  test('are not split if most cells hold only names', () => {
    const { headings } = readSheet('Name', 'Ken Adams', 'Mia Ruiz', 'Tom Lee 512-555-0142')
    expect(headings).toEqual(['Name'])
  })
})

describe('columns of several people', () => {
  test('named P1 and P2 are about the parents', () => {
    const { fields } = readSheet(
      'Name|P1 Name|P1 Cell|P2 Name|Email P2',
      'Ken Adams|Ann|512-555-0142|Bob|bob@example.com',
    )
    expect(fields).toEqual([
      'name',
      'guardian_name',
      'guardian_phone',
      'guardian_2_name',
      'guardian_2_email',
    ])
  })

  test('named Contact 1 are about a guardian if they have a relationship or an email', () => {
    const { fields } = readSheet(
      'Name|Contact 1 Name|Contact 1 Relationship|Contact 1 Phone',
      'Ken Adams|Ann|Mother|512-555-0142',
    )
    expect(fields).toEqual(['name', 'guardian_name', 'guardian_relation', 'guardian_phone'])
  })

  test('named Contact 1 are otherwise about the emergency contact, and Contact 2 is ignored', () => {
    const { fields } = readSheet(
      'Name|Contact 1|Contact 1 Phone|Contact 2|Contact 2 Phone',
      'Ken Adams|Ann|512-555-0142|Bob|512-555-0143',
    )
    expect(fields).toEqual([
      'name',
      'emergency_contact_name',
      'emergency_contact_phone',
      null,
      null,
    ])
  })
})

describe('headings', () => {
  test('may span two rows', () => {
    const { fields, rows } = readSheet(
      'First|Last|Date of|Emergency|Monthly',
      'Name|Name|Birth|Phone|Fee',
      'Ken|Adams|3/4/2014|512-555-0142|95',
    )
    expect(fields).toEqual([
      'first_name',
      'last_name',
      'date_of_birth',
      'emergency_contact_phone',
      'monthly_payment_amount',
    ])
    expect(rows).toHaveLength(1)
  })

  test('do not include the first student', () => {
    const { rows } = readSheet('Name|Belt|Notes', 'Ken Adams|White|late', 'Mia Ruiz|Blue|')
    expect(rows).toHaveLength(2)
  })

  test('that are unknown are recognized above columns of numbers and emails', () => {
    const { headings, fields, rows } = readSheet('Etunimi|Puhelin', 'Aino|512-555-0142')
    expect([headings, fields]).toEqual([
      ['Etunimi', 'Puhelin'],
      [null, 'phone_number'],
    ])
    expect(rows).toHaveLength(1)
  })
})
