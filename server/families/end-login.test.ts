import { expect, test } from 'vitest'
import { createSiblings } from '../test/siblings.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

test('ends a student’s login, and keeps the student', async () => {
  const { sensei, mia } = await createSiblings(server)
  const endLogin = () => sensei.delete(`/students/${mia.id}/log-in`)
  const initialPage = (await sensei.get(`/students/${mia.id}`)).body
  expect((await mia.get('/profile')).status).toBe(200)
  expect((await endLogin()).body).toEqual({ success: true })
  expect((await mia.get('/profile')).status).toBe(401)
  const currentPage = (await sensei.get(`/students/${mia.id}`)).body
  expect(currentPage).toEqual({
    ...initialPage,
    student: { ...initialPage.student, email: null },
  })
  expect(await endLogin()).toMatchObject({
    status: 409,
    body: { detail: 'This student has no login' },
  })
  // The email is free for a new login.
  const invitation = await sensei.post(`/students/${mia.id}/log-in-invitation`, {
    email: mia.email,
  })
  expect(invitation.status).toBe(200)
})

test('keeps a student who is also a guardian as a guardian', async () => {
  const { sensei, mia, ana } = await createSiblings(server)
  const guardian = { account_id: mia.id, students: [{ student_id: ana.id }] }
  const guardianResponse = await sensei.post('/guardians', guardian)
  expect([guardianResponse.status, guardianResponse.body.guardian]).toMatchObject([
    200,
    { id: mia.id },
  ])
  expect((await sensei.delete(`/students/${mia.id}/log-in`)).status).toBe(200)
  const { guardians } = (await sensei.get('/families')).body
  expect(guardians).toMatchObject([{ id: mia.id, students: [{ student_id: ana.id }] }])
})

test('returns 404 for a student of another dojo', async () => {
  const { mia } = await createSiblings(server)
  const otherSensei = await server.createSensei()
  expect((await otherSensei.delete(`/students/${mia.id}/log-in`)).status).toBe(404)
  expect((await mia.get('/profile')).status).toBe(200)
})
