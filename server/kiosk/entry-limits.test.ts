import { expect, test } from 'vitest'
import { createPlan, insertPack, insertSubscription } from '../test/plan-members.ts'
import { checkIn, createKioskDojo, findCheckInPass, readRoll } from '../test/kiosk-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

async function createMember() {
  const dojo = await createKioskDojo(server)
  const student = await dojo.enroll('Ada Byron', [dojo.kids.id], { monthly_payment_amount: 0 })
  const member = { studentId: student.id }
  const checkInAndGreet = async () => {
    const pass = await findCheckInPass(dojo, 'ada')
    return (await checkIn(dojo, { passes: [pass] })).body.greetings[0]
  }
  return { dojo, member, checkInAndGreet }
}

/** Gives the student a class pack of one visit, which a class on the day before used up. */
async function useUpPack({
  dojo: { sensei, kids },
  member,
}: Awaited<ReturnType<typeof createMember>>) {
  const plan = await createPlan(sensei, { kind: 'pack', visits: 1, valid_days: 30 })
  await insertPack(server, sensei, { ...member, plan }, '2026-02-20')
  await sensei.post('/attendance', {
    student_id: member.studentId,
    class_id: kids.id,
    class_date: '2026-03-01',
    present: true,
  })
}

test('says how many visits are left after the check-in', async () => {
  const { dojo, member, checkInAndGreet } = await createMember()
  const plan = await createPlan(dojo.sensei, { kind: 'pack', visits: 10, valid_days: 30 })
  await insertPack(server, dojo.sensei, { ...member, plan }, '2026-03-01')
  expect(await checkInAndGreet()).toMatchObject({
    entry_words: '9 visits left',
    sees_instructor: false,
  })
  expect(await checkInAndGreet()).toMatchObject({ entry_words: '9 visits left', was_here: true })
})

test('shows no visits to students without a plan or without an entry limit', async () => {
  const { dojo, member, checkInAndGreet } = await createMember()
  expect(await checkInAndGreet()).toMatchObject({ entry_words: null, sees_instructor: false })
  await insertSubscription(server, dojo.sensei, { ...member, plan: await createPlan(dojo.sensei) })
  expect(await checkInAndGreet()).toMatchObject({ entry_words: null })
})

test('checks in a student over the limit by default', async () => {
  const member = await createMember()
  const { dojo, checkInAndGreet } = member
  await useUpPack(member)
  expect(await checkInAndGreet()).toMatchObject({
    entry_words: 'No visits left',
    sees_instructor: false,
  })
  expect(await readRoll(dojo)).toEqual(['Ada Byron, Kids'])
})

test('sends a student over the limit to the instructor if the school chooses so', async () => {
  const member = await createMember()
  const { dojo, checkInAndGreet } = member
  await useUpPack(member)
  const rules = (await dojo.sensei.get('/plan-rules')).body
  await dojo.sensei.put('/plan-rules', { ...rules, kiosk_stops_over_limit: true })
  expect(await checkInAndGreet()).toMatchObject({ sees_instructor: true, was_here: false })
  expect(await readRoll(dojo)).toEqual([])
  await dojo.enroll('Bob Byron')
  const passes = [await findCheckInPass(dojo, 'ada'), await findCheckInPass(dojo, 'bob')]
  const { greetings } = (await checkIn(dojo, { passes })).body
  expect(greetings).toMatchObject([{ sees_instructor: true }, { sees_instructor: false }])
  expect(await readRoll(dojo)).toEqual(['Bob Byron, Kids'])
})

test('counts an offline check-in of a student over the limit', async () => {
  const member = await createMember()
  const { dojo } = member
  await useUpPack(member)
  const rules = (await dojo.sensei.get('/plan-rules')).body
  await dojo.sensei.put('/plan-rules', { ...rules, kiosk_stops_over_limit: true })
  const pass = await findCheckInPass(dojo, 'ada')
  await checkIn(dojo, { passes: [pass], came_at: '2026-03-02T22:05:00Z' })
  expect(await readRoll(dojo)).toEqual(['Ada Byron, Kids'])
})
