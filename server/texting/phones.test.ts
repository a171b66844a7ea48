import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'
import { findTextedPhones } from '../guardians/texted-phones.ts'

const server = await startTestServer()
const OWN_PHONE = '(512) 555-0142'
const MOTHERS_PHONE = '(512) 555-0150'
const FATHERS_PHONE = '(512) 555-0151'
const createTextedGuardian = (
  name: string,
  typedPhone: string | null,
  overrides: { gets_texts?: boolean; pays?: boolean } = {},
) => ({ name, typedPhone, gets_texts: true, pays: false, ...overrides })
const findTextedPhoneEndings = (
  topic: 'dues' | 'classes',
  student: { typedPhone?: string | null; isUnderAge?: boolean },
  ...guardians: ReturnType<typeof createTextedGuardian>[]
) =>
  findTextedPhones(topic, { typedPhone: OWN_PHONE, isUnderAge: false, ...student, guardians }).map(
    ({ phone }) => phone.slice(-3),
  )

describe('a text about a student', () => {
  test('goes to their own phone and those of guardians who get texts, once per phone', () => {
    expect(
      findTextedPhoneEndings(
        'classes',
        {},
        createTextedGuardian('Ana', MOTHERS_PHONE),
        createTextedGuardian('Ben', FATHERS_PHONE, { gets_texts: false }),
      ),
    ).toEqual(['142', '150'])
    expect(
      findTextedPhoneEndings(
        'classes',
        {},
        createTextedGuardian('Ana', '+1 512 555 0142'),
        createTextedGuardian('Ben', FATHERS_PHONE),
      ),
    ).toEqual(['142', '151'])
    expect(
      findTextedPhoneEndings(
        'classes',
        { typedPhone: null },
        createTextedGuardian('Ana', MOTHERS_PHONE),
      ),
    ).toEqual(['150'])
    expect(
      findTextedPhoneEndings(
        'classes',
        {},
        createTextedGuardian('Ana', '12'),
        createTextedGuardian('Ben', null),
      ),
    ).toEqual(['142'])
  })

  test('does not go to a child under thirteen if it goes to a guardian', () => {
    expect(
      findTextedPhoneEndings(
        'classes',
        { isUnderAge: true },
        createTextedGuardian('Ana', MOTHERS_PHONE),
      ),
    ).toEqual(['150'])
    expect(
      findTextedPhoneEndings('classes', { isUnderAge: true }, createTextedGuardian('Ana', null)),
    ).toEqual(['142'])
    expect(
      findTextedPhoneEndings(
        'classes',
        { isUnderAge: true },
        createTextedGuardian('Ben', FATHERS_PHONE, { gets_texts: false, pays: true }),
      ),
    ).toEqual(['142'])
  })

  test('goes only to the payer if it is about fees, or to everybody if nobody pays', () => {
    const ana = createTextedGuardian('Ana', MOTHERS_PHONE)
    const ben = createTextedGuardian('Ben', FATHERS_PHONE, { gets_texts: false, pays: true })
    expect(findTextedPhoneEndings('dues', {}, ana, ben)).toEqual(['151'])
    expect(findTextedPhoneEndings('dues', {}, ana)).toEqual(['142', '150'])
    expect(
      findTextedPhoneEndings('dues', {}, createTextedGuardian('Ben', null, { pays: true }), ana),
    ).toEqual([])
  })
})

