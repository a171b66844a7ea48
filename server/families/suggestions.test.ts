import { describe, expect, test } from 'vitest'
import { uniqueEmail } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { suggestFamilies } from './suggestions.ts'

const server = await startTestServer()
let lastPhone = 2_000_000
/** Returns a phone number that no one else has. */
const createPhone = () => `512 ${String((lastPhone += 1)).replace(/(...)(....)/, '$1-$2')}`
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

/** Creates a student whose contacts differ from everybody else's, except for `fields`. */
const createChild = (sensei: Sensei, name: string, fields: object = {}) =>
  server.createStudent(sensei, {
    name,
    phone_number: createPhone(),
    emergency_contact_name: `Parent of ${name}`,
    emergency_contact_phone: createPhone(),
    ...fields,
  })
const readSuggestions = async (sensei: Sensei) =>
  (await sensei.get('/families/suggestions')).body.map(
    ({ students, reasons }: { students: { name: string }[]; reasons: string[] }) => [
      students.map(({ name }) => name).join(', '),
      ...reasons,
    ],
  )

describe('suggested families', () => {
  test('need a shared phone, emergency phone, emergency contact or email', async () => {
    const sensei = await server.createSensei()
    await createChild(sensei, 'Ann One', { phone_number: '(512) 555-0191' })
    await createChild(sensei, 'Ben Two', { phone_number: '+1 512 555 0191' })
    await createChild(sensei, 'Cy Three', { emergency_contact_phone: '512 555 0192' })
    await createChild(sensei, 'Di Four', { phone_number: '512-555-0192' })
    await createChild(sensei, 'Ed Müller', { emergency_contact_name: 'Eva Müller' })
    await createChild(sensei, 'Flo Muller', { emergency_contact_name: 'eva  MULLER' })
    const id = Math.random().toString(36).slice(2)
    await createChild(sensei, 'Gil Seven', { email: `mom${id}+gil@home.org` })
    await createChild(sensei, 'Hal Eight', { email: `mom${id}@home.org` })
    expect(await readSuggestions(sensei)).toEqual([
      ['Ann One, Ben Two', 'phone'],
      ['Cy Three, Di Four', 'emergency_phone'],
      ['Ed Müller, Flo Muller', 'emergency_contact'],
      ['Gil Seven, Hal Eight', 'email'],
    ])
  })

  test('need more than a common surname or the phone of a whole club', async () => {
    const sensei = await server.createSensei()
    for (const name of ['Leo Smith', 'Mia Smith']) await createChild(sensei, name)
    for (let index = 0; index < 9; index += 1)
      await createChild(sensei, 'Kid Club', { emergency_contact_phone: '512 555 0190' })
    expect(
      (await readSuggestions(sensei)).filter(([names]: string[]) => names!.includes('Smith')),
    ).toEqual([])
    await createChild(sensei, 'Pat Jones', { emergency_contact_phone: '512 555 0190' })
    expect(
      (await readSuggestions(sensei)).filter(([names]: string[]) => names!.includes('Jones')),
    ).toEqual([])
  })

  test('need more than a made-up contact or the contact of an office', async () => {
    const sensei = await server.createSensei()
    const instructor = (await sensei.get('/profile')).body
    const [localPart, domain] = instructor.email.split('@')
    const id = Math.random().toString(36).slice(2)
    const pairs: [object, object][] = [
      [{ phone_number: '888 888 8888' }, { phone_number: '(888) 888-8888' }],
      [{ phone_number: instructor.phone_number }, { phone_number: instructor.phone_number }],
      [{ email: `${localPart}+leo@${domain}` }, { email: `${localPart}+mia@${domain}` }],
      [{ email: `noemail+a@${id}.org` }, { email: `noemail+b@${id}.org` }],
      [{ email: `info+a@${id}.org` }, { email: `info+b@${id}.org` }],
      [{ emergency_contact_name: 'Mom' }, { emergency_contact_name: 'mom' }],
    ]
    const letters = [...'abcdef']
    for (const [index, [leoFields, miaFields]] of pairs.entries()) {
      await createChild(sensei, `Leo${letters[index]} Kim`, leoFields)
      await createChild(sensei, `Mia${letters[index]} Kim`, miaFields)
    }
    expect(await readSuggestions(sensei)).toEqual([])
  })

  test('have at most six surnames', async () => {
    const sensei = await server.createSensei()
    const sharedContact = { phone_number: '512 555 0188' }
    const surnames = ['Adams', 'Ruiz', 'Lee', 'Diaz', 'Kim', 'Park', 'Bell']
    for (const surname of surnames.slice(1))
      await createChild(sensei, `Ken ${surname}`, sharedContact)
    expect(await readSuggestions(sensei)).toHaveLength(1)
    await createChild(sensei, `Ken ${surnames[0]}`, sharedContact)
    expect(await readSuggestions(sensei)).toEqual([])
  })

  test('suggest the most frequent emergency contact as the guardian', async () => {
    const sensei = await server.createSensei()
    const sharedContact = { phone_number: '512 555 0193' }
    await createChild(sensei, 'Leo Adams', {
      ...sharedContact,
      emergency_contact_name: 'Gran Adams',
    })
    for (const name of ['Mia Adams', 'Ana Adams'])
      await createChild(sensei, name, {
        ...sharedContact,
        emergency_contact_name: 'Ann Adams',
        emergency_contact_phone: '512 555 0193',
      })
    const [suggestion] = (await sensei.get('/families/suggestions')).body
    expect(suggestion.guardian).toEqual({
      id: null,
      name: 'Ann Adams',
      phone: '512 555 0193',
      email: null,
    })
  })

  test('disappear when students get a guardian, who is suggested for a new child', async () => {
    const sensei = await server.createSensei()
    const sharedContact = { phone_number: '512 555 0194' }
    const leo = await createChild(sensei, 'Leo Adams', sharedContact)
    const mia = await createChild(sensei, 'Mia Adams', sharedContact)
    const ann = await server.createGuardian(sensei, [leo, mia])
    expect(await readSuggestions(sensei)).toEqual([])
    await createChild(sensei, 'Ana Adams', sharedContact)
    expect(await readSuggestions(sensei)).toEqual([['Ana Adams, Leo Adams, Mia Adams', 'phone']])
    expect((await sensei.get('/families/suggestions')).body[0].guardian).toMatchObject({
      id: ann.id,
      name: 'Ann Adams',
    })
  })

  test('are never suggested again after they were dismissed', async () => {
    const sensei = await server.createSensei()
    const sharedContact = { phone_number: '512 555 0195' }
    const leo = await createChild(sensei, 'Leo Adams', sharedContact)
    const mia = await createChild(sensei, 'Mia Brown', sharedContact)
    expect(
      (await sensei.post('/families/suggestions/dismiss', { student_ids: [mia.id, leo.id] }))
        .status,
    ).toBe(200)
    expect(
      (await sensei.post('/families/suggestions/dismiss', { student_ids: [leo.id, mia.id] }))
        .status,
    ).toBe(200)
    expect(await readSuggestions(sensei)).toEqual([])
    await createChild(sensei, 'Ana Adams', sharedContact)
    const laterSuggestions = await readSuggestions(sensei)
    expect(laterSuggestions).toHaveLength(1)
    expect(laterSuggestions[0][0]).toMatch(/^Ana Adams, (Leo Adams|Mia Brown)$/)
  })

  test('never include students of two dojos', async () => {
    const ownSensei = await server.createSensei()
    const otherSensei = await server.createSensei()
    const sharedContact = { phone_number: '512 555 0196', email: uniqueEmail('x') }
    const leo = await createChild(ownSensei, 'Leo Adams', sharedContact)
    const mia = await createChild(otherSensei, 'Mia Adams', {
      ...sharedContact,
      email: uniqueEmail('y'),
    })
    expect([await readSuggestions(ownSensei), await readSuggestions(otherSensei)]).toEqual([[], []])
    expect(
      (await ownSensei.post('/families/suggestions/dismiss', { student_ids: [leo.id, mia.id] }))
        .status,
    ).toBe(404)
  })
})

