import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import { expect, test } from 'vitest'
import { startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()

let phoneCount = 0
const createPhone = () => `+1512555${6000 + (phoneCount += 1)}`
const guardianPath = (phone: string) => `/sms/conversations/${encodeURIComponent(phone)}/guardian`

/** Creates Leo and Mia Chen with their mother Ana, and a text from an unknown number. */
async function createFamily() {
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei, { name: 'Leo Chen' })
  const mia = await server.createStudent(sensei, { name: 'Mia Chen' })
  const motherPhone = createPhone()
  const unknownPhone = createPhone()
  const ana = await server.createGuardian(sensei, [leo, mia], {
    name: 'Ana Chen',
    phone: motherPhone,
  })
  const write = (phone_number: string, text: string) =>
    sensei.post('/sms/simulated/incoming', { phone_number, text })
  await write(unknownPhone, 'Who is this?')
  const readPhoneInfo = async () =>
    (await sensei.get(`/sms/phones/${encodeURIComponent(unknownPhone)}`)).body
  const readInboxNames = async () =>
    (await sensei.get('/sms/inbox')).body.map(({ name }: { name: string | null }) => name)
  const countGroupTexts = async () =>
    (await sensei.post('/sms/preview', { message_type: 'weather_cancel', custom_message: 'x' }))
      .body.total_texts
  return {
    sensei,
    leo,
    mia,
    ana,
    motherPhone,
    unknownPhone,
    write,
    readPhoneInfo,
    readInboxNames,
    countGroupTexts,
  }
}
const UNKNOWN_ID = '019ab000-0000-7000-8000-000000000000'

test('links a number to a guardian and unlinks it again', async () => {
  const {
    sensei,
    leo,
    mia,
    ana,
    unknownPhone,
    write,
    readPhoneInfo,
    readInboxNames,
    countGroupTexts,
  } = await createFamily()
  const countBefore = await countGroupTexts()
  const linkResponse = await sensei.post(guardianPath(unknownPhone), { guardian_id: ana.id })
  expect(linkResponse.body).toMatchObject({
    guardian_id: ana.id,
    phone: { linked_guardians: [{ id: ana.id, name: 'Ana Chen' }] },
  })
  expect(linkResponse.body.phone.people).toEqual(
    [leo, mia].map(({ id, name }) => ({
      student_id: id,
      name,
      holder: 'guardian',
      holder_name: 'Ana Chen',
    })),
  )
  expect(await readInboxNames()).toEqual(['Leo Chen'])
  const [firstPerson] = (await sensei.get('/sms/people')).body
  const numbers: string[] = [ana.phone!, unknownPhone]
  const otherNumbers = numbers
    .toSorted((first, second) => (first < second ? -1 : 1))
    .map((phone_number) => ({ phone_number, holder_name: 'Ana Chen' }))
  expect(firstPerson).toMatchObject({ name: 'Leo Chen', other_phones: otherNumbers })
  await write(unknownPhone, 'And one more thing')
  expect(await readInboxNames()).toEqual(['Leo Chen', 'Leo Chen'])
  expect(await countGroupTexts(), 'the linked number gets no group texts').toBe(countBefore)
  const [ownGuardian] = (await sensei.get('/families')).body.guardians
  expect(ownGuardian.phone).toBe(ana.phone)
  expect(
    (await sensei.post(guardianPath(unknownPhone), { guardian_id: ana.id })).body.phone
      .linked_guardians,
  ).toHaveLength(1)

  expect(
    (await sensei.delete(`${guardianPath(unknownPhone)}?guardian_id=${ana.id}`)).body,
  ).toMatchObject({ people: [], linked_guardians: [] })
  expect(await readInboxNames()).toEqual([null, null])
  expect((await sensei.delete(`${guardianPath(unknownPhone)}?guardian_id=${ana.id}`)).status).toBe(
    404,
  )
  expect((await readPhoneInfo()).people).toEqual([])
})

test('OUT from a linked number excuses only students whom the guardian may see', async () => {
  const { sensei, leo, mia, ana, unknownPhone, write } = await createFamily()
  const { id } = await server.createClass(sensei, { class_days: [...WEEKDAYS] })
  for (const student of [leo, mia]) await sensei.post(`/students/${student.id}/enroll/${id}`, {})
  await sensei.post(guardianPath(unknownPhone), { guardian_id: ana.id })
  await sensei.put(`/guardians/${ana.id}/students/${mia.id}`, { sees: false })
  await write(unknownPhone, 'OUT')
  expect(
    (await sensei.get('/excuses')).body.map(
      ({ student_name }: { student_name: string }) => student_name,
    ),
  ).toEqual(['Leo Chen'])
})

