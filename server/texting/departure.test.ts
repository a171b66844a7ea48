import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const ANNS_PHONE = '+15125550143'
const BENS_PHONE = '+15125550144'
const LEOS_PHONE = '+15125550145'

/** Creates a child with a phone, a mother who pays but gets no texts, and a father. All of them
 *  agreed to texts. */
async function createFamily({ haveTexted = true } = {}) {
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei, {
    name: 'Leo Adams',
    date_of_birth: '2022-03-01',
    phone_number: LEOS_PHONE,
  })
  const link = { student_id: leo.id }
  const ann = await server.createGuardian(sensei, [], {
    phone: ANNS_PHONE,
    students: [{ ...link, pays: true, gets_texts: false }],
  })
  const ben = await server.createGuardian(sensei, [], {
    name: 'Ben Adams',
    phone: BENS_PHONE,
    students: [link],
  })
  for (const phone of [ANNS_PHONE, BENS_PHONE, LEOS_PHONE]) {
    const response = await sensei.post(`/sms/phones/${encodeURIComponent(phone)}/consents`, {
      event: 'given',
      given_by: 'Ann Adams',
    })
    expect(response.status).toBe(200)
    if (haveTexted)
      await sensei.post('/sms/simulated/incoming', { phone_number: phone, text: 'Hello' })
  }
  const readPhones = async (table: string) =>
    server.db.inDojo(sensei.dojoId, async (tx) => {
      const { rows } = await tx.execute<{ phone: string }>(
        sql.raw(`select phone from ${table} where phone like '+%' order by phone`),
      )
      return rows.map(({ phone }) => phone)
    })
  const readKnownPhones = async () => [
    await readPhones('text_consents'),
    await readPhones('conversations'),
  ]
  return { sensei, leo, ann, ben, readKnownPhones }
}

test('deletes a guardian’s phone from consents and conversations with the guardian', async () => {
  const { sensei, ann, readKnownPhones } = await createFamily()
  expect(await readKnownPhones()).toEqual([
    [ANNS_PHONE, BENS_PHONE, LEOS_PHONE],
    [ANNS_PHONE, BENS_PHONE, LEOS_PHONE],
  ])
  await sensei.delete(`/guardians/${ann.id}`)
  expect(await readKnownPhones()).toEqual([
    [BENS_PHONE, LEOS_PHONE],
    [BENS_PHONE, LEOS_PHONE],
  ])
})

test('keeps a phone that also belongs to somebody else', async () => {
  const { sensei, ann, leo, readKnownPhones } = await createFamily()
  await server.createGuardian(sensei, [leo], { name: 'Cy Adams', phone: '(512) 555-0143' })
  await sensei.delete(`/guardians/${ann.id}`)
  expect(await readKnownPhones()).toEqual([
    [ANNS_PHONE, BENS_PHONE, LEOS_PHONE],
    [ANNS_PHONE, BENS_PHONE, LEOS_PHONE],
  ])
})

test('deletes everything about the guardians who are deleted with their student', async () => {
  const { sensei, leo, readKnownPhones } = await createFamily({ haveTexted: false })
  expect((await readKnownPhones())[0]).toEqual([ANNS_PHONE, BENS_PHONE, LEOS_PHONE])
  await sensei.delete(`/students/${leo.id}?guardians=delete`)
  expect(await readKnownPhones()).toEqual([[], []])
})

test('keeps the numbers, consents and texts of guardians who stay', async () => {
  const { sensei, leo, readKnownPhones } = await createFamily()
  await sensei.delete(`/students/${leo.id}`)
  expect(await readKnownPhones()).toEqual([
    [ANNS_PHONE, BENS_PHONE],
    [ANNS_PHONE, BENS_PHONE],
  ])
})

test('does not text a student who withdrew consent, left and came back', async () => {
  const sensei = await server.createSensei()
  const enroll = async () =>
    server.createStudent(sensei, { name: 'Leo Adams', phone_number: LEOS_PHONE })
  const recordConsent = (event: string) =>
    sensei.post(`/sms/phones/${encodeURIComponent(LEOS_PHONE)}/consents`, {
      event,
      given_by: 'Ann Adams',
    })
  const leo = await enroll()
  await recordConsent('revoked')
  await sensei.delete(`/students/${leo.id}`)
  const returnedLeo = await enroll()
  const readObstacle = async () =>
    (await sensei.get(`/students/${returnedLeo.id}/phones`)).body[0].obstacle
  expect(await readObstacle()).toBe('withdrawn')
  await recordConsent('given')
  expect(await readObstacle()).toBeNull()
})
