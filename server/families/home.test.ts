import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

async function setUpFamily() {
  const sensei = await server.createSensei()
  const earlyClass = await server.createClass(sensei, {
    class_name: 'Early',
    class_days: ['monday'],
    class_start_time: '3:00 PM',
    class_end_time: '4:00 PM',
  })
  const lateClass = await server.createClass(sensei, {
    class_name: 'Late',
    class_days: ['monday'],
    class_start_time: '6:00 PM',
    class_end_time: '7:00 PM',
  })
  const otherClass = await server.createClass(sensei, {
    class_name: 'Other',
    class_days: ['tuesday'],
  })
  const ana = await server.createStudent(sensei, {
    name: 'Ana Adams',
    enrolled_classes: [otherClass.id],
    monthly_payment_amount: 50.1,
  })
  const leo = await server.createStudent(sensei, {
    name: 'Leo Adams',
    enrolled_classes: [lateClass.id],
    monthly_payment_amount: 60.2,
  })
  const mia = await server.createStudent(sensei, {
    name: 'Mia Adams',
    enrolled_classes: [earlyClass.id, otherClass.id],
    monthly_payment_amount: 70.3,
  })
  const students = [ana, leo, mia].map(({ id }) => ({
    student_id: id,
    relation: 'mother' as const,
    pays: true,
  }))
  const ann = await server.createGuardian(sensei, [], { students })
  return { sensei, earlyClass, lateClass, otherClass, ana, leo, mia, ann }
}

type Child = {
  name: string
  next_class: { class_name: string; class_date: string } | null
  fees: object | null
  attendance: object
}
const listNames = ({ children }: { children: Child[] }) => children.map(({ name }) => name)

describe('a guardian’s home', () => {
  test('lists children who have a class today first, in the order of their classes', async () => {
    // Monday noon in Texas.
    setClock('2027-03-01T18:00:00Z')
    const { ann, leo } = await setUpFamily()
    const { body } = await ann.get('/family/home')
    // Months are counted from 0.
    expect([body.today, body.month, body.year]).toEqual(['2027-03-01', 2, 2027])
    expect(listNames(body)).toEqual(['Mia Adams', 'Leo Adams', 'Ana Adams'])
    expect(
      body.children.map(
        ({ next_class }: Child) => `${next_class?.class_name} ${next_class?.class_date}`,
      ),
    ).toEqual(['Early 2027-03-01', 'Late 2027-03-01', 'Other 2027-03-02'])
    // After the first class is over.
    setClock('2027-03-01T22:30:00Z')
    const homeAfterClass = (await ann.get('/family/home')).body
    expect(listNames(homeAfterClass)).toEqual(['Leo Adams', 'Ana Adams', 'Mia Adams'])
    expect(listNames((await ann.get(`/family/home?student_id=${leo.id}`)).body)).toEqual([
      'Leo Adams',
    ])
  })

  test('skips a class in which the child is already marked', async () => {
    setClock('2027-03-01T18:00:00Z')
    const { ann, sensei, mia, earlyClass } = await setUpFamily()
    await sensei.post('/attendance', {
      student_id: mia.id,
      class_id: earlyClass.id,
      class_date: '2027-03-01',
      present: true,
    })
    const [child] = (await ann.get(`/family/home?student_id=${mia.id}`)).body.children
    expect(child.next_class).toMatchObject({ class_name: 'Other', class_date: '2027-03-02' })
  })

  test('shows the date of a child’s belt and the classes since', async () => {
    setClock('2027-03-02T02:00:00Z')
    const { ann, sensei, mia, earlyClass, otherClass } = await setUpFamily()
    const readProgress = async () =>
      (await ann.get(`/family/home?student_id=${mia.id}`)).body.children[0].belt_progress
    expect(await readProgress()).toBe(null)
    // On the evening of March 1 in Texas.
    await sensei.put(`/students/${mia.id}`, { ...mia, belt_level: 'orange' })
    const mark = (class_id: string, class_date: string, present: boolean) =>
      sensei.post('/attendance', { student_id: mia.id, class_id, class_date, present })
    await mark(earlyClass.id, '2027-03-01', true)
    expect(await readProgress()).toEqual({ since: '2027-03-01', classes: 0 })
    await mark(otherClass.id, '2027-03-02', true)
    await mark(earlyClass.id, '2027-03-08', false)
    await mark(otherClass.id, '2027-03-09', true)
    expect(await readProgress()).toEqual({ since: '2027-03-01', classes: 2 })
  })

  test('adds up paid and owed fees, without students on trial or vacation', async () => {
    setClock('2027-03-10T18:00:00Z')
    const { ann, sensei, ana, leo, mia } = await setUpFamily()
    const readTotal = async () => (await ann.get('/family/home')).body.total
    expect(await readTotal()).toEqual({ paid: 0, owed: 180.6, on_its_way: 0 })
    await sensei.post('/payment-records', {
      student_id: ana.id,
      payment_month: 2,
      payment_year: 2027,
      payment_status: 'paid',
      monthly_payment_amount: 45.09,
    })
    expect(await readTotal()).toEqual({ paid: 45.09, owed: 130.5, on_its_way: 0 })
    const studentList = (await sensei.get('/students')).body
    const findStudent = (id: string) =>
      studentList.find((student: { id: string }) => student.id === id)
    await sensei.put(`/students/${leo.id}`, { ...findStudent(leo.id), on_vacation: true })
    await sensei.put(`/students/${mia.id}`, { ...findStudent(mia.id), is_trial: true })
    const { children } = (await ann.get('/family/home')).body
    expect(await readTotal()).toEqual({ paid: 45.09, owed: 0, on_its_way: 0 })
    expect(
      children.map(({ name, next_class, fees }: Child) => [
        name,
        next_class?.class_name ?? null,
        fees,
      ]),
    ).toEqual([
      [
        'Ana Adams',
        'Other',
        {
          monthly_payment_amount: 50.1,
          price_reason: null,
          is_paid: true,
          paid: 45.09,
          month_price: 45.09,
          owed: 0,
          on_its_way: 0,
          charges: [],
          credit: 0,
          pays: true,
        },
      ],
      [
        'Leo Adams',
        null,
        {
          monthly_payment_amount: 60.2,
          price_reason: null,
          is_paid: false,
          paid: 0,
          month_price: 0,
          owed: 0,
          on_its_way: 0,
          charges: [],
          credit: 0,
          pays: true,
        },
      ],
      [
        'Mia Adams',
        'Early',
        {
          monthly_payment_amount: 70.3,
          price_reason: null,
          is_paid: false,
          paid: 0,
          month_price: 0,
          owed: 0,
          on_its_way: 0,
          charges: [],
          credit: 0,
          pays: true,
        },
      ],
    ])
  })

  test('counts the marks of the month and of the last 90 days', async () => {
    setClock('2027-03-31T18:00:00Z')
    const { ann, sensei, leo, lateClass } = await setUpFamily()
    for (const [class_date, present] of [
      ['2027-03-29', true],
      ['2027-03-22', false],
      ['2027-02-22', true],
      ['2027-01-01', true],
      ['2026-12-31', true],
    ] as const)
      await sensei.post('/attendance', {
        student_id: leo.id,
        class_id: lateClass.id,
        class_date,
        present,
      })
    const { children } = (await ann.get(`/family/home?student_id=${leo.id}`)).body
    expect(children[0].attendance).toEqual({
      present_this_month: 1,
      absent_this_month: 1,
      present_90_days: 3,
      marks_90_days: 4,
    })
  })

  test('is empty for a student or instructor who is not a guardian', async () => {
    const { sensei, leo } = await setUpFamily()
    for (const person of [sensei, leo]) {
      const { status, body } = await person.get('/family/home')
      expect([status, body.children, body.total]).toEqual([200, [], null])
    }
  })

  test('lets a guardian who has the right change one field of a child’s contact', async () => {
    const { ann, sensei, leo } = await setUpFamily()
    expect(
      (await ann.put(`/family/students/${leo.id}/contact`, { phone_number: '512 555 0188' }))
        .status,
    ).toBe(403)
    await sensei.put(`/guardians/${ann.id}/students/${leo.id}`, { may_edit: true })
    expect(
      (await ann.put(`/family/students/${leo.id}/contact`, { phone_number: '512 555 0188' }))
        .status,
    ).toBe(200)
    const { children } = (await ann.get(`/family/home?student_id=${leo.id}`)).body
    expect(children[0].contact).toEqual({
      phone_number: '512 555 0188',
      emergency_contact_name: 'Ann Adams',
      emergency_contact_phone: '512 555 0143',
    })
  })
})

