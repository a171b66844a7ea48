import { describe, expect, test } from 'vitest'
import type { ImportField } from './import-fields.ts'
import { readRow } from './rows.ts'
import { splitInputs } from '../test/split-inputs.ts'

const TODAY = '2026-11-22'
const HEADINGS: Partial<Record<ImportField, string>> = {
  guardian_name: 'Mother',
  guardian_phone: 'Mother Phone',
  guardian_email: 'Mother Email',
  guardian_relation: 'Relation',
  guardian_2_name: 'Father',
  guardian_2_phone: 'Father Phone',
}
function readContacts(cells: Partial<Record<ImportField, string>>) {
  const fields = Object.keys(cells) as ImportField[]
  const headings = fields.map((field) => HEADINGS[field] ?? field)
  return readRow(['name', ...fields], ['Amy Ford', ...Object.values(cells)], {
    order: 'month-first',
    today: TODAY,
    headings: ['Name', ...headings],
  })
}

describe('a guardian cell', () => {
  test.each(
    splitInputs([
      'DO NOT CONTACT, do not contact - restraining order, no contact, NO CONTACT ORDER, DNC',
      'Jill Ford (do not contact), Jill Ford - no contact, Jill Ford RESTRAINING ORDER',
      '(DNC) Jill Ford, Jill Ford - do not call, Not allowed to pick up: Jill Ford',
      'Do Not Release To, Jill Ford lost custody, Jill Ford (no visitation)',
      'Jill Ford - supervised visits only, Jill Ford [court order], no custody',
      'Jill & Bob Ford (Jill: do not contact), Jill Ford (not authorized), kein Kontakt',
      'ne pas contacter, Jill Ford (protective order - mother), Jill Ford - no legal rights',
      'Jill Ford (order of protection)',
    ]),
  )('with the warning %j creates no guardian, and opts the phone out of texts', (cell) => {
    const { person, notices, optOuts, problems } = readContacts({
      guardian_name: cell,
      guardian_phone: '512-555-1008',
      guardian_2_name: 'Bob Ford',
      guardian_2_phone: '512-555-1009',
    })
    expect(problems).toEqual([])
    expect(person.guardians).toMatchObject([{ name: 'Bob Ford', phone: '512-555-1009' }])
    expect(person.private_notes).toBe(`Mother: ${cell}\nMother Phone: 512-555-1008`)
    expect(optOuts).toEqual([{ phone: '512-555-1008', quote: `Mother: ${cell}` }])
    expect(notices).toEqual([
      {
        field: 'guardian_name',
        message: `Not added as a guardian: the sheet says “${cell}”. Saved in notes`,
      },
    ])
  })

  test.each(
    splitInputs([
      'deceased, Deceased (2019), DECEASED 2/14/2020, Jill Ford (deceased)',
      'Jill Ford - passed away, PASSED, The late Jill Ford, Jill Ford (late), not in picture',
      'not involved, no longer involved, estranged, out of the picture, Incarcerated, in prison',
      'N/A - foster care, NA - adopted, foster care, divorced, unknown father, no father',
      'verstorben, fallecida, not in her life, absent, ward of the state',
    ]),
  )('with %j creates no guardian, and is saved in the notes', (cell) => {
    const { person, notices, optOuts } = readContacts({
      guardian_name: cell,
      guardian_phone: '512-555-1008',
      guardian_2_name: 'Bob Ford',
    })
    expect(person.guardians).toMatchObject([{ name: 'Bob Ford' }])
    expect(person.private_notes).toBe(`Mother: ${cell}\nMother Phone: 512-555-1008`)
    expect(notices).toHaveLength(1)
    expect(optOuts).toEqual([])
  })

  test.each(
    splitInputs([
      'same, same as father, SAME AS ABOVE, see above, see mother, ditto, self, Self, herself',
      'student, x, XX, TBD, tba, N/A, n/a, N.A., none, None, no, nobody, not applicable',
      'not listed, ask mom, pending, adult, over 18, no contact info, no emergency contact',
      'not provided, mom only, (required)',
    ]),
  )('with the placeholder %j creates no guardian, and the phone is saved in the notes', (cell) => {
    const { person, notices } = readContacts({
      guardian_name: cell,
      guardian_phone: '512-555-1008',
      guardian_2_name: 'Bob Ford',
    })
    expect(person.guardians).toMatchObject([{ name: 'Bob Ford' }])
    expect(person.private_notes).toBe('Mother Phone: 512-555-1008')
    expect(notices).toHaveLength(1)
    expect(readContacts({ guardian_name: cell })).toMatchObject({
      person: { guardians: [], private_notes: null },
      notices: [],
    })
  })

  test.each(
    splitInputs([
      'Will Self, Na Li, No Min-jun, Ann Passed, Bob Same, Mia Late, Ken Gone, Mother, mom',
      'Ann Cole (work), Ann Cole (divorced), Ann See, Rip Torn',
    ]),
  )('with %j creates a guardian of that name', (cell) => {
    const { person, notices } = readContacts({
      guardian_name: cell,
      guardian_phone: '512-555-1008',
    })
    expect(person.guardians).toEqual([
      { name: cell, relation: null, email: null, phone: '512-555-1008' },
    ])
    expect([person.private_notes, notices]).toEqual([null, []])
  })

  test.each([
    ['Ann Eson - DO NOT TEXT', 'Ann Eson'],
    ['Ann Eson DO NOT TEXT', 'Ann Eson'],
    ['(no texts) Ann Eson', 'Ann Eson'],
    ['Eson, Ann - don’t text', 'Ann Eson'],
    ['DO NOT TEXT: Ann Eson', 'Ann Eson'],
  ])('with %j creates a guardian, and opts the phone out of texts', (cell, name) => {
    const { person, optOuts } = readContacts({
      guardian_name: cell,
      guardian_phone: '512-555-1008',
    })
    expect(person.guardians).toMatchObject([{ name, phone: '512-555-1008' }])
    expect(optOuts).toEqual([{ phone: '512-555-1008', quote: `Mother: ${cell}` }])
  })

  test('creates no guardian if the phone, email or relation says no contact or deceased', () => {
    for (const cells of [
      { guardian_phone: '512-555-1008 do not contact' },
      { guardian_phone: '512-555-1008', guardian_email: 'DO NOT CONTACT' },
      { guardian_phone: '512-555-1008', guardian_relation: 'Mother - no contact' },
    ] as const) {
      const { person, optOuts, problems } = readContacts({ guardian_name: 'Jill Ford', ...cells })
      expect([person.guardians, problems]).toEqual([[], []])
      expect(person.private_notes).toContain('Mother: Jill Ford\n')
      expect(optOuts).toMatchObject([{ phone: '512-555-1008' }])
    }
    const deceasedRow = readContacts({
      guardian_name: 'Jill Ford',
      guardian_phone: '512-555-1008 (deceased)',
    })
    expect([deceasedRow.person.guardians, deceasedRow.optOuts]).toEqual([[], []])
  })

  test('can forbid contact with the other parent, who does not become a guardian', () => {
    const { person, notices } = readContacts({
      guardian_name: 'Dr. Jill Ford (RESTRAINING ORDER - father)',
      guardian_phone: '512-555-1007',
      guardian_2_name: 'Bob Ford',
      guardian_2_phone: '512-555-1008',
    })
    expect(person.guardians).toEqual([
      { name: 'Dr. Jill Ford', relation: null, email: null, phone: '512-555-1007' },
    ])
    expect(person.private_notes).toBe(
      'Mother: RESTRAINING ORDER - father\nFather: Bob Ford\nFather Phone: 512-555-1008',
    )
    expect(notices.map(({ field }) => field)).toEqual(['guardian_name', 'guardian_2_name'])
  })

  test.each([
    [{ private_notes: 'Restraining order against dad' }, ['Jill Ford']],
    [{ private_notes: 'Peanuts. Father may not pick up' }, ['Jill Ford']],
    [{ private_notes: 'Mom has custody, dad has no visitation' }, ['Jill Ford']],
    [{ private_notes: 'Dad picks up on Mondays' }, ['Jill Ford', 'Bob Ford']],
    [{ private_notes: 'Do not contact mother' }, ['Bob Ford']],
    [{ emergency_contact_name: 'Grandma (NOT MOM)' }, ['Bob Ford']],
  ] as const)('in a row with %j creates only the guardians %j', (cells, names) => {
    const { person } = readContacts({
      ...cells,
      guardian_name: 'Jill Ford',
      guardian_2_name: 'Bob Ford',
    })
    expect(person.guardians.map(({ name }) => name)).toEqual(names)
  })
})

