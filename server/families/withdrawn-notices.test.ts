import { expect, describe, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { signInAs } from '../test/fixtures.ts'
import { unzipTexts, exportedText } from '../test/files.ts'
import { createGradingDojo, setClockToNoon, TODAY } from '../test/grading-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

/** The sum of both fees. A time such as 18:00:00.130 does not count. */
const FAMILY_TOTAL = /(?<![.\d])130\b/

/** Creates Leo and Mia, whose mother Ann pays for them, and whose father Ben sees the fees. */
async function setUpFamily() {
  setClock('2027-03-01T18:00:00Z')
  const sensei = await server.createSensei()
  const kids = await server.createClass(sensei, { class_name: 'Kids', class_days: ['friday'] })
  const juniors = await server.createClass(sensei, {
    class_name: 'Juniors',
    class_days: ['tuesday'],
  })
  const leo = await server.createStudent(sensei, {
    name: 'Leonidas Chen',
    monthly_payment_amount: 60,
    enrolled_classes: [kids.id],
    date_of_birth: '2009-03-20',
  })
  const mia = await server.createStudent(sensei, {
    name: 'Mia Chen',
    monthly_payment_amount: 70,
    enrolled_classes: [juniors.id],
  })
  const links = [leo, mia].map(({ id }) => ({ student_id: id }))
  const ann = await server.createGuardian(sensei, [], {
    name: 'Ann Chen',
    phone: '512 555 0177',
    students: links.map((link) => ({ ...link, pays: true })),
  })
  const ben = await server.createGuardian(sensei, [], {
    name: 'Ben Chen',
    phone: '512 555 0188',
    students: links.map((link) => ({ ...link, sees_fees: true })),
  })
  const linkPath = (guardian: { id: string }, student: { id: string }) =>
    `/guardians/${guardian.id}/students/${student.id}`
  return { sensei, kids, leo, mia, ann, ben, linkPath }
}

type Family = Awaited<ReturnType<typeof setUpFamily>>
type Reader = { get: (path: string) => Promise<{ body: any }> }

/** Notifies the family of the fees for both children, a camp, and a canceled class of Leo's. */
async function notifyFamily({ sensei, kids, leo, mia }: Family) {
  const student_ids = [leo.id, mia.id]
  await sensei.post('/sms/send-bulk-message', {
    message_type: 'monthly_fee',
    custom_message: 'Hi {name}, please pay {amount}.',
    selected_students: student_ids,
  })
  await sensei.post('/notifications/send', {
    title: 'Summer camp',
    message: '{name} may come to the camp.',
    student_ids,
  })
  await sensei.put('/class-dates/cancelled', {
    class_id: kids.id,
    day: '2027-03-05',
    reason: 'The hall is closed',
  })
}

const readMessages = async (reader: Reader) =>
  (await reader.get('/notifications')).body
    .map(({ message }: { message: string }) => message)
    .toSorted()
const readAnnouncements = async (reader: Reader) =>
  (await reader.get('/announcements')).body
    .map(({ content }: { content: string }) => content)
    .toSorted()

/** Returns a function that exports the data of a student as this reader downloads it. */
const createExport =
  (reader: { token: string }, { id }: { id: string }) =>
  async (): Promise<string> => {
    const headers = { authorization: `Bearer ${reader.token}` }
    const url = `/api/family/students/${id}/export`
    return exportedText(await server.http.inject({ method: 'POST', url, headers }))
  }

/** Sends a text that an instructor wrote about both children. */
const textFamily = ({ sensei, leo, mia }: Family, text: string) =>
  sensei.post('/sms/messages', { student_ids: [leo.id, mia.id], text })

const CAMP = 'Leonidas and Mia may come to the camp.'
const MIAS_CAMP = 'Mia may come to the camp.'
const FEES = 'Hi Leonidas and Mia, please pay $130.00.'
const MIAS_FEES = 'Hi Mia, please pay $70.00.'
const CANCELLATION_NOTICE = expect.stringContaining('The hall is closed')

describe('a guardian’s notifications about a child', () => {
  test('are counted before a right is removed', async () => {
    const family = await setUpFamily()
    const { sensei, leo, mia, ann, ben, linkPath } = family
    const readCounts = async (guardian: { id: string }, student: { id: string }) =>
      (await sensei.get(`${linkPath(guardian, student)}/notices`)).body
    expect(await readCounts(ann, leo)).toEqual({ total: 0, about_fees: 0 })
    await notifyFamily(family)
    expect(await readCounts(ann, leo)).toEqual({ total: 3, about_fees: 1 })
    expect(await readCounts(ben, mia)).toEqual({ total: 2, about_fees: 1 })
    await sensei.put(linkPath(ben, mia), { sees_fees: false })
    expect(await readCounts(ben, mia)).toEqual({ total: 1, about_fees: 0 })
    await sensei.delete(linkPath(ann, leo))
    expect((await sensei.get(`${linkPath(ann, leo)}/notices`)).status).toBe(404)
  })

  test('are not counted if the guardian teaches or has no login', async () => {
    const family = await setUpFamily()
    const { sensei, leo, linkPath } = family
    const students = [{ student_id: leo.id }]
    await sensei.post('/guardians', { account_id: sensei.id, students })
    const { guardian } = (await sensei.post('/guardians', { name: 'Eve Chen', students })).body
    await notifyFamily(family)
    for (const { id } of [sensei, guardian])
      expect((await sensei.get(`${linkPath({ id }, leo)}/notices`)).body.total).toBe(0)
  })

  test('name the child until the link ends, then only the other children', async () => {
    const family = await setUpFamily()
    const { sensei, leo, ann, ben, linkPath } = family
    await notifyFamily(family)
    expect(await readMessages(ann)).toEqual([FEES, CANCELLATION_NOTICE, CAMP])
    expect(await readAnnouncements(ann)).toEqual([FEES, CAMP])
    await sensei.delete(linkPath(ann, leo))
    expect(await readMessages(ann)).toEqual([MIAS_FEES, MIAS_CAMP])
    expect(await readAnnouncements(ann)).toEqual([MIAS_FEES, MIAS_CAMP])
    expect((await ann.get('/notifications/unread-count')).body).toEqual({ unread_count: 2 })
    expect(await readMessages(ben)).toEqual([FEES, CANCELLATION_NOTICE, CAMP])
    expect(await readMessages(leo)).toHaveLength(3)
  })

  test('are deleted with the right to see the child', async () => {
    const family = await setUpFamily()
    const { sensei, leo, mia, ann, linkPath } = family
    await notifyFamily(family)
    await sensei.put(linkPath(ann, leo), { sees: false })
    expect(await readMessages(ann)).toEqual([MIAS_FEES, MIAS_CAMP])
    await sensei.put(linkPath(ann, mia), { sees: false })
    expect([await readMessages(ann), await readAnnouncements(ann)]).toEqual([[], []])
  })

  test('contain no amounts without the right to see fees', async () => {
    const family = await setUpFamily()
    const { sensei, leo, mia, ann, ben, linkPath } = family
    await notifyFamily(family)
    await sensei.put(linkPath(ann, leo), { sees_fees: false })
    expect(await readMessages(ann)).toEqual([MIAS_FEES, CANCELLATION_NOTICE, CAMP])
    await sensei.put(linkPath(ann, mia), { sees_fees: false })
    expect(await readMessages(ann)).toEqual([CANCELLATION_NOTICE, CAMP])
    expect(await readAnnouncements(ann)).toEqual([CAMP])
    expect(await readMessages(ben)).toEqual([FEES, CANCELLATION_NOTICE, CAMP])
  })

  test('are deleted when the child turns 18 or no longer agrees', async () => {
    const family = await setUpFamily()
    const { leo, ann, ben } = family
    await notifyFamily(family)
    await leo.put(`/family/guardians/${ann.id}`, { is_agreed: true, agrees_to_fees: false })
    await leo.put(`/family/guardians/${ben.id}`, { is_agreed: true })
    setClock('2027-03-20T18:00:00Z')
    await runDueJobs(server.db, (error) => {
      throw error
    })
    expect(await readMessages(ann)).toEqual(
      expect.arrayContaining([MIAS_FEES, CAMP, expect.stringContaining('hall is closed')]),
    )
    expect(await readAnnouncements(ann)).toEqual([MIAS_FEES, CAMP])
    expect(await readAnnouncements(ben)).toEqual([FEES, CAMP])
    await leo.put(`/family/guardians/${ben.id}`, { is_agreed: false })
    expect(await readAnnouncements(ben)).toEqual([MIAS_FEES, MIAS_CAMP])
    expect(JSON.stringify(await readMessages(ben))).not.toContain('Leonidas')
  })

  test('name the other children when the child is deleted', async () => {
    const family = await setUpFamily()
    const { sensei, leo, ann, ben } = family
    await notifyFamily(family)
    await sensei.delete(`/students/${leo.id}`)
    for (const guardian of [ann, ben]) {
      expect(await readMessages(guardian)).toEqual([MIAS_FEES, MIAS_CAMP])
      expect(await readAnnouncements(guardian)).toEqual([MIAS_FEES, MIAS_CAMP])
    }
  })

  test('are deleted with the guardian, but a guardian who trains keeps their own', async () => {
    const family = await setUpFamily()
    const { sensei, leo } = family
    const dad = await server.createStudent(sensei, {
      name: 'Dan Chen',
      date_of_birth: '1980-01-01',
    })
    const students = [{ student_id: leo.id, sees_fees: true }]
    await sensei.post('/guardians', { account_id: dad.id, students })
    await notifyFamily(family)
    await sensei.post('/notifications/send', {
      title: 'Keys',
      message: '{name} has the keys.',
      student_ids: [dad.id, leo.id],
    })
    expect(await readMessages(dad)).toContainEqual(
      expect.stringMatching(/^(Dan and Leonidas|Leonidas and Dan) has the keys\.$/),
    )
    await sensei.delete(`/guardians/${dad.id}`)
    expect(await readMessages(dad)).toEqual(['Dan has the keys.'])
  })

  test('are deleted when the family is undone', async () => {
    const { sensei, leo, mia } = await setUpFamily()
    const { body } = await sensei.post('/families', {
      guardian: { name: 'Eve Chen', phone: '512 555 0199' },
      students: [
        { student_id: leo.id, log_in: 'move' },
        { student_id: mia.id, log_in: 'keep' },
      ],
    })
    await sensei.post('/notifications/send', { title: 'Camp', message: '{name} may come.' })
    const eveClient = server.clientFor(await signInAs(server.db, body.guardian.id))
    expect(await readMessages(eveClient)).toEqual(['Leonidas and Mia may come.'])
    await sensei.post(`/families/changes/${body.change.id}/undo`)
    const leoClient = server.clientFor(await signInAs(server.db, leo.id))
    expect(await readMessages(leoClient)).toEqual(['Leonidas may come.'])
  })

  test('include invitations to gradings only while the guardian sees the child', async () => {
    setClockToNoon(TODAY)
    const { sensei, leo, mia, plan, invite, ...dojo } = await createGradingDojo(server)
    const { ann } = dojo as unknown as { ann: Reader & { id: string } }
    const { id } = (await plan()).body
    await invite(id, [leo, mia])
    expect(await readMessages(ann)).toEqual([expect.stringMatching(/^Leo and Mia: .*Main hall/)])
    await sensei.delete(`/guardians/${ann.id}/students/${leo.id}`)
    expect(await readMessages(ann)).toEqual([expect.stringMatching(/^Mia: .*Main hall/)])
    await sensei.put(`/guardians/${ann.id}/students/${mia.id}`, { sees: false })
    expect(await readMessages(ann)).toEqual([])
    expect((await ann.get('/my/gradings')).body).toEqual([])
  })

  test('do not name the child after the link ends, and neither does any other page', async () => {
    const family = await setUpFamily()
    const { sensei, leo, ann, linkPath } = family
    await notifyFamily(family)
    const feed = new URL((await ann.post('/calendar-feed')).body.url).pathname
    const readCalendar = async () => (await server.http.inject({ url: feed })).payload
    expect(await readCalendar()).toContain('Leonidas')
    await sensei.delete(linkPath(ann, leo))
    const paths = [
      '/notifications',
      '/announcements',
      '/family/home',
      '/profile',
      '/classes',
      '/attendance',
      '/excuses',
      '/class-dates',
      '/my/belts',
      '/my/gradings',
      '/my/check-in',
    ]
    for (const path of paths) {
      const { status, body } = await ann.get(path)
      expect([path, status]).toEqual([path, 200])
      expect(JSON.stringify(body)).not.toMatch(/Leonidas/)
      expect(JSON.stringify(body)).not.toMatch(FAMILY_TOTAL)
    }
    expect(await readCalendar()).not.toContain('Leonidas')
  })

  test('are left out of another child’s exported file', async () => {
    const family = await setUpFamily()
    const { sensei, leo, mia, ann, linkPath } = family
    await notifyFamily(family)
    await sensei.post('/sms/send-bulk-message', {
      message_type: 'special_announcement',
      custom_message: 'Hi {name}, see you at the camp.',
      selected_students: [leo.id, mia.id],
      selected_classes: [family.kids.id],
    })
    const exportFileOfMia = createExport(ann, mia)
    expect(await exportFileOfMia()).toMatch(/Leonidas and Mia, please pay \$130/)
    await sensei.put(linkPath(ann, mia), { sees_fees: false })
    expect(await exportFileOfMia()).not.toContain('please pay')
    await sensei.put(linkPath(ann, mia), { sees_fees: true })
    await sensei.delete(linkPath(ann, leo))
    expect(await exportFileOfMia()).not.toContain('Leonidas')
  })

  test('are left out of a sibling’s file if a total reveals the child’s amount', async () => {
    const family = await setUpFamily()
    const { sensei, leo, mia, ann, linkPath } = family
    await notifyFamily(family)
    const totals = ['We got $130.00.', 'That is 130 dollars.', 'Please bring 130.00 on Monday.']
    for (const total of totals) await textFamily(family, total)
    await textFamily(family, 'See you on Monday.')
    const exportFileOfMia = createExport(ann, mia)
    for (const text of [FEES, ...totals, 'See you on Monday.'])
      expect(await exportFileOfMia()).toContain(text)
    await sensei.put(linkPath(ann, leo), { sees_fees: false })
    expect(await exportFileOfMia()).not.toMatch(FAMILY_TOTAL)
    expect(await exportFileOfMia()).toContain('See you on Monday.')
    const exportReply = await sensei.post(`/students/${mia.id}/export`, { reader_id: ann.id })
    expect(JSON.stringify(unzipTexts(exportReply.body))).not.toMatch(FAMILY_TOTAL)
  })

  test('hide the child’s amounts from a sibling who has the family’s phone', async () => {
    const family = await setUpFamily()
    const { sensei, mia } = family
    await sensei.put(`/students/${mia.id}`, { ...mia, phone_number: '512 555 0177' })
    await notifyFamily(family)
    await textFamily(family, 'See you on Monday.')
    const file = await createExport(mia, mia)()
    expect(file).not.toMatch(FAMILY_TOTAL)
    expect(file).toContain('See you on Monday.')
  })

  test('are left out of the file of a guardian who trains, after the link ends', async () => {
    const family = await setUpFamily()
    const { sensei, leo } = family
    const dad = await server.createStudent(sensei, {
      name: 'Dan Chen',
      date_of_birth: '1980-01-01',
      phone_number: '512 555 0166',
      monthly_payment_amount: 45,
    })
    const students = [{ student_id: leo.id, sees_fees: true, gets_texts: true }]
    await sensei.post('/guardians', { account_id: dad.id, students })
    const writeToBoth = (text: string) =>
      sensei.post('/sms/messages', { student_ids: [dad.id, leo.id], text })
    await writeToBoth('{name} have paid $105.00.')
    await writeToBoth('See you all, {name}.')
    const exportOwnFile = createExport(dad, dad)
    expect(await exportOwnFile()).toMatch(/have paid \$105/)
    await sensei.put(`/guardians/${dad.id}/students/${leo.id}`, { sees_fees: false })
    expect(await exportOwnFile()).not.toContain('$105')
    expect(await exportOwnFile()).toContain('See you all')
    await sensei.delete(`/guardians/${dad.id}/students/${leo.id}`)
    expect(await exportOwnFile()).not.toContain('Leonidas')
  })
})