test('notifies the student and guardians who see the page about a new belt', async () => {
  const { ann, sensei, leo } = await setUpFamily()
  const [form] = (await sensei.get('/students')).body.filter(
    ({ id }: { id: string }) => id === leo.id,
  )
  await sensei.put(`/students/${leo.id}`, { ...form, belt_level: 'green' })
  expect((await leo.get('/notifications')).body).toMatchObject([
    { title: 'New belt', message: 'You now wear the green belt.' },
  ])
  expect((await ann.get('/notifications')).body).toMatchObject([
    { title: 'New belt', message: 'Leo now wears the green belt.' },
  ])
})

test('sends fee reminders only to guardians who see fees', async () => {
  const { ann, sensei, leo, mia } = await setUpFamily()
  const ben = await server.createGuardian(sensei, [leo, mia], { name: 'Ben Adams' })
  await sensei.post('/notifications/send-fee-reminder', {
    custom_message: 'Hi {name}, please pay.',
  })
  const readNotices = async (person: typeof ann) =>
    (await person.get('/notifications')).body.map(({ message }: { message: string }) => message)
  expect(await readNotices(ann)).toEqual([
    expect.stringMatching(/^Hi (Ana|Leo|Mia), (Ana|Leo|Mia) and (Ana|Leo|Mia), please pay\.$/),
  ])
  expect(await readNotices(ben)).toEqual([])
  await sensei.post('/notifications/send', {
    title: 'News',
    message: 'Hi {name}.',
    student_ids: [leo.id],
  })
  expect(await readNotices(ben)).toEqual(['Hi Leo.'])
  expect((await ben.get('/announcements')).body).toMatchObject([
    { title: 'News', content: 'Hi Leo.' },
  ])
})