test('leaves out an emergency contact who must not be contacted, and the name “same as above”', () => {
  for (const cell of ['DO NOT CONTACT', 'Bob Ford (no contact)', 'Uncle Joe - deceased']) {
    const { person, notices } = readContacts({
      emergency_contact_name: cell,
      emergency_contact_phone: '512-555-1008',
    })
    expect([person.emergency_contact_name, person.emergency_contact_phone]).toEqual([null, null])
    expect(person.private_notes).toContain(cell)
    expect(notices).toHaveLength(1)
  }
  const noContactRow = readContacts({
    guardian_2_name: 'Bob Ford (no contact)',
    guardian_2_phone: '512-555-1008',
    emergency_contact_name: 'Bob Ford',
    emergency_contact_phone: '(512) 555-1008',
  })
  expect(noContactRow.person).toMatchObject({ emergency_contact_name: null, guardians: [] })
  const sameAsAboveCells = {
    emergency_contact_name: 'same as above',
    emergency_contact_phone: '512-555-1008',
  }
  expect(readContacts(sameAsAboveCells).person).toMatchObject({
    emergency_contact_name: null,
    emergency_contact_phone: '512-555-1008',
  })
})

test('removes notes about texts and contact from a student’s name', () => {
  const readRowWithName = (name: string) =>
    readRow(['name', 'phone_number'], [name, '512-555-1008'], {
      order: 'month-first',
      today: TODAY,
    })
  expect(readRowWithName('Ken Adams - DO NOT TEXT')).toMatchObject({
    person: { name: 'Ken Adams', private_notes: null },
    rowOptOut: 'Name: Ken Adams - DO NOT TEXT',
  })
  expect(readRowWithName('Ken Adams (restraining order - father)')).toMatchObject({
    person: { name: 'Ken Adams', private_notes: 'Name: restraining order - father' },
    rowOptOut: null,
  })
})
