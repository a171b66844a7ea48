import { describe, expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const sensei = await server.createSensei()
const leo = await server.createStudent(sensei, { name: 'Leo Adams' })
const ann = await server.createGuardian(sensei, [leo], { name: 'Ann Adams' })
type Line = {
  action: string
  actor: string | null
  actor_kind: string
  subject: string | null
  student: string | null
  student_id: string | null
}
const logOf = async ({ get }: { get: (path: string) => Promise<{ body: Line[] }> }, query = '') =>
  (await get(`/audit-log${query}`)).body
const latest = async (query = '') => (await logOf(sensei, query))[0]

describe('the audit log of a dojo', () => {
  test('says who did what to whom, by the names of today', async () => {
    await sensei.put(`/guardians/${ann.id}/students/${leo.id}`, { pays: true })
    expect(await latest()).toMatchObject({
      action: 'guardian rights changed',
      actor: 'Aiko Tanaka',
      actor_kind: 'instructor',
      subject: 'Ann Adams',
      student: 'Leo Adams',
      student_id: leo.id,
      details: { pays: true },
    })
    await ann.put(`/family/students/${leo.id}/log-in`, { is_allowed: true })
    expect(await latest()).toMatchObject({
      actor: 'Ann Adams',
      actor_kind: 'guardian',
      subject: 'Leo Adams',
      student_id: leo.id,
    })
  })

  test('tells of a super admin without saying who that is', async () => {
    const boss = await server.signInSuperAdmin()
    const otherSensei = await server.createSensei({ first_name: 'Kenji', last_name: 'Sato' })
    await boss.put(`/super-admin/sensei/${otherSensei.id}/reset-password`, {
      new_password: 'Another-one-2',
    })
    const { get, put } = await server.signIn(otherSensei.email, 'Another-one-2')
    await put('/profile/own-password', { new_password: 'Of-my-own-3' })
    const { body } = await get('/audit-log?kind=log_ins')
    expect(body[1]).toMatchObject({
      action: 'sensei password reset',
      actor: null,
      actor_kind: 'admin',
      subject: 'Kenji Sato',
    })
    expect(JSON.stringify(body)).not.toContain(boss.id)
    expect(JSON.stringify(body)).not.toContain(boss.email)
  })

  test('names nobody who has been deleted', async () => {
    const mia = await server.createStudent(sensei, { name: 'Mia Unforgettable' })
    await sensei.delete(`/students/${mia.id}`)
    expect(await latest()).toMatchObject({
      action: 'student deleted',
      actor: 'Aiko Tanaka',
      subject: null,
      student_id: null,
    })
    expect(JSON.stringify(await logOf(sensei))).not.toContain('Unforgettable')
  })

  test('is filtered by kind', async () => {
    await sensei.put('/reminder-settings', { reminders_enabled: false })
    expect((await logOf(sensei, '?kind=settings')).map(({ action }) => action)).toEqual([
      'reminders switched',
    ])
    expect((await sensei.get('/audit-log?kind=gossip')).status).toBe(422)
  })

  test('is each dojo’s own, and only its instructors read it', async () => {
    const otherSensei = await server.createSensei()
    expect((await logOf(otherSensei)).map(({ action }) => action)).toEqual(['sensei activated'])
    for (const asker of [leo, ann]) expect((await asker.get('/audit-log')).status).toBe(403)
  })

  test('holds a dojo’s everyday work, of which the super admin’s list has none', async () => {
    await sensei.post('/payment-records', {
      student_id: leo.id,
      payment_month: 0,
      payment_year: 2026,
      payment_status: 'paid',
    })
    expect(await latest('?kind=payments')).toMatchObject({
      action: 'payment marked',
      subject: 'Leo Adams',
    })
    const boss = await server.signInSuperAdmin()
    const actions = (await boss.get('/super-admin/audit-log')).body.map(
      ({ action }: Line) => action,
    )
    expect(actions).toContain('student deleted')
    expect(actions).not.toContain('payment marked')
  })
})
