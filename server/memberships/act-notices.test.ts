import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { startMailServer } from '../test/mail-server.ts'
import { createPlan } from '../test/plan-members.ts'
import { requireOk } from '../test/sheets.ts'
import { startTestServer } from '../test/test-server.ts'

const mailServer = await startMailServer()
const server = await startTestServer({ smtpUrl: mailServer.smtpUrl })

/** Ken is 19, and Ann pays for him. */
async function createFamily() {
  setClock('2026-03-20T18:00:00Z')
  const sensei = await server.createSensei()
  const plan = await createPlan(sensei, { name: 'Kids', price: 96, notice_days: 30 })
  const ken = await server.createStudent(sensei, {
    ...{ name: 'Ken Adams', date_of_birth: '2007-01-01', monthly_payment_amount: 0 },
  })
  const ann = await server.createGuardian(sensei, [ken], {
    students: [{ student_id: ken.id, pays: true }],
  })
  const { subscription_id } = requireOk(
    await sensei.post(`/students/${ken.id}/subscriptions`, {
      plan_id: plan.id,
      starts_on: '2026-03-20',
    }),
  )
  // After the days in which a member can still change their mind.
  setClock('2026-04-10T18:00:00Z')
  const signIn = async () => ({
    sensei: await server.signIn(sensei.email),
    ken: await server.signIn(ken.email),
    ann: await server.signIn(ann.email),
  })
  return { ...(await signIn()), plan, subscription_id, kenId: ken.id }
}
type Person = { get: (path: string) => Promise<{ body: any }>; email: string }

const readBell = async ({ get }: Person): Promise<string[]> =>
  (await get('/notifications')).body.map(({ message }: { message: string }) => message)

const bellAndMail = async (person: Person, message: string) => {
  expect(await readBell(person)).toEqual([message])
  // The mail has the apostrophes before this in another encoding.
  const end = message.slice(message.lastIndexOf('’') + 1)
  await expect
    .poll(() => mailServer.mailsTo(person.email).map((mail) => mail.includes(end)))
    .toEqual([true])
}

describe('an end', () => {
  test('that a member asked for by letter is confirmed by bell and mail, with its last sum', async () => {
    const { sensei, ken, ann, subscription_id } = await createFamily()
    const end = { asked_on: '2026-04-08', reason: 'Letter' }
    requireOk(await sensei.post(`/subscriptions/${subscription_id}/end/preview`, end))
    expect(await readBell(ann)).toEqual([])
    requireOk(await sensei.post(`/subscriptions/${subscription_id}/end`, end))
    await bellAndMail(
      ann,
      'Ken Adams’s plan Kids ends. The last day is May 8. The last payment is $24.77 on May 1.',
    )
    await bellAndMail(ken, 'Ken Adams’s plan Kids ends. The last day is May 8.')
  })

  test('that is asked for twice is confirmed once, and keeping the plan, too', async () => {
    const { ann, sensei, subscription_id } = await createFamily()
    requireOk(await ann.post(`/my/subscriptions/${subscription_id}/end`))
    requireOk(await ann.post(`/my/subscriptions/${subscription_id}/end`))
    expect(await readBell(ann)).toHaveLength(1)
    requireOk(await ann.post(`/my/subscriptions/${subscription_id}/keep`))
    requireOk(await ann.post(`/my/subscriptions/${subscription_id}/keep`))
    expect(await readBell(ann)).toEqual([
      'Ken Adams’s plan Kids continues. It no longer ends.',
      expect.stringContaining('ends'),
    ])
    const staffMessages = (await readBell(sensei)).filter((text) => text.startsWith('Ken Adams’s'))
    expect(staffMessages).toEqual([
      'Ken Adams’s plan Kids continues. It no longer ends.',
      'Ken Adams’s plan Kids ends. The last day is May 10.',
    ])
  })
})