describe('a guardian of thousands of students', () => {
  const buildChild = (index: number, fields: object = {}) => ({
    student_id: String(index).padStart(4, '0'),
    name: `Kim ${index}`,
    email: null,
    phone_number: null,
    emergency_contact_name: null,
    emergency_contact_phone: null,
    guardian_ids: ['ann'],
    ...fields,
  })
  const noStaff = { mailboxes: new Set<string>(), phones: new Set<string>() }
  const ann = { id: 'ann', name: 'Ann Adams', phone: null, email: null }
  const children = Array.from({ length: 6000 }, (_, index) => buildChild(index))

  test('has all of their students in one suggestion with a new child', () => {
    const phone_number = '+15125550142'
    const guardianChildren = [buildChild(7000, { phone_number }), ...children]
    const [suggestion, ...otherSuggestions] = suggestFamilies(
      [...guardianChildren, buildChild(8000, { phone_number, guardian_ids: [] })],
      [ann],
      [],
      noStaff,
    )
    expect(otherSuggestions).toEqual([])
    expect(suggestion).toMatchObject({ reasons: ['phone'], guardian: ann })
    expect(suggestion!.students).toHaveLength(6002)
  })

  test('leaves out students whom an instructor called unrelated', () => {
    const pairs = [
      { firstId: '0000', secondId: '0001' },
      { firstId: '0000', secondId: '0002' },
    ]
    expect(suggestFamilies(children, [ann], pairs, noStaff)).toEqual([])
    const otherChild = buildChild(8000, { guardian_ids: ['ann', 'ben'] })
    const friend = buildChild(9000, { guardian_ids: ['ben'] })
    const [suggestion] = suggestFamilies([...children, otherChild, friend], [ann], pairs, noStaff)
    expect(suggestion!.students).toHaveLength(6000)
    expect(suggestion!.students.map(({ student_id }) => student_id)).not.toContain('0001')
  })
})