describe('a family', () => {
  async function createFamily() {
    const sensei = await server.createSensei()
    const leo = await server.createStudent(sensei, {
      name: 'Leo Chen',
      phone_number: OWN_PHONE,
      date_of_birth: '2014-05-06',
    })
    const mia = await server.createStudent(sensei, {
      name: 'Mia Chen',
      phone_number: '12', // No valid phone
      date_of_birth: '2016-05-06',
    })
    const links = [leo, mia].map(({ id }) => ({ student_id: id }))
    const mother = await sensei.post('/guardians', {
      name: 'Ana Chen',
      phone: MOTHERS_PHONE,
      students: links.map((link) => ({ ...link, relation: 'mother', pays: true })),
    })
    await sensei.post('/guardians', {
      name: 'Ben Chen',
      phone: FATHERS_PHONE,
      students: links.map((link) => ({ ...link, relation: 'father' })),
    })
    return { sensei, leo, mia, mother: mother.body.guardian }
  }
  const cancellation = {
    message_type: 'weather_cancel',
    custom_message: 'Hi {name}, no class today.',
  }
  type Text = { name: string; phone_number: string; text: string }
  const describeTexts = (texts: Text[]) =>
    texts
      .map(({ name, phone_number, text }) => `${name} ${phone_number.slice(-3)}: ${text}`)
      .toSorted()

  test('gets one text per guardian about all children, but fee texts at one phone', async () => {
    setClock('2026-11-20T18:00:00Z')
    const { sensei } = await createFamily()
    const result = (await sensei.post('/sms/send-bulk-message', cancellation)).body
    expect(result).toMatchObject({ total_recipients: 2, total_texts: 2 })
    expect(describeTexts((await sensei.get(`/sms/batches/${result.batch_id}`)).body.texts)).toEqual(
      [
        'Leo Chen 150: Hi Leo and Mia, no class today.',
        'Leo Chen 151: Hi Leo and Mia, no class today.',
        'Mia Chen 150: Hi Leo and Mia, no class today.',
        'Mia Chen 151: Hi Leo and Mia, no class today.',
      ],
    )
    const fee = (
      await sensei.post('/sms/send-bulk-message', {
        message_type: 'monthly_fee',
        custom_message: 'Hi {name}, the fee is due.',
      })
    ).body
    expect(fee).toMatchObject({ total_recipients: 2, total_texts: 1 })
    expect(describeTexts((await sensei.get(`/sms/batches/${fee.batch_id}`)).body.texts)).toEqual([
      'Leo Chen 150: Hi Leo and Mia, the fee is due.',
      'Mia Chen 150: Hi Leo and Mia, the fee is due.',
    ])
  })

  test('gets texts at a child’s own phone from the 13th birthday on', async () => {
    // It is still May 5 in Chicago.
    setClock('2027-05-06T03:00:00Z')
    const { sensei } = await createFamily()
    const countTexts = async () =>
      (await sensei.post('/sms/preview', cancellation)).body.total_texts
    expect(await countTexts()).toBe(2)
    setClock('2027-05-06T15:00:00Z') // May 6
    expect(await countTexts()).toBe(3)
  })

  test('has a conversation under the guardian’s name, with all their children', async () => {
    setClock('2026-11-20T18:00:00Z')
    const { sensei, leo, mia, mother } = await createFamily()
    await sensei.post('/sms/simulated/incoming', { phone_number: MOTHERS_PHONE, text: 'Hello' })
    const [conversation] = (await sensei.get('/sms/conversations')).body
    expect(conversation.people).toEqual(
      [leo, mia].map(({ id, name }) => ({
        student_id: id,
        name,
        holder: 'guardian',
        holder_name: 'Ana Chen',
      })),
    )
    expect((await sensei.get(`/students/${leo.id}/phones`)).body).toEqual([
      { phone_number: '+15125550150', holder: 'guardian', holder_name: 'Ana Chen', obstacle: null },
      { phone_number: '+15125550151', holder: 'guardian', holder_name: 'Ben Chen', obstacle: null },
    ])
    const listTexts = async ({ id }: { id: string }) => {
      const { texts } = (await sensei.get(`/students/${id}`)).body
      return texts.map(({ text, is_reply }: { text: string; is_reply: boolean }) => [
        text,
        is_reply,
      ])
    }
    expect([await listTexts(leo), await listTexts(mia)]).toEqual([
      [['Hello', true]],
      [['Hello', true]],
    ])
    await sensei.delete(`/guardians/${mother.id}/students/${mia.id}`)
    expect((await sensei.get('/sms/conversations')).body[0].people).toMatchObject([
      { name: 'Leo Chen' },
    ])
    expect(await listTexts(mia)).toEqual([])
  })

  test('still gets texts at one guardian’s phone after a STOP from the other', async () => {
    setClock('2026-11-20T18:00:00Z')
    const { sensei, mia } = await createFamily()
    await sensei.post('/sms/simulated/incoming', { phone_number: FATHERS_PHONE, text: 'STOP' })
    const result = (await sensei.post('/sms/send-bulk-message', cancellation)).body
    expect(result).toMatchObject({ total_recipients: 2, total_texts: 1, skipped: [] })
    expect((await sensei.get(`/students/${mia.id}`)).body.phones).toEqual([
      { phone_number: '+15125550150', holder: 'guardian', holder_name: 'Ana Chen', obstacle: null },
      {
        phone_number: '+15125550151',
        holder: 'guardian',
        holder_name: 'Ben Chen',
        obstacle: 'replied_stop',
      },
    ])
    await sensei.post('/sms/simulated/incoming', { phone_number: FATHERS_PHONE, text: 'START' })
  })

  test('cannot text OUT for a child whom the guardian may not see', async () => {
    setClock('2027-03-01T15:00:00Z')
    const { sensei, leo, mia, mother } = await createFamily()
    const { id } = await server.createClass(sensei)
    for (const student of [leo, mia]) await sensei.post(`/students/${student.id}/enroll/${id}`)
    await sensei.put(`/guardians/${mother.id}/students/${mia.id}`, {
      relation: 'mother',
      sees: false,
    })
    await sensei.post('/sms/simulated/incoming', { phone_number: MOTHERS_PHONE, text: 'OUT' })
    expect(
      (await sensei.get('/excuses')).body.map(
        ({ student_name }: { student_name: string }) => student_name,
      ),
    ).toEqual(['Leo Chen'])
  })
})