test('an end before the day of a change names the plan that runs, whichever was chosen', async () => {
  const { sensei, ken, subscription_id, kenId } = await createFamily()
  const otherPlan = await createPlan(sensei as never, { name: 'Unlimited', price: 140 })
  const change = { plan_id: otherPlan.id, from: 'next_period' }
  requireOk(await sensei.post(`/subscriptions/${subscription_id}/change`, change))
  const { subscriptions } = requireOk(await sensei.get(`/students/${kenId}/membership`))
  const coming = subscriptions.find(({ state }: { state: string }) => state === 'coming')
  requireOk(await sensei.post(`/subscriptions/${coming.id}/end`, {}))
  expect((await readBell(ken))[0]).toBe('Ken Adams’s plan Kids ends. The last day is May 10.')
  requireOk(await sensei.post(`/subscriptions/${coming.id}/end`, {}))
  expect(await readBell(ken)).toHaveLength(2)
})

test('a change of plan is told with its sums to whoever pays', async () => {
  const { sensei, ken, ann, subscription_id } = await createFamily()
  const otherPlan = await createPlan(sensei as never, { name: 'Unlimited', price: 140 })
  requireOk(
    await sensei.post(`/subscriptions/${subscription_id}/change`, {
      plan_id: otherPlan.id,
      from: 'next_period',
    }),
  )
  const [message = ''] = await readBell(ann)
  expect(message).toContain('Ken Adams has a new plan. Unlimited starts on May 1, $140 a month.')
  expect(message).toContain('You pay $140 on May 1')
  await bellAndMail(ann, message)
  await bellAndMail(ken, 'Ken Adams has a new plan. Unlimited starts on May 1.')
})

test('a change that is undone is told to those who were told of it', async () => {
  const { sensei, ken, ann, subscription_id } = await createFamily()
  const otherPlan = await createPlan(sensei as never, { name: 'Unlimited', price: 140 })
  const path = `/subscriptions/${subscription_id}`
  const form = { plan_id: otherPlan.id, from: 'next_period' }
  const change = requireOk(await sensei.post(`${path}/change`, form))
  requireOk(await sensei.post(`/subscriptions/${change.subscription_id}/undo`))
  for (const person of [ken, ann])
    expect((await readBell(person))[0]).toBe(
      'Ken Adams’s plan Kids continues. The change to Unlimited was taken back.',
    )
})

test('a new price is told when it is announced, and not again', async () => {
  const { sensei, ann, ken, plan } = await createFamily()
  requireOk(await sensei.put(`/plans/${plan.id}`, { ...plan, price: 99 }))
  const announce = () =>
    sensei.post(`/plans/${plan.id}/price-announcements`, { effective_on: '2026-06-01' })
  requireOk(await announce())
  requireOk(await announce())
  await bellAndMail(
    ann,
    'From the first payment on or after June 1, 2026, Ken Adams’s plan Kids costs $99 a month ' +
      'instead of $96 a month. If you ask to end it before then, you keep the old price to the end.',
  )
  expect(await readBell(ken)).toEqual([])
})

test('an announced price never changes, and members hear of one that no longer comes', async () => {
  const { sensei, ann, plan } = await createFamily()
  const changePrice = async (price: number) => {
    const plans = requireOk(await sensei.get('/plans'))
    const current = plans.find(({ id }: { id: string }) => id === plan.id)
    return requireOk(await sensei.put(`/plans/${plan.id}`, { ...current, price }))
  }
  const announce = async (effective_on: string) =>
    requireOk(await sensei.post(`/plans/${plan.id}/price-announcements`, { effective_on }))
  await changePrice(110)
  await announce('2026-06-01')
  const reply = await changePrice(150)
  expect(reply).toMatchObject({
    made_new_version: true,
    plan: { price: 150, announcement: { price: 110, effective_on: '2026-06-01' } },
  })
  await changePrice(96)
  await announce('2026-07-01')
  expect(await readBell(ann)).toEqual([
    'Ken Adams’s plan Kids continues at $96 a month. An earlier notice of a new price no longer ' +
      'applies.',
    expect.stringContaining('costs $110 a month instead of $96 a month'),
  ])
})
