import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const ANN = '+15125550143',
  BEN = '+15125550144',
  LEO = '+15125550145'

/** A child with a phone, a mother who pays but gets no texts, and a father. All agreed to texts. */
async function aFamily({ write = true } = {}) {
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei, {
    name: 'Leo Adams',
    date_of_birth: '2022-03-01',
    phone_number: LEO,
  })
  const link = { student_id: leo.id }
  const ann = await server.createGuardian(sensei, [], {
    phone: ANN,
    students: [{ ...link, pays: true, gets_texts: false }],
  })
  const ben = await server.createGuardian(sensei, [], {
    name: 'Ben Adams',
    phone: BEN,
    students: [link],
  })
  for (const phone of [ANN, BEN, LEO]) {
    const answer = await sensei.post(`/sms/phones/${encodeURIComponent(phone)}/consents`, {
      event: 'given',
      given_by: 'Ann Adams',
    })
    expect(answer.status).toBe(200)
    if (write) await sensei.post('/sms/simulated/incoming', { phone_number: phone, text: 'Hello' })
  }
  const phones = async (table: string) =>
    server.db.inDojo(sensei.dojoId, async (tx) => {
      const { rows } = await tx.execute<{ phone: string }>(
        sql.raw(`select phone from ${table} where phone like '+%' order by phone`),
      )
      return rows.map(({ phone }) => phone)
    })
  const knownPhones = async () => [await phones('text_consents'), await phones('conversations')]
  return { sensei, leo, ann, ben, knownPhones }
}

test('deletes a guardian’s name from consents and conversations with the guardian', async () => {
  const { sensei, ann, knownPhones } = await aFamily()
  expect(await knownPhones()).toEqual([
    [ANN, BEN, LEO],
    [ANN, BEN, LEO],
  ])
  await sensei.delete(`/guardians/${ann.id}`)
  expect(await knownPhones()).toEqual([
    [BEN, LEO],
    [BEN, LEO],
  ])
})

test('keeps a number that belongs to somebody else too', async () => {
  const { sensei, ann, leo, knownPhones } = await aFamily()
  await server.createGuardian(sensei, [leo], { name: 'Cy Adams', phone: '(512) 555-0143' })
  await sensei.delete(`/guardians/${ann.id}`)
  expect(await knownPhones()).toEqual([
    [ANN, BEN, LEO],
    [ANN, BEN, LEO],
  ])
})

test('deletes everything about the guardians who are deleted with their student', async () => {
  const { sensei, leo, knownPhones } = await aFamily({ write: false })
  expect((await knownPhones())[0]).toEqual([ANN, BEN, LEO])
  await sensei.delete(`/students/${leo.id}?guardians=delete`)
  expect(await knownPhones()).toEqual([[], []])
})

test('keeps the numbers, consents and texts of guardians who stay', async () => {
  const { sensei, leo, knownPhones } = await aFamily()
  await sensei.delete(`/students/${leo.id}`)
  expect(await knownPhones()).toEqual([
    [ANN, BEN],
    [ANN, BEN],
  ])
})

test('still texts nobody who withdrew consent, left and came back', async () => {
  const sensei = await server.createSensei()
  const enrol = async () => server.createStudent(sensei, { name: 'Leo Adams', phone_number: LEO })
  const recordConsent = (event: string) =>
    sensei.post(`/sms/phones/${encodeURIComponent(LEO)}/consents`, { event, given_by: 'Ann Adams' })
  const leo = await enrol()
  await recordConsent('revoked')
  await sensei.delete(`/students/${leo.id}`)
  const returnedLeo = await enrol()
  const obstacle = async () =>
    (await sensei.get(`/students/${returnedLeo.id}/phones`)).body[0].obstacle
  expect(await obstacle()).toBe('withdrawn')
  await recordConsent('given')
  expect(await obstacle()).toBeNull()
})
