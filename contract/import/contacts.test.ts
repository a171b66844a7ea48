import { describe, expect, test } from 'vitest'
import type { ImportField } from './import-fields.ts'
import { readRow } from './rows.ts'

const HEADINGS: Partial<Record<ImportField, string>> = {
  guardian_name: 'Mother',
  guardian_phone: 'Mother Phone',
  guardian_email: 'Mother Email',
  guardian_relation: 'Relation',
  guardian_2_name: 'Father',
  guardian_2_phone: 'Father Phone',
}
const read = (cells: Partial<Record<ImportField, string>>) =>
  readRow(['name', ...Object.keys(cells)] as ImportField[], ['Amy Ford', ...Object.values(cells)], {
    order: 'month-first',
    today: '2026-11-22',
    headings: ['Name', ...Object.keys(cells).map((field) => HEADINGS[field as 'name'] ?? field)],
  })

describe('a guardian’s cell', () => {
  test.each(
    [
      'DO NOT CONTACT, do not contact - restraining order, no contact, NO CONTACT ORDER, DNC',
      'Jill Ford (do not contact), Jill Ford - no contact, Jill Ford RESTRAINING ORDER, (DNC) Jill Ford',
      'Jill Ford - do not call, Not allowed to pick up: Jill Ford, Do Not Release To, Jill Ford lost custody',
      'Jill Ford (no visitation), Jill Ford - supervised visits only, Jill Ford [court order], no custody',
      'Jill & Bob Ford (Jill: do not contact), Jill Ford (not authorized), kein Kontakt, ne pas contacter',
      'Jill Ford (protective order - mother), Jill Ford - no legal rights, Jill Ford (order of protection)',
    ].flatMap((line) => line.split(', ')),
  )('that says %j makes nobody a guardian, and the number gets no texts', (cell) => {
    const { person, notices, optOuts, problems } = read({
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
    [
      'deceased, Deceased (2019), DECEASED 2/14/2020, Jill Ford (deceased), Jill Ford - passed away, PASSED',
      'The late Jill Ford, Jill Ford (late), not in picture, not involved, no longer involved, estranged',
      'out of the picture, Incarcerated, in prison, N/A - foster care, NA - adopted, foster care, divorced',
      'unknown father, no father, verstorben, fallecida, not in her life, absent, ward of the state',
    ].flatMap((line) => line.split(', ')),
  )('that says %j makes nobody a guardian, and the notes keep it', (cell) => {
    const { person, notices, optOuts } = read({
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
    [
      'same, same as father, SAME AS ABOVE, see above, see mother, ditto, self, Self, herself, student',
      'x, XX, TBD, tba, N/A, n/a, N.A., none, None, no, nobody, not applicable, not listed, ask mom',
      'pending, adult, over 18, no contact info, no emergency contact, not provided, mom only, (required)',
    ].flatMap((line) => line.split(', ')),
  )('that says %j is nobody’s, and the number beside it goes into the notes', (cell) => {
    const { person, notices } = read({
      guardian_name: cell,
      guardian_phone: '512-555-1008',
      guardian_2_name: 'Bob Ford',
    })
    expect(person.guardians).toMatchObject([{ name: 'Bob Ford' }])
    expect(person.private_notes).toBe('Mother Phone: 512-555-1008')
    expect(notices).toHaveLength(1)
    expect(read({ guardian_name: cell })).toMatchObject({
      person: { guardians: [], private_notes: null },
      notices: [],
    })
  })

  test.each(
    'Will Self, Na Li, No Min-jun, Ann Passed, Bob Same, Mia Late, Ken Gone, Mother, mom, Ann Cole (work), Ann Cole (divorced), Ann See, Rip Torn'.split(
      ', ',
    ),
  )('that says %j names somebody', (cell) => {
    const { person, notices } = read({ guardian_name: cell, guardian_phone: '512-555-1008' })
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
  ])('that says %j opts its number out of texts', (cell, name) => {
    const { person, optOuts } = read({ guardian_name: cell, guardian_phone: '512-555-1008' })
    expect(person.guardians).toMatchObject([{ name, phone: '512-555-1008' }])
    expect(optOuts).toEqual([{ phone: '512-555-1008', quote: `Mother: ${cell}` }])
  })

  test('can say so in another column than the name', () => {
    for (const cells of [
      { guardian_phone: '512-555-1008 do not contact' },
      { guardian_phone: '512-555-1008', guardian_email: 'DO NOT CONTACT' },
      { guardian_phone: '512-555-1008', guardian_relation: 'Mother - no contact' },
    ] as const) {
      const { person, optOuts, problems } = read({ guardian_name: 'Jill Ford', ...cells })
      expect([person.guardians, problems]).toEqual([[], []])
      expect(person.private_notes).toContain('Mother: Jill Ford\n')
      expect(optOuts).toMatchObject([{ phone: '512-555-1008' }])
    }
    const deceasedRow = read({
      guardian_name: 'Jill Ford',
      guardian_phone: '512-555-1008 (deceased)',
    })
    expect([deceasedRow.person.guardians, deceasedRow.optOuts]).toEqual([[], []])
  })

  test('can warn about the other parent, who then does not become a guardian', () => {
    const { person, notices } = read({
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
  ] as const)('is not taken where another cell says %j', (cells, names) => {
    const { person } = read({
      ...cells,
      guardian_name: 'Jill Ford',
      guardian_2_name: 'Bob Ford',
    })
    expect(person.guardians.map(({ name }) => name)).toEqual(names)
  })
})

test('adds no emergency contact whom the sheet says not to contact', () => {
  for (const cell of ['DO NOT CONTACT', 'Bob Ford (no contact)', 'Uncle Joe - deceased']) {
    const { person, notices } = read({
      emergency_contact_name: cell,
      emergency_contact_phone: '512-555-1008',
    })
    expect([person.emergency_contact_name, person.emergency_contact_phone]).toEqual([null, null])
    expect(person.private_notes).toContain(cell)
    expect(notices).toHaveLength(1)
  }
  const forbidden = read({
    guardian_2_name: 'Bob Ford (no contact)',
    guardian_2_phone: '512-555-1008',
    emergency_contact_name: 'Bob Ford',
    emergency_contact_phone: '(512) 555-1008',
  })
  expect(forbidden.person).toMatchObject({ emergency_contact_name: null, guardians: [] })
  const sameContact = {
    emergency_contact_name: 'same as above',
    emergency_contact_phone: '512-555-1008',
  }
  expect(read(sameContact).person).toMatchObject({
    emergency_contact_name: null,
    emergency_contact_phone: '512-555-1008',
  })
})

test('removes remarks about texts and contact from a student’s name', () => {
  const readNamed = (name: string) =>
    readRow(['name', 'phone_number'], [name, '512-555-1008'], {
      order: 'month-first',
      today: '2026-11-22',
    })
  expect(readNamed('Ken Adams - DO NOT TEXT')).toMatchObject({
    person: { name: 'Ken Adams', private_notes: null },
    rowOptOut: 'Name: Ken Adams - DO NOT TEXT',
  })
  expect(readNamed('Ken Adams (restraining order - father)')).toMatchObject({
    person: { name: 'Ken Adams', private_notes: 'Name: restraining order - father' },
    rowOptOut: null,
  })
})
