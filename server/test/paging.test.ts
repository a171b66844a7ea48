import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
const sensei = await server.createSensei()
const { id: class_id } = await server.createClass(sensei)
const student = await server.createStudent(sensei, { enrolled_classes: [class_id] })
const superAdmin = await server.signInSuperAdmin()
// The marks are not in the order of their days, and some days have marks in two classes.
const otherClass = await server.createClass(sensei)
for (const [index, day] of [
  '2026-01-07',
  '2026-01-02',
  '2026-01-09',
  '2026-01-02',
  '2025-12-31',
  '2026-01-08',
  '2026-01-09',
].entries()) {
  await sensei.post('/attendance', {
    student_id: student.id,
    class_id: index < 3 ? class_id : otherClass.id,
    class_date: day,
    present: true,
  })
  await sensei.post('/notifications/send', {
    title: `News ${index}`,
    message: 'Read all about it.',
  })
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: index + 1 })
  const { body: act } = await sensei.post('/payments', {
    student_id: student.id,
    amount: index + 1,
  })
  await sensei.post('/receipts', { act_id: act.act_id })
}

type Caller = { get: (path: string) => Promise<{ body: { id: string }[] }> }
const LISTS: [path: string, caller: Caller][] = [
  ['/attendance', sensei],
  ['/attendance', student],
  ['/notifications', student],
  ['/announcements', student],
  ['/super-admin/audit-log', superAdmin],
  ['/audit-log', sensei],
  ['/receipts', sensei],
]

test.each(LISTS)(
  'the pages of %s add up to the whole list for every page size',
  async (path, caller) => {
    const allIds = (await caller.get(path)).body.map(({ id }) => id)
    expect(allIds.length).toBeGreaterThan(5)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: allIds.length + 2 }), async (limit) => {
        const pageIds: string[] = []
        for (
          let page = await caller.get(`${path}?limit=${limit}`);
          page.body.length > 0;
          page = await caller.get(`${path}?limit=${limit}&before=${pageIds.at(-1)}`)
        ) {
          expect(page.body.length).toBeLessThanOrEqual(limit)
          pageIds.push(...page.body.map(({ id }) => id))
        }
        expect(pageIds).toEqual(allIds)
      }),
      { numRuns: 10 },
    )
  },
)
