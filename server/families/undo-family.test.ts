import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { uniqueEmail } from '../test/fixtures.ts'
import {
  acceptInvitation,
  MOTHER,
  createSiblings,
  readEmailsByName,
  familyForm,
} from '../test/siblings.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const setUpDojo = () => createSiblings(server)

describe('undoing a family', () => {
  test('gives logins back with their current passwords, and restores the payer', async () => {
    const dojo = await setUpDojo()
    const { sensei, leo, mia, ana } = dojo
    const ben = await server.createGuardian(sensei, [leo], {
      students: [{ student_id: leo.id, pays: true }],
    })
    const originalEmails = await readEmailsByName(dojo)
    const { guardian, change } = (await sensei.post('/families', familyForm(dojo))).body
    expect((await mia.get('/profile')).status).toBe(401)
    await leo.put('/profile/password', { current_password: 'Kiai2026!', new_password: 'another-1' })
    expect((await sensei.get('/families/changes')).body).toMatchObject([
      { id: change.id, guardian_name: 'Ann Adams', is_new_guardian: true },
    ])
    expect((await sensei.post(`/families/changes/${change.id}/undo`)).status).toBe(200)
    expect(await readEmailsByName(dojo)).toEqual(originalEmails)
    expect((await leo.get('/profile')).body).toMatchObject({
      id: leo.id,
      name: 'Leo Adams',
      is_guardian: false,
      belt_level: 'white',
    })
    expect((await server.signIn(leo.email, 'another-1')).id).toBe(leo.id)
    expect((await server.signIn(mia.email)).id).toBe(mia.id)
    expect((await ana.get('/profile')).status).toBe(200)
    const { guardians, families } = (await sensei.get('/families')).body
    expect(guardians.map(({ id }: { id: string }) => id)).toEqual([ben.id])
    expect(families).toEqual([{ payer_id: ben.id, student_ids: [leo.id] }])
    expect((await sensei.post(`/families/changes/${change.id}/undo`)).status).toBe(404)
    expect((await leo.get('/family/home')).body.children).toEqual([])
    expect(JSON.stringify((await sensei.get('/students')).body)).not.toContain(guardian.id)
  })

  test('keeps an existing guardian with their earlier rights', async () => {
    const dojo = await setUpDojo()
    const { sensei, leo, mia } = dojo
    const ann = await server.createGuardian(sensei, [leo], {
      students: [{ student_id: leo.id, gets_texts: false }],
    })
    const students = [leo, mia].map(({ id }) => ({ student_id: id, log_in: 'close' }))
    const { change } = (await sensei.post('/families', { guardian_id: ann.id, students })).body
    // Ann has logged in before, so Leo’s login closes immediately.
    expect((await leo.get('/profile')).status).toBe(401)
    await sensei.post(`/families/changes/${change.id}/undo`)
    const [guardian] = (await sensei.get('/families')).body.guardians
    expect(guardian.students).toMatchObject([
      { student_id: leo.id, gets_texts: false, pays: false },
    ])
    expect((await server.signIn(leo.email)).id).toBe(leo.id)
    const secondResponse = await sensei.post(`/families/changes/${change.id}/undo`)
    expect([secondResponse.status, secondResponse.body.detail]).toEqual([
      409,
      'This has already been undone',
    ])
  })

  test('keeps everything that was changed after the family was made', async () => {
    const dojo = await setUpDojo()
    const { sensei, leo, mia, ana } = dojo
    const linkWithoutTexts = (id: string) => ({ student_id: id, gets_texts: false })
    const ben = await server.createGuardian(sensei, [], {
      name: 'Ben Adams',
      students: [{ student_id: ana.id, pays: true }],
    })
    const ann = await server.createGuardian(sensei, [], {
      students: [{ ...linkWithoutTexts(leo.id), pays: true }, linkWithoutTexts(mia.id)],
    })
    const { body } = await sensei.post('/families', {
      guardian_id: ann.id,
      gets_texts: true,
      students: [leo, mia, ana].map(({ id }) => ({ student_id: id })),
    })
    // Then the school hides Mia from Ann, and Leo and Ana get new payers.
    await sensei.put(`/guardians/${ann.id}/students/${mia.id}`, {
      sees: false,
      sees_fees: false,
      gets_texts: false,
    })
    await sensei.put(`/guardians/${ben.id}/students/${leo.id}`, { pays: true })
    const cy = await server.createGuardian(sensei, [], {
      name: 'Cy Adams',
      students: [{ student_id: ana.id, pays: true }],
    })
    expect((await sensei.post(`/families/changes/${body.change.id}/undo`)).status).toBe(200)
    const { guardians, families } = (await sensei.get('/families')).body
    expect(guardians[0].students).toMatchObject([
      { student_id: leo.id, pays: false, gets_texts: false },
      { student_id: mia.id, sees: false, sees_fees: false, gets_texts: false, pays: false },
    ])
    expect(families).toEqual([
      { payer_id: ben.id, student_ids: [leo.id] },
      { payer_id: cy.id, student_ids: [ana.id] },
    ])
  })

  test('restores no rights over a student who has turned 18', async () => {
    setClock('2027-05-01T12:00:00Z')
    const { sensei, leo } = await setUpDojo()
    await sensei.put(`/students/${leo.id}`, { ...leo, date_of_birth: '2009-05-03' })
    const ann = await server.createGuardian(sensei, [leo])
    const { body } = await sensei.post('/families', {
      guardian_id: ann.id,
      gets_texts: false,
      students: [{ student_id: leo.id }],
    })
    setClock('2027-05-03T12:00:00Z')
    await runDueJobs(server.db, (error) => {
      throw error
    })
    expect((await sensei.post(`/families/changes/${body.change.id}/undo`)).status).toBe(200)
    const [guardian] = (await sensei.get('/families')).body.guardians
    expect(guardian.students).toMatchObject([
      { sees: false, sees_fees: false, gets_texts: false, pays: false },
    ])
  })

  test('leaves the login with the guardian if the student has a new login', async () => {
    const dojo = await setUpDojo()
    const { sensei, leo, mia } = dojo
    await sensei.put(`/students/${leo.id}`, { ...leo, date_of_birth: '2011-03-01' })
    const email = uniqueEmail('leo')
    const { change } = (await sensei.post('/families', familyForm(dojo))).body
    await acceptInvitation(server, dojo, `/students/${leo.id}/log-in-invitation`, { email })
    expect((await sensei.post(`/families/changes/${change.id}/undo`)).status).toBe(200)
    expect(await readEmailsByName(dojo)).toMatchObject({
      'Leo Adams': email,
      'Mia Adams': mia.email,
    })
    expect((await server.signIn(email, 'eight8-8')).id).toBe(leo.id)
    expect((await leo.get('/profile')).status).toBe(401)
  })

  test('restores the guardian’s email, and reopens logins closed by another family', async () => {
    const dojo = await setUpDojo()
    const { sensei, leo, mia, ana } = dojo
    const email = uniqueEmail('ann')
    const { id } = (await sensei.post('/guardians', { ...MOTHER, email })).body.guardian
    /** Returns the id of the family change. */
    const makeFamily = async (student_id: string, log_in: string) =>
      (await sensei.post('/families', { guardian_id: id, students: [{ student_id, log_in }] })).body
        .change.id
    const firstChangeId = await makeFamily(leo.id, 'move')
    await makeFamily(leo.id, 'keep')
    await makeFamily(mia.id, 'close')
    await makeFamily(ana.id, 'keep')
    expect((await mia.get('/profile')).status).toBe(401)
    expect((await sensei.post(`/families/changes/${firstChangeId}/undo`)).status).toBe(200)
    expect((await server.signIn(mia.email)).id).toBe(mia.id)
    expect((await sensei.get('/families')).body.guardians).toMatchObject([
      { id, email, has_log_in: false },
    ])
  })

  test('reopens a login that another family closed for the same guardian', async () => {
    const { sensei, leo, mia } = await setUpDojo()
    const ann = await server.createGuardian(sensei, [leo])
    const makeFamilyWith = async (log_in: string) => {
      const { body } = await sensei.post('/families', {
        guardian_id: ann.id,
        students: [{ student_id: mia.id, log_in }],
      })
      return body.change.id
    }
    const firstChangeId = await makeFamilyWith('keep')
    await makeFamilyWith('close')
    expect((await mia.get('/profile')).status).toBe(401)
    await sensei.post(`/families/changes/${firstChangeId}/undo`)
    expect((await server.signIn(mia.email)).id).toBe(mia.id)
  })

  test('skips students who were deleted in the meantime', async () => {
    const dojo = await setUpDojo()
    const { sensei, leo, mia } = dojo
    const { change } = (await sensei.post('/families', familyForm(dojo))).body
    await sensei.delete(`/students/${leo.id}`)
    expect((await sensei.post(`/families/changes/${change.id}/undo`)).status).toBe(200)
    expect(Object.keys(await readEmailsByName(dojo))).toEqual(['Ana Adams', 'Mia Adams'])
    expect((await server.signIn(mia.email)).id).toBe(mia.id)
  })

  test('is possible for 7 days, after which closed logins are deleted', async () => {
    setClock('2027-05-01T12:00:00Z')
    const dojo = await setUpDojo()
    const { sensei, mia } = dojo
    const { change } = (await sensei.post('/families', familyForm(dojo))).body
    setClock('2027-05-08T11:59:00Z')
    expect((await sensei.get('/families/changes')).body).toHaveLength(1)
    await runDueJobs(server.db, (error) => {
      throw error
    })
    expect(await readEmailsByName(dojo)).toMatchObject({ 'Mia Adams': mia.email })
    setClock('2027-05-09T12:00:00Z')
    const lateReply = await sensei.post(`/families/changes/${change.id}/undo`)
    expect([lateReply.status, lateReply.body.detail]).toEqual([
      409,
      'Families can only be undone for 7 days',
    ])
    expect((await sensei.get('/families/changes')).body).toEqual([])
    await runDueJobs(server.db, (error) => {
      throw error
    })
    expect(await readEmailsByName(dojo)).toMatchObject({ 'Mia Adams': null, 'Leo Adams': null })
    const { rows } = await server.db.withoutDojo((tx) =>
      tx.execute(sql`select 1 from accounts where id = ${mia.id}`),
    )
    expect(rows).toEqual([])
  })
})