test('links a number to a new guardian of some students, and unlinks it again', async () => {
  const { sensei, leo, mia, unknownPhone, readInboxNames, countGroupTexts } = await createFamily()
  const countBefore = await countGroupTexts()
  const guardian = { name: 'Ben Chen', relation: 'father', student_ids: [leo.id, mia.id] }
  const { body } = await sensei.post(guardianPath(unknownPhone), { guardian })
  expect(body.phone.people).toMatchObject([
    { name: 'Leo Chen', holder: 'guardian', holder_name: 'Ben Chen' },
    { name: 'Mia Chen', holder_name: 'Ben Chen' },
  ])
  const readBen = async () =>
    (await sensei.get('/families')).body.guardians.find(
      ({ id }: { id: string }) => id === body.guardian_id,
    )
  expect(await readBen()).toMatchObject({
    phone: unknownPhone,
    students: [
      { student_name: 'Leo Chen', relation: 'father', gets_texts: true, pays: false },
      { student_name: 'Mia Chen', relation: 'father' },
    ],
  })
  expect(await readInboxNames()).toEqual(['Leo Chen'])
  expect(await countGroupTexts()).toBe(countBefore + 1)

  expect(
    (await sensei.delete(`${guardianPath(unknownPhone)}?guardian_id=${body.guardian_id}`)).body
      .people,
  ).toEqual([])
  expect((await readBen()).phone).toBe(null)
  expect(await readInboxNames()).toEqual([null])
  await sensei.delete(`/guardians/${body.guardian_id}`)
  expect(await readBen()).toBeUndefined()
})

test('deletes a linked number with its guardian, but not a student’s other numbers', async () => {
  const { sensei, mia, ana, unknownPhone, readPhoneInfo, readInboxNames } = await createFamily()
  await sensei.put(guardianPath(unknownPhone).replace('guardian', 'student'), {
    student_id: mia.id,
    holder_name: 'Grandma',
  })
  await sensei.post(guardianPath(unknownPhone), { guardian_id: ana.id })
  await sensei.delete(`${guardianPath(unknownPhone)}?guardian_id=${ana.id}`)
  expect((await readPhoneInfo()).people).toMatchObject([{ student_id: mia.id, holder: 'linked' }])
  expect(await readInboxNames()).toEqual(['Mia Chen'])
  await sensei.post(guardianPath(unknownPhone), { guardian_id: ana.id })
  await sensei.delete(`/guardians/${ana.id}`)
  expect((await readPhoneInfo()).linked_guardians).toEqual([])
})

test('refuses to link a number to another dojo’s family, to nobody or to two people', async () => {
  const { sensei, ana, leo, unknownPhone } = await createFamily()
  const otherFamily = await createFamily()
  const refusals = [
    await sensei.post(guardianPath(unknownPhone), { guardian_id: otherFamily.ana.id }),
    await sensei.post(guardianPath(unknownPhone), {
      guardian: { name: 'Ben', student_ids: [otherFamily.leo.id] },
    }),
    await sensei.post(guardianPath(otherFamily.unknownPhone), { guardian_id: ana.id }),
    await sensei.post(guardianPath(unknownPhone), { guardian_id: UNKNOWN_ID }),
    await sensei.post(guardianPath(unknownPhone), {}),
    await sensei.post(guardianPath(unknownPhone), {
      guardian_id: ana.id,
      guardian: { name: 'Ben', student_ids: [leo.id] },
    }),
    await sensei.post(guardianPath(unknownPhone), { guardian: { name: 'Ben', student_ids: [] } }),
  ]
  expect(refusals.map(({ status, body }) => [status, body.detail])).toEqual([
    [404, 'Guardian not found'],
    [404, 'Student not found'],
    [404, 'Conversation not found'],
    [404, 'Guardian not found'],
    [422, 'Name a new guardian or choose one'],
    [422, 'Name a new guardian or choose one'],
    [422, 'Choose at least one student'],
  ])
  expect((await sensei.get('/families')).body.guardians).toHaveLength(1)
})
