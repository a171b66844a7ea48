import { expect } from 'vitest'
import { exampleClass, exampleStudent } from '../fixtures.ts'
import {
  type Cases,
  server,
  ken,
  kids,
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
  'GET /classes': async ({ ok, refused }) => {
    expect((await ok(ken))[0]).toMatchObject({
      id: kids.id,
      _id: kids.id,
      class_name: 'Kids Judo',
      class_days: ['monday', 'wednesday'],
    })
    await refused(anonymous, 401, LOGIN_REQUIRED)
  },
  'POST /classes': async ({ ok, refused }) => {
    expect(await ok(sensei, { body: exampleClass() })).toMatchObject(exampleClass())
    await refused(ken, 403, NOT_ALLOWED, { body: exampleClass() })
  },
  'PUT /classes/{id}': async ({ ok, refused }) => {
    const body = exampleClass({ class_name: 'Teens' })
    expect(
      await ok(sensei, { params: { id: (await server.createClass(sensei)).id }, body }),
    ).toMatchObject(body)
    await refused(sensei, 404, 'Class not found', { params: { id: MISSING_ID }, body })
  },
  'DELETE /classes/{id}': async ({ ok, refused }) => {
    const { id } = await server.createClass(sensei)
    await ok(sensei, { params: { id } })
    await refused(sensei, 404, 'Class not found', { params: { id } })
  },
  'GET /students': async ({ ok, refused }) => {
    expect(await ok(sensei)).toContainEqual(
      expect.objectContaining({ id: ken.id, name: 'Ken Adams' }),
    )
    await refused(ken, 403, NOT_ALLOWED)
  },
  'POST /students': async ({ ok, refused }) => {
    const body = exampleStudent({
      enrolled_classes: [kids.id],
      app_returned: false,
      payment_method: 'cash',
      current_month_paid: false,
    })
    expect(await ok(sensei, { body })).toMatchObject({
      student: { id: expect.any(String), email: body.email },
    })
    await refused(sensei, 422, 'Student must be enrolled in at least one class.', {
      body: exampleStudent(),
    })
  },
  'POST /students/{id}/enroll/{classId}': async ({ ok, refused }) => {
    const { id: classId } = await server.createClass(sensei)
    await ok(sensei, { params: { id: ken.id, classId } })
    expect((await ken.get('/profile')).body.enrolled_classes).toContain(classId)
    await refused(sensei, 404, 'Class not found', { params: { id: ken.id, classId: MISSING_ID } })
  },
  'PUT /students/{id}': async ({ ok, refused }) => {
    const { id, email } = await server.createStudent(sensei)
    const { password: _, ...form } = {
      ...exampleStudent({ email, enrolled_classes: [kids.id], belt_level: 'black' }),
      on_vacation: true,
      app_returned: true,
      payment_method: 'cash',
    }
    const body = { ...form, current_month_paid: true }
    expect(await ok(sensei, { params: { id }, body })).toMatchObject({
      student: { ...form, current_month_paid: false },
    })
    await refused(sensei, 404, 'Student not found', { params: { id: MISSING_ID }, body })
  },
  'DELETE /students/{id}': async ({ ok, refused }) => {
    const { id } = await server.createStudent(sensei)
    await ok(sensei, { params: { id } })
    await refused(sensei, 404, 'Student not found', { params: { id } })
  },
  'GET /dashboard/stats': async ({ ok, refused }) => {
    expect(await ok(sensei)).toMatchObject({ total_students: expect.any(Number) })
    await refused(ken, 403, NOT_ALLOWED)
  },
  'GET /attendance': async ({ ok, refused }) => {
    await sensei.post('/attendance', {
      student_id: ken.id,
      class_id: kids.id,
      class_date: '2026-01-02T00:00:00.000Z',
      present: true,
    })
    expect((await ok(ken))[0]).toMatchObject({
      student_id: ken.id,
      student_name: 'Ken Adams',
      class_name: 'Kids Judo',
      present: true,
    })
    await refused(anonymous, 401, LOGIN_REQUIRED)
  },
  'POST /attendance': async ({ ok, refused }) => {
    const body = {
      student_id: ken.id,
      class_id: kids.id,
      class_date: '2026-01-03T00:00:00.000Z',
      present: false,
    }
    expect(await ok(sensei, { body })).toMatchObject({ student_id: ken.id, present: false })
    await refused(sensei, 404, 'Student not found', { body: { ...body, student_id: MISSING_ID } })
  },
  'GET /announcements': async ({ ok, refused }) => {
    await sensei.post('/notifications/send', {
      title: 'Closed',
      message: 'On Monday.',
      category: 'general',
    })
    expect((await ok(ken))[0]).toMatchObject({
      title: 'Closed',
      category: 'general',
      content: 'On Monday.',
    })
    await refused(anonymous, 401, LOGIN_REQUIRED)
  },
  'GET /student-birthdays': async ({ ok, refused }) => {
    expect(await ok(sensei)).toContainEqual({
      student_id: ken.id,
      student_name: 'Ken Adams',
      date_of_birth: '2010-03-01',
    })
    await refused(ken, 403, NOT_ALLOWED)
  },
  'GET /payment-statistics': async ({ ok, refused }) => {
    expect(await ok(sensei, { query: 'month=11&year=2025' })).toMatchObject({
      total_paid_this_month: 0,
      monthly_revenue: 0,
    })
    await refused(sensei, 422, 'Month must be 0 (January) to 11 (December)', {
      query: 'month=12&year=2025',
    })
  },
  'GET /payment-records': async ({ ok, refused }) => {
    await sensei.post('/payment-records', markedPayment)
    expect(await ok(sensei, { query: 'month=4&year=2026' })).toMatchObject([
      { student_id: ken.id, payment_status: 'paid', payment_month: 4, payment_year: 2026 },
    ])
    await refused(ken, 403, NOT_ALLOWED, { query: 'month=4&year=2026' })
  },
  'POST /payment-records': async ({ ok, refused }) => {
    expect(
      await ok(sensei, { body: { ...markedPayment, payment_status: 'unpaid' } }),
    ).toMatchObject({
      student_id: ken.id,
      payment_status: 'unpaid',
    })
    await refused(sensei, 404, 'Student not found', {
      body: { ...markedPayment, student_id: MISSING_ID },
    })
  },
  'POST /reset-monthly-payments': async ({ ok, refused }) => {
    await sensei.post('/payment-records', markedPayment)
    const { total_paying_students, ...statistics } = await ok(sensei, { body: month })
    expect([total_paying_students > 0, statistics]).toMatchObject([
      true,
      { students_reset: 1, message: expect.any(String) },
    ])
    await refused(ken, 403, NOT_ALLOWED, { body: month })
  },
  'POST /consent-form': async ({ ok, refused }) => {
    await ok(anonymous, { body: consent })
    await refused(anonymous, 422, 'Sensei name is required', {
      body: { ...consent, sensei_name: ' ' },
    })
  },
}
