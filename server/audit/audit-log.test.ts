import { describe, expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const sensei = await server.createSensei()
const leo = await server.createStudent(sensei, { name: 'Leo Adams' })
const ann = await server.createGuardian(sensei, [leo], { name: 'Ann Adams' })
type ListedEntry = {
  action: string
  actor: string | null
  actor_kind: string
  subject: string | null
  student: string | null
  student_id: string | null
}
const readLog = async (
  { get }: { get: (path: string) => Promise<{ body: ListedEntry[] }> },
  query = '',
) => (await get(`/audit-log${query}`)).body
const readLatestEntry = async (query = '') => (await readLog(sensei, query))[0]

describe('the audit log of a dojo', () => {
  test('shows who did what, with people’s current names', async () => {
    await sensei.put(`/guardians/${ann.id}/students/${leo.id}`, { pays: true })
    expect(await readLatestEntry()).toMatchObject({
      action: 'guardian rights changed',
      actor: 'Aiko Tanaka',
      actor_kind: 'instructor',
      subject: 'Ann Adams',
      student: 'Leo Adams',
      student_id: leo.id,
      details: { pays: true },
    })
    await ann.put(`/family/students/${leo.id}/log-in`, { is_allowed: true })
    expect(await readLatestEntry()).toMatchObject({
      actor: 'Ann Adams',
      actor_kind: 'guardian',
      subject: 'Leo Adams',
      student_id: leo.id,
    })
  })

  test('lists actions of a super admin without naming the super admin', async () => {
    const superAdmin = await server.signInSuperAdmin()
    const otherSensei = await server.createSensei({ first_name: 'Kenji', last_name: 'Sato' })
    await superAdmin.put(`/super-admin/sensei/${otherSensei.id}/reset-password`, {
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
    expect(JSON.stringify(body)).not.toContain(superAdmin.id)
    expect(JSON.stringify(body)).not.toContain(superAdmin.email)
  })

  test('shows no names of deleted people', async () => {
    const mia = await server.createStudent(sensei, { name: 'Mia Unforgettable' })
    await sensei.delete(`/students/${mia.id}`)
    expect(await readLatestEntry()).toMatchObject({
      action: 'student deleted',
      actor: 'Aiko Tanaka',
      subject: null,
      student_id: null,
    })
    expect(JSON.stringify(await readLog(sensei))).not.toContain('Unforgettable')
  })

  test('is filtered by kind', async () => {
    await sensei.put('/reminder-settings', { reminders_enabled: false })
    expect((await readLog(sensei, '?kind=settings')).map(({ action }) => action)).toEqual([
      'reminders switched',
    ])
    expect((await sensei.get('/audit-log?kind=gossip')).status).toBe(422)
  })

  test('is separate for each dojo, and only its staff can read it', async () => {
    const otherSensei = await server.createSensei()
    expect((await readLog(otherSensei)).map(({ action }) => action)).toEqual(['sensei activated'])
    for (const person of [leo, ann]) expect((await person.get('/audit-log')).status).toBe(403)
  })

  test('includes everyday actions, which the super admin’s log does not', async () => {
    await sensei.post('/payment-records', {
      student_id: leo.id,
      payment_month: 0,
      payment_year: 2026,
      payment_status: 'paid',
    })
    expect(await readLatestEntry('?kind=payments')).toMatchObject({
      action: 'payment marked',
      subject: 'Leo Adams',
    })
    const superAdmin = await server.signInSuperAdmin()
    const actions = (await superAdmin.get('/super-admin/audit-log')).body.map(
      ({ action }: ListedEntry) => action,
    )
    expect(actions).toContain('student deleted')
    expect(actions).not.toContain('payment marked')
  })
})
