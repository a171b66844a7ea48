import { LOGIN_WORDING_VERSION } from '@tatami/contract/texting/consent-versions'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { auditLog } from '../audit/tables.ts'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { signInAs } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { guardianships } from '../guardians/tables.ts'

const server = await startTestServer()
/** Signs in again, because a session ends after 30 days without use. */
const signInAgain = async ({ id }: { id: string }) =>
  server.clientFor(await signInAs(server.db, id))
async function readAgain(person: { id: string }, path: string) {
  const client = await signInAgain(person)
  const { body } = await client.get(path)
  return body
}
async function readChildren(person: { id: string }) {
  const { children } = await readAgain(person, '/family/home')
  return children
}
const runJobs = () =>
  runDueJobs(server.db, (error) => {
    throw error
  })

/** Creates a student with two guardians, one of whom pays, on January 10, 2027. */
async function setUpFamily(date_of_birth: string, overrides: object = {}) {
  setClock('2027-01-10T18:00:00Z')
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei, { name: 'Leo Adams', date_of_birth, ...overrides })
  const rights = { sees_fees: true, may_edit: true }
  const ann = await server.createGuardian(sensei, [], {
    students: [{ student_id: leo.id, pays: true, ...rights }],
  })
  const ben = await server.createGuardian(sensei, [], {
    name: 'Ben Adams',
    students: [{ student_id: leo.id, ...rights }],
  })
  return { sensei, leo, ann, ben }
}
type Family = Awaited<ReturnType<typeof setUpFamily>>
async function readTitles(person: { id: string }): Promise<string[]> {
  const notices: { title: string }[] = await readAgain(person, '/notifications')
  return notices.map(({ title }) => title).filter((title) => title !== 'A birthday today')
}
async function readRights({ sensei }: Family) {
  const { guardians } = await readAgain(sensei, '/families')
  return guardians.map(
    ({ name, students: [link] }: { name: string; students: Record<string, boolean>[] }) => [
      name,
      ...['sees', 'sees_fees', 'may_edit', 'gets_texts', 'pays'].filter((right) => link![right]),
    ],
  )
}

