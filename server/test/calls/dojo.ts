import { expect } from 'vitest'
import { exampleClass, exampleStudent } from '../fixtures.ts'
import {
  type Cases,
  server,
  ken,
  kidsClass,
  LOGIN_REQUIRED,
  MISSING_ID,
  NOT_ALLOWED,
  sensei,
  anonymous,
} from './people.ts'

const month = { payment_month: 4, payment_year: 2026 }
const markedPayment = {
  student_id: ken.id,
  monthly_payment_amount: 85.5,
  ...month,
  payment_status: 'paid',
}
const consent = {
  sensei_name: 'Aiko Tanaka',
  phone_number: '512 555 0100',
  email: 'ken@home.org',
  signature: 'Ken Adams',
  date: '2026-01-02',
}

export const dojoCalls: Cases = {
  'GET /classes': async ({ expectOk, expectRefusal }) => {
    expect((await expectOk(ken))[0]).toMatchObject({
      id: kidsClass.id,
      _id: kidsClass.id,
      class_name: 'Kids Judo',
      class_days: ['monday', 'wednesday'],
    })
    await expectRefusal(anonymous, 401, LOGIN_REQUIRED)
  },
  'POST /classes': async ({ expectOk, expectRefusal }) => {
    expect(await expectOk(sensei, { body: exampleClass() })).toMatchObject(exampleClass())
    await expectRefusal(ken, 403, NOT_ALLOWED, { body: exampleClass() })
  },
  'PUT /classes/{id}': async ({ expectOk, expectRefusal }) => {
    const body = exampleClass({ class_name: 'Teens' })
    expect(
      await expectOk(sensei, { params: { id: (await server.createClass(sensei)).id }, body }),
    ).toMatchObject(body)
    await expectRefusal(sensei, 404, 'Class not found', { params: { id: MISSING_ID }, body })
  },
  'DELETE /classes/{id}': async ({ expectOk, expectRefusal }) => {
    const { id } = await server.createClass(sensei)
    await expectOk(sensei, { params: { id } })
    await expectRefusal(sensei, 404, 'Class not found', { params: { id } })
  },
  'GET /students': async ({ expectOk, expectRefusal }) => {
    expect(await expectOk(sensei)).toContainEqual(
      expect.objectContaining({ id: ken.id, name: 'Ken Adams' }),
    )
    await expectRefusal(ken, 403, NOT_ALLOWED)
  },
  'POST /students': async ({ expectOk, expectRefusal }) => {
    const body = exampleStudent({
      enrolled_classes: [kidsClass.id],
      app_returned: false,
      payment_method: 'cash',
      current_month_paid: false,
    })
    expect(await expectOk(sensei, { body })).toMatchObject({
      student: { id: expect.any(String), email: body.email },
    })
    await expectRefusal(sensei, 422, 'Student must be enrolled in at least one class.', {
      body: exampleStudent(),
    })
  },
  'POST /students/{id}/enroll/{classId}': async ({ expectOk, expectRefusal }) => {
    const { id: classId } = await server.createClass(sensei)
    await expectOk(sensei, { params: { id: ken.id, classId } })
    expect((await ken.get('/profile')).body.enrolled_classes).toContain(classId)
    await expectRefusal(sensei, 404, 'Class not found', {
      params: { id: ken.id, classId: MISSING_ID },
    })
  },
  'PUT /students/{id}': async ({ expectOk, expectRefusal }) => {
    const { id, email } = await server.createStudent(sensei)
    const { password: _, ...form } = {
      ...exampleStudent({ email, enrolled_classes: [kidsClass.id], belt_level: 'black' }),
      on_vacation: true,
      app_returned: true,
      payment_method: 'cash',
    }
    const body = { ...form, current_month_paid: true }
    expect(await expectOk(sensei, { params: { id }, body })).toMatchObject({
      student: { ...form, current_month_paid: false },
    })
    await expectRefusal(sensei, 404, 'Student not found', { params: { id: MISSING_ID }, body })
  },
  'DELETE /students/{id}': async ({ expectOk, expectRefusal }) => {
    const { id } = await server.createStudent(sensei)
    await expectOk(sensei, { params: { id } })
    await expectRefusal(sensei, 404, 'Student not found', { params: { id } })
  },
  'GET /dashboard/stats': async ({ expectOk, expectRefusal }) => {
    expect(await expectOk(sensei)).toMatchObject({ total_students: expect.any(Number) })
    await expectRefusal(ken, 403, NOT_ALLOWED)
  },
  'GET /attendance': async ({ expectOk, expectRefusal }) => {
    await sensei.post('/attendance', {
      student_id: ken.id,
      class_id: kidsClass.id,
      class_date: '2026-01-02T00:00:00.000Z',
      present: true,
    })
    expect((await expectOk(ken))[0]).toMatchObject({
      student_id: ken.id,
      student_name: 'Ken Adams',
      class_name: 'Kids Judo',
      present: true,
    })
    await expectRefusal(anonymous, 401, LOGIN_REQUIRED)
  },
  'POST /attendance': async ({ expectOk, expectRefusal }) => {
    const body = {
      student_id: ken.id,
      class_id: kidsClass.id,
      class_date: '2026-01-03T00:00:00.000Z',
      present: false,
    }
    expect(await expectOk(sensei, { body })).toMatchObject({ student_id: ken.id, present: false })
    await expectRefusal(sensei, 404, 'Student not found', {
      body: { ...body, student_id: MISSING_ID },
    })
  },
  'GET /announcements': async ({ expectOk, expectRefusal }) => {
    await sensei.post('/notifications/send', {
      title: 'Closed',
      message: 'On Monday.',
      category: 'general',
    })
    expect((await expectOk(ken))[0]).toMatchObject({
      title: 'Closed',
      category: 'general',
      content: 'On Monday.',
    })
    await expectRefusal(anonymous, 401, LOGIN_REQUIRED)
  },
  'GET /student-birthdays': async ({ expectOk, expectRefusal }) => {
    expect(await expectOk(sensei)).toContainEqual({
      student_id: ken.id,
      student_name: 'Ken Adams',
      date_of_birth: '2010-03-01',
    })
    await expectRefusal(ken, 403, NOT_ALLOWED)
  },
  'GET /payment-statistics': async ({ expectOk, expectRefusal }) => {
    expect(await expectOk(sensei, { query: 'month=11&year=2025' })).toMatchObject({
      total_paid_this_month: 0,
      monthly_revenue: 0,
    })
    await expectRefusal(sensei, 422, 'Month must be 0 (January) to 11 (December)', {
      query: 'month=12&year=2025',
    })
  },
  'GET /payment-records': async ({ expectOk, expectRefusal }) => {
    await sensei.post('/payment-records', markedPayment)
    expect(await expectOk(sensei, { query: 'month=4&year=2026' })).toMatchObject([
      { student_id: ken.id, payment_status: 'paid', payment_month: 4, payment_year: 2026 },
    ])
    await expectRefusal(ken, 403, NOT_ALLOWED, { query: 'month=4&year=2026' })
  },
  'POST /payment-records': async ({ expectOk, expectRefusal }) => {
    expect(
      await expectOk(sensei, { body: { ...markedPayment, payment_status: 'unpaid' } }),
    ).toMatchObject({
      student_id: ken.id,
      payment_status: 'unpaid',
    })
    await expectRefusal(sensei, 404, 'Student not found', {
      body: { ...markedPayment, student_id: MISSING_ID },
    })
  },
  'POST /reset-monthly-payments': async ({ expectOk, expectRefusal }) => {
    await sensei.post('/payment-records', markedPayment)
    const { total_paying_students, ...statistics } = await expectOk(sensei, { body: month })
    expect([total_paying_students > 0, statistics]).toMatchObject([
      true,
      { students_reset: 1, message: expect.any(String) },
    ])
    await expectRefusal(ken, 403, NOT_ALLOWED, { body: month })
  },
  'POST /consent-form': async ({ expectOk, expectRefusal }) => {
    await expectOk(anonymous, { body: consent })
    await expectRefusal(anonymous, 422, 'Sensei name is required', {
      body: { ...consent, sensei_name: ' ' },
    })
  },
}
