import { describe, expect, test } from 'vitest'
import { checkIn, createKioskDojo, findCheckInPass, readRoll } from '../test/kiosk-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

/** A school whose coach sees only Kids, with a student in Kids and one in Teens. */
async function createSchoolWithCoach(fields: object = {}) {
  const dojo = await createKioskDojo(server)
  await dojo.enroll('Emma Johnson')
  await server.createStudent(dojo.sensei, { name: 'Zoe Zimmer', enrolled_classes: [dojo.teens.id] })
  const coach = await server.createStaff(dojo.sensei, {
    rights: ['roll', 'kiosk'],
    class_ids: [dojo.kids.id],
    ...fields,
  })
  const { body } = await coach.post('/kiosks', { name: 'Mat 2' })
  return { ...dojo, coach, coachKiosk: server.clientFor(body.token) }
}
type Client = ReturnType<typeof server.clientFor>
const readClassNames = async (kiosk: Client) =>
  (await kiosk.get('/kiosk')).body.classes.map(({ name }: { name: string }) => name)
const searchNames = async (kiosk: Client, text: string) =>
  (await kiosk.post('/kiosk/search', { text })).body.students.map(
    ({ name }: { name: string }) => name,
  )

test('lets staff with own classes manage only their own kiosks', async () => {
  const { sensei, coach } = await createSchoolWithCoach()
  const allKiosks: { id: string }[] = (await sensei.get('/kiosks')).body.kiosks
  const coachKiosks: { id: string }[] = (await coach.get('/kiosks')).body.kiosks
  expect([allKiosks.length, coachKiosks.length]).toEqual([2, 1])
  const coachKioskId = coachKiosks[0]!.id
  const ownerKioskId = allKiosks.find(({ id }) => id !== coachKioskId)!.id
  expect((await coach.delete(`/kiosks/${ownerKioskId}`)).status).toBe(404)
  expect((await coach.put('/kiosk-settings', { asks_pin: true })).status).toBe(403)
  expect((await coach.delete(`/kiosks/${coachKioskId}`)).status).toBe(200)
})

describe('a kiosk set up by staff with own classes', () => {
  test('shows only these classes and finds only their students', async () => {
    const { kiosk, coachKiosk } = await createSchoolWithCoach()
    expect([await readClassNames(kiosk), await readClassNames(coachKiosk)]).toEqual([
      ['Kids', 'Teens'],
      ['Kids'],
    ])
    expect(await searchNames(kiosk, 'zo')).toEqual(['Zoe Z.'])
    expect([await searchNames(coachKiosk, 'zo'), await searchNames(coachKiosk, 'em')]).toEqual([
      [],
      ['Emma J.'],
    ])
    const { body } = await coachKiosk.get('/kiosk/offline')
    expect(JSON.stringify(body)).not.toContain('Teens')
  })

  test('checks in the students of these classes', async () => {
    const school = await createSchoolWithCoach()
    const atCoachKiosk = { ...school, kiosk: school.coachKiosk }
    const pass = await findCheckInPass(atCoachKiosk, 'Emma')
    expect((await checkIn(atCoachKiosk, { passes: [pass] })).status).toBe(200)
    expect(await readRoll(school)).toEqual(['Emma Johnson, Kids'])
  })

  test('shows other classes as soon as the staff member’s classes change', async () => {
    const { coachKiosk, coach, sensei, teens } = await createSchoolWithCoach()
    const grant = { preset: null, rights: ['roll', 'kiosk'], class_ids: [teens.id] }
    await sensei.put(`/staff/${coach.id}`, grant)
    expect(await readClassNames(coachKiosk)).toEqual(['Teens'])
  })
})

describe('a kiosk', () => {
  test('stops working when the person who set it up may no longer set up kiosks', async () => {
    const { coachKiosk, coach, sensei } = await createSchoolWithCoach()
    await sensei.put(`/staff/${coach.id}`, { preset: null, rights: ['roll'], class_ids: null })
    expect((await coachKiosk.get('/kiosk')).status).toBe(401)
  })

  test('stops working when the person who set it up leaves, but other kiosks do not', async () => {
    const { coachKiosk, kiosk, coach, sensei } = await createSchoolWithCoach()
    await sensei.post(`/staff/${coach.id}/end`, {})
    expect([(await coachKiosk.get('/kiosk')).status, (await kiosk.get('/kiosk')).status]).toEqual([
      401, 200,
    ])
  })
})