describe('a student who turns 18', () => {
  test('is notified once, 30 days before, together with guardians and instructors', async () => {
    const family = await setUpFamily('2009-03-01')
    const { leo, ann, ben, sensei } = family
    // In Texas, it is still January 29.
    setClock('2027-01-30T05:59:00Z')
    await runJobs()
    expect(await readTitles(leo)).toEqual([])
    setClock('2027-01-30T06:01:00Z')
    await runJobs()
    await runJobs()
    setClock('2027-01-31T12:00:00Z')
    await runJobs()
    const [notification] = await readAgain(leo, '/notifications')
    const [annsNotification] = await readAgain(ann, '/notifications')
    expect([notification.opens, annsNotification.opens]).toEqual(['/notification-settings', null])
    expect([notification.message, annsNotification.message]).toEqual(
      Array(2).fill(expect.stringMatching(/^Starting March 1, 2027, /)),
    )
    const titlesByPerson = await Promise.all([leo, ann, ben, sensei].map(readTitles))
    // The instructor is also notified of the first automatic reminder.
    expect(
      titlesByPerson.map((titles) => titles.filter((title: string) => title.includes('18'))),
    ).toEqual([
      ['You turn 18 soon'],
      ['Leo turns 18 soon'],
      ['Leo turns 18 soon'],
      ['Leo Adams turns 18 soon'],
    ])
    expect(await readRights(family)).toEqual([
      ['Ann Adams', 'sees', 'sees_fees', 'may_edit', 'gets_texts', 'pays'],
      ['Ben Adams', 'sees', 'sees_fees', 'may_edit', 'gets_texts'],
    ])
  })

  test('decides which guardians keep access, and gets the texts, but need not pay', async () => {
    const family = await setUpFamily('2009-03-01')
    const { leo, ann, ben } = family
    // Parents often use a child’s login, and guardians must not learn about each other.
    expect((await leo.get('/family/guardians')).body).toEqual({
      adult_on: null,
      is_adult: false,
      guardians: [],
    })
    expect((await leo.put(`/family/guardians/${ben.id}`, { is_agreed: true })).status).toBe(404)
    setClock('2027-01-30T12:00:00Z')
    expect((await leo.get('/family/guardians')).body).toMatchObject({
      adult_on: '2027-03-01',
      is_adult: false,
      guardians: [
        {
          id: ann.id,
          name: 'Ann Adams',
          sees: true,
          sees_fees: true,
          may_edit: true,
          pays: true,
          is_agreed: false,
        },
        { id: ben.id, name: 'Ben Adams', pays: false },
      ],
    })
    await leo.put(`/family/guardians/${ben.id}`, { is_agreed: true })
    setClock('2027-03-01T05:59:00Z')
    await runJobs()
    expect(await readChildren(ann)).toHaveLength(1)
    setClock('2027-03-01T06:01:00Z')
    await runJobs()
    expect(await readRights(family)).toEqual([
      ['Ann Adams', 'pays'],
      ['Ben Adams', 'sees', 'sees_fees', 'may_edit'],
    ])
    expect(await readChildren(ann)).toEqual([])
    expect(await readChildren(ben)).toHaveLength(1)
    // An adult’s refusal ends access immediately, and a later agreement restores nothing.
    await (await signInAgain(leo)).put(`/family/guardians/${ben.id}`, { is_agreed: false })
    expect(await readChildren(ben)).toEqual([])
    await (await signInAgain(leo)).put(`/family/guardians/${ben.id}`, { is_agreed: true })
    expect(await readChildren(ben)).toEqual([])
  })

  test('no longer needs consent to log in, so the consent is deleted', async () => {
    const family = await setUpFamily('2009-03-01')
    const { sensei, leo, ann, ben } = family
    for (const { id: guardian_id } of [ann, ben])
      await sensei.put(`/students/${leo.id}/log-in-consent`, { guardian_id, is_given: true })
    const readConsents = () =>
      server.db.inDojo(sensei.dojoId, (tx) =>
        tx
          .select({
            allows: guardianships.allows_log_in,
            at: guardianships.log_in_consent_at,
            source: guardianships.log_in_consent_source,
            wording: guardianships.log_in_consent_wording,
          })
          .from(guardianships),
      )
    const GIVEN_CONSENT = { allows: true, at: expect.any(String), source: 'school' }
    expect(await readConsents()).toMatchObject([GIVEN_CONSENT, GIVEN_CONSENT])
    setClock('2027-01-30T12:00:00Z')
    await leo.put(`/family/guardians/${ben.id}`, { is_agreed: true })
    setClock('2027-03-01T06:01:00Z')
    await runJobs()
    const NO_CONSENT = { allows: false, at: null, source: null, wording: null }
    expect(await readConsents()).toEqual([NO_CONSENT, NO_CONSENT])
    // The audit log still shows that they agreed, when, and to which wording.
    const log = await readAgain(sensei, '/audit-log')
    expect(JSON.stringify(log)).toContain('log-in allowed by guardian')
    const [entry] = await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.select().from(auditLog).where(eq(auditLog.action, 'log-in allowed by guardian')),
    )
    expect(entry).toMatchObject({
      subject_id: leo.id,
      details: { allowed: true, source: 'school', wording: LOGIN_WORDING_VERSION },
    })
  })

  test('chooses which rights a guardian keeps, and can end some later', async () => {
    const family = await setUpFamily('2009-03-01')
    const { leo, ann, ben } = family
    setClock('2027-01-30T12:00:00Z')
    await leo.put(`/family/guardians/${ann.id}`, { is_agreed: true, agrees_to_edit: false })
    await leo.put(`/family/guardians/${ben.id}`, { is_agreed: true, agrees_to_fees: false })
    // An agreement that is withdrawn before the birthday does not count.
    await leo.put(`/family/guardians/${ben.id}`, { is_agreed: false })
    expect((await readRights(family))[0]).toEqual([
      'Ann Adams',
      'sees',
      'sees_fees',
      'may_edit',
      'gets_texts',
      'pays',
    ])
    setClock('2027-03-01T12:00:00Z')
    await runJobs()
    expect(await readRights(family)).toEqual([
      ['Ann Adams', 'sees', 'sees_fees', 'pays'],
      ['Ben Adams'],
    ])
    const client = await signInAgain(leo)
    expect((await client.get('/family/guardians')).body).toMatchObject({
      is_adult: true,
      guardians: [
        {
          sees: true,
          sees_fees: true,
          may_edit: false,
          is_agreed: true,
          agrees_to_fees: true,
          agrees_to_edit: false,
        },
        { sees: false, is_agreed: false },
      ],
    })
    await client.put(`/family/guardians/${ann.id}`, {
      is_agreed: true,
      agrees_to_fees: false,
      agrees_to_edit: false,
    })
    expect(await readRights(family)).toEqual([['Ann Adams', 'sees', 'pays'], ['Ben Adams']])
    const { guardians } = await readAgain(family.sensei, '/families')
    expect(guardians[0].students[0]).toMatchObject({
      adult_on: '2027-03-01',
      student_agreed: true,
      agrees_to_fees: false,
      ended_by_age: true,
    })
  })

  test('keeps rights that an instructor gives guardians after the birthday', async () => {
    const family = await setUpFamily('2009-03-01')
    setClock('2027-03-02T12:00:00Z')
    await runJobs()
    await (
      await signInAgain(family.sensei)
    ).put(`/guardians/${family.ann.id}/students/${family.leo.id}`, { sees: true })
    const cy = await server.createGuardian(family.sensei, [family.leo], { name: 'Cy Adams' })
    setClock('2027-03-04T12:00:00Z')
    await runJobs()
    expect(await readChildren(family.ann)).toHaveLength(1)
    expect(await readChildren(cy)).toHaveLength(1)
  })

  test('turns 18 on February 28 if born on February 29', async () => {
    // This student turned 18 in 2026, before the guardians were linked.
    const adultFamily = await setUpFamily('2008-02-29')
    const youngFamily = await setUpFamily('2012-02-29')
    setClock('2030-02-28T05:59:00Z')
    await runJobs()
    expect(await readChildren(youngFamily.ann)).toHaveLength(1)
    setClock('2030-02-28T06:01:00Z')
    await runJobs()
    expect(await readChildren(youngFamily.ann)).toEqual([])
    expect(await readChildren(adultFamily.ann)).toHaveLength(1)
  })

  test('does not lose guardians if the date of birth is unknown', async () => {
    const adultFamily = await setUpFamily('2009-03-01')
    const familyOfUnknownAge = await setUpFamily('2009-03-01')
    await server.db.inDojo(familyOfUnknownAge.sensei.dojoId, (tx) =>
      tx.execute(`update students set date_of_birth = null`),
    )
    setClock('2027-04-15T12:00:00Z')
    await runJobs()
    expect(await readRights(adultFamily)).toEqual([['Ann Adams', 'pays'], ['Ben Adams']])
    expect(await readChildren(familyOfUnknownAge.ann)).toHaveLength(1)
  })

  test('loses guardians later if the server was down on the birthday', async () => {
    const family = await setUpFamily('2010-03-01')
    setClock('2029-03-15T12:00:00Z')
    await runJobs()
    expect(await readRights(family)).toEqual([['Ann Adams', 'pays'], ['Ben Adams']])
  })

  test('without a login or phone leaves the texts to the guardians', async () => {
    const family = await setUpFamily('2009-03-01')
    const { sensei, ann } = family
    const { dojoId } = sensei
    const { body } = await sensei.post('/students', {
      name: 'Mia Adams',
      phone_number: '512 555 0150',
      date_of_birth: '2009-03-02',
      emergency_contact_name: 'Ann Adams',
      emergency_contact_phone: '512 555 0143',
      monthly_payment_amount: 85.5,
      class_preferences: ['saturday'],
      guardian_ids: [ann.id],
    })
    const { student } = body
    await server.db.inDojo(dojoId, (tx) =>
      tx.execute(`update students set phone_number = null where id = '${student.id}'`),
    )
    setClock('2027-03-02T12:00:00Z')
    await runJobs()
    expect(await readTitles(sensei)).toContain('Mia Adams is 18')
    const { guardians } = await readAgain(sensei, '/families')
    const guardian = guardians.find(({ id }: { id: string }) => id === ann.id)
    expect(
      guardian.students.find(({ student_id }: { student_id: string }) => student_id === student.id),
    ).toMatchObject({ sees: false, gets_texts: true, pays: true })
  })

  test('is announced only to guardians who see the page', async () => {
    const family = await setUpFamily('2009-03-01')
    const { leo, ann, ben, sensei } = family
    await sensei.put(`/guardians/${ben.id}/students/${leo.id}`, { sees: false })
    setClock('2027-01-30T12:00:00Z')
    await runJobs()
    const cy = await server.createGuardian(sensei, [leo], { name: 'Cy Adams' })
    setClock('2027-01-31T12:00:00Z')
    await runJobs()
    expect(await Promise.all([leo, ann, ben, cy, sensei].map(readTitles))).toEqual([
      ['You turn 18 soon'],
      ['Leo turns 18 soon'],
      [],
      ['Leo turns 18 soon'],
      ['Leo Adams turns 18 soon'],
    ])
  })

  test('loses guardians when the date of birth is entered or corrected later', async () => {
    const { sensei, leo, ann } = await setUpFamily('2012-03-01')
    setClock('2027-12-01T12:00:00Z')
    const setBirthday = async (date_of_birth: string) => {
      const client = await signInAgain(sensei)
      const { status } = await client.put(`/students/${leo.id}`, { ...leo, date_of_birth })
      expect(status).toBe(200)
    }
    await setBirthday('2009-03-01')
    expect(await readChildren(ann)).toEqual([])
    // The date was wrong. Access that was given back ends on the corrected birthday.
    await setBirthday('2011-03-01')
    await (await signInAgain(sensei)).put(`/guardians/${ann.id}/students/${leo.id}`, { sees: true })
    setClock('2029-02-20T12:00:00Z')
    await runJobs()
    expect(await readTitles(ann)).toContain('Leo turns 18 soon')
    expect(await readChildren(ann)).toHaveLength(1)
    setClock('2029-03-01T12:00:00Z')
    await runJobs()
    expect(await readChildren(ann)).toEqual([])
  })

  test('loses guardians without an announcement in an inactive dojo', async () => {
    const family = await setUpFamily('2009-03-01')
    const setActive = (is_active: boolean) =>
      server.db.withoutDojo((tx) =>
        tx.execute(
          sql`update accounts set is_active = ${is_active} where id = ${family.sensei.id}`,
        ),
      )
    await setActive(false)
    setClock('2027-02-15T12:00:00Z')
    await runJobs()
    setClock('2027-03-01T12:00:00Z')
    await runJobs()
    setClock('2027-08-01T12:00:00Z')
    await setActive(true)
    expect(await readChildren(family.ann)).toEqual([])
    expect(await readTitles(family.ann)).toEqual([])
  })

  test('who has an invalid phone leaves the texts to the guardians', async () => {
    const family = await setUpFamily('2009-03-01', { phone_number: '12' })
    setClock('2027-03-01T12:00:00Z')
    await runJobs()
    expect(await readRights(family)).toEqual([
      ['Ann Adams', 'gets_texts', 'pays'],
      ['Ben Adams', 'gets_texts'],
    ])
  })

  test('loses guardians who were linked before the date of birth was entered', async () => {
    setClock('2027-02-20T12:00:00Z')
    const sensei = await server.createSensei()
    const readAccess = async (student: { id: string }, change: () => Promise<unknown>) => {
      const ann = await server.createGuardian(sensei, [], {
        students: [{ student_id: student.id, may_edit: true }],
      })
      await change()
      return readChildren(ann)
    }
    const studentOfUnknownAge = await server.createStudent(sensei, {})
    await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute(
        sql`update students set date_of_birth = null where id = ${studentOfUnknownAge.id}`,
      ),
    )
    const form = { ...studentOfUnknownAge, date_of_birth: '2008-03-01' }
    expect(
      await readAccess(studentOfUnknownAge, () =>
        sensei.put(`/students/${studentOfUnknownAge.id}`, form),
      ),
    ).toEqual([])
    const leo = await server.createStudent(sensei, { date_of_birth: '2009-03-01' })
    // Seven in the evening in Texas.
    setClock('2027-03-01T01:00:00Z')
    const waitForBirthday = async () => {
      setClock('2027-03-01T07:00:00Z')
      await runJobs()
    }
    expect(await readAccess(leo, waitForBirthday)).toEqual([])
  })
})
