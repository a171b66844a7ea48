import { DEFAULT_CERTIFICATE_KINDS } from '@tatami/contract/staff/staff-certificates'
import { beforeEach, expect, test } from 'vitest'
import { setClock } from '../../test/clock.ts'
import { startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()
const [SAFESPORT, , FIRST_AID] = DEFAULT_CERTIFICATE_KINDS.map(({ id }) => id)
const MONDAY = '2027-05-17'

let sensei: Awaited<ReturnType<typeof server.createSensei>>
beforeEach(async () => {
  setClock(`${MONDAY}T18:00:00Z`)
  sensei = await server.createSensei()
})

const readAlerts = async () => (await sensei.get('/certificate-alerts')).body
const createClassWithStudent = async (dateOfBirth: string) => {
  const dojoClass = await server.createClass(sensei, { class_days: ['monday'] })
  const student = await server.createStudent(sensei, {
    date_of_birth: dateOfBirth,
    enrolled_classes: [dojoClass.id],
  })
  return { class_id: dojoClass.id, student_id: student.id }
}
const addCertificate = (staffId: string, expiresOn: string, kindId = SAFESPORT) =>
  sensei.post('/staff-certificates', {
    staff_id: staffId,
    kind_id: kindId,
    got_on: '2025-05-01',
    expires_on: expiresOn,
  })
const NO_TEACHERS = { teachers: [] }
const KIM = { name: 'Kim Park', kinds: ['SafeSport'] }

test('counts expired certificates, and those that end within 30 days by month', async () => {
  const kim = await server.createStaff(sensei)
  const lee = await server.createStaff(sensei)
  await addCertificate(kim.id, '2027-05-16')
  await addCertificate(kim.id, '2027-05-17', FIRST_AID)
  await addCertificate(lee.id, '2027-06-16')
  await addCertificate(lee.id, '2027-06-17', FIRST_AID)
  const formerMember = await server.createStaff(sensei)
  await addCertificate(formerMember.id, '2027-06-01')
  await sensei.post(`/staff/${formerMember.id}/end`, {})
  expect(await readAlerts()).toEqual({
    expired: 1,
    ending: [
      { month: '2027-05-01', count: 1 },
      { month: '2027-06-01', count: 1 },
    ],
    teachers: [],
  })
})

test('names staff with an expired certificate who teach minors today', async () => {
  const { class_id: kidsId } = await createClassWithStudent('2009-05-18')
  const { class_id: adultsId } = await createClassWithStudent('2009-05-17')
  const kim = await server.createStaff(sensei, { class_ids: [kidsId, adultsId] })
  await addCertificate(kim.id, '2027-05-16')
  expect((await readAlerts()).teachers).toEqual([{ class_id: kidsId, ...KIM }])
  await sensei.put('/class-dates/cancelled', { class_id: kidsId, day: MONDAY, reason: 'Snow' })
  expect(await readAlerts()).toMatchObject(NO_TEACHERS)
  setClock('2027-05-18T18:00:00Z')
  expect(await readAlerts()).toMatchObject(NO_TEACHERS)
})

test('names the substitute instead of the usual staff', async () => {
  const { class_id } = await createClassWithStudent('2015-01-01')
  const kim = await server.createStaff(sensei)
  const usualMember = await server.createStaff(sensei, { class_ids: [class_id] })
  await addCertificate(kim.id, '2027-05-16')
  await addCertificate(usualMember.id, '2027-05-16')
  const substitution = { class_id, day: MONDAY }
  await sensei.put('/class-dates/substitute', { ...substitution, substitute_id: kim.id })
  expect((await readAlerts()).teachers).toEqual([{ class_id, ...KIM }])
  await sensei.put('/class-dates/substitute', { ...substitution, substitute: 'Mr. Sato' })
  expect(await readAlerts()).toMatchObject(NO_TEACHERS)
})

test('names the person who took the last roll if a class has no staff', async () => {
  const { class_id, student_id } = await createClassWithStudent('2015-01-01')
  const kim = await server.createStaff(sensei, { rights: ['roll'] })
  await addCertificate(kim.id, '2027-05-16')
  const mark = { student_id, class_id, present: true }
  const { status } = await kim.post('/attendance', { ...mark, class_date: '2027-05-10' })
  expect(status).toBe(200)
  expect((await readAlerts()).teachers).toEqual([{ class_id, ...KIM }])
  // An expired certificate never blocks a roll.
  expect((await kim.post('/attendance', { ...mark, class_date: MONDAY })).status).toBe(200)
  await sensei.post('/attendance', { ...mark, class_date: MONDAY })
  expect(await readAlerts()).toMatchObject(NO_TEACHERS)
})

test('is only for staff managers', async () => {
  const kim = await server.createStaff(sensei, { rights: ['roll'] })
  expect((await kim.get('/certificate-alerts')).status).toBe(403)
})
