import { describe, expect, test } from 'vitest'
import type { Email } from '../lib/mail.ts'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { createPlan, insertHold, insertSubscription } from '../test/plan-members.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
/** Noon in Chicago. */
const setDay = (day: string) => setClock(`${day}T18:00:00Z`)
const throwError = (error: unknown) => {
  throw error
}

/** Runs the jobs of a morning. Returns what was sent to one address. */
async function runMorning(day: string, address: string): Promise<Email[]> {
  setDay(day)
  const emails: Email[] = []
  await runDueJobs(server.db, throwError, (email) => void emails.push(email))
  return emails.filter(({ to }) => to === address)
}

async function createMember(
  today: string,
  plan: Parameters<typeof createPlan>[1] = {},
  starts_on = '2026-01-01',
) {
  setDay(today)
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei, { name: 'Ada Byron' })
  const subscribedPlan = await createPlan(sensei, { name: 'Kids', price: 96, ...plan })
  const member = { studentId: student.id, plan: subscribedPlan }
  const subscriptionId = await insertSubscription(server, sensei, member, { starts_on })
  const address = student.email ?? ''
  return {
    ...{ sensei, student, subscribedPlan, subscriptionId, address },
    addHold: (starts_on_day: string, ends_on: string | null) =>
      insertHold(server, sensei, {
        ...{ student_id: student.id, starts_on: starts_on_day, ends_on, billing: 'prorated' },
      }),
    mailOf: async (day: string) => {
      const emails = await runMorning(day, address)
      return emails.map(({ text }) => text.split('\n')[0])
    },
    staffNews: async () => {
      const { body } = await sensei.get('/notifications')
      return body.map(({ title }: { title: string }) => title)
    },
  }
}

describe('a hold', () => {
  test('that ends is told seven days before, once', async () => {
    const { addHold, mailOf } = await createMember('2026-03-01')
    await addHold('2026-03-01', '2026-03-31')
    expect(await mailOf('2026-03-23')).toEqual([])
    expect(await mailOf('2026-03-24')).toEqual([
      'The last day on hold is March 31. The next payment is $96 on April 1.',
    ])
    expect(await mailOf('2026-03-25')).toEqual([])
  })

  test('that ended while the server was off is not told', async () => {
    const { addHold, mailOf } = await createMember('2026-03-01')
    await addHold('2026-03-01', '2026-03-31')
    expect(await mailOf('2026-04-02')).toEqual([])
  })

  test('without an end is asked about every 30 days', async () => {
    const { sensei, addHold, mailOf } = await createMember('2026-03-01')
    await addHold('2026-03-01', null)
    const questionsOn = async (day: string) => {
      await mailOf(day)
      return server.db.inDojo(sensei.dojoId, async (tx) => {
        const { rows } = await tx.execute(
          "select message from notifications where title = 'Is Ada Byron still on hold?'",
        )
        return rows.length
      })
    }
    expect(await questionsOn('2026-03-31')).toBe(1)
    expect(await questionsOn('2026-04-29')).toBe(1)
    // After months without a server, there is one question.
    expect(await questionsOn('2027-05-30')).toBe(2)
  })
})

describe('a renewal', () => {
  const HALF_YEAR = { kind: 'renewing' as const, minimum_months: 6, renews_for_months: 6 }

  test('is told 30 days before, once, to the payer', async () => {
    const { mailOf } = await createMember('2026-05-01', HALF_YEAR)
    expect(await mailOf('2026-05-31')).toEqual([])
    expect(await mailOf('2026-06-01')).toEqual([
      'Ada Byron’s plan Kids renews on July 1, 2026 for 6 months. If you don’t want that, you can ' +
        'end it before then.',
    ])
    expect(await mailOf('2026-06-02')).toEqual([])
  })

  test('that nobody was told about in time does not happen', async () => {
    const { mailOf } = await createMember('2026-05-01', HALF_YEAR)
    expect(await mailOf('2026-06-20')).toEqual([])
    expect(await mailOf('2026-12-02')).toEqual([])
  })

  test('of a plan without a term is told once a year', async () => {
    const { mailOf } = await createMember('2026-05-01')
    expect(await mailOf('2026-12-02')).toEqual([
      'Ada Byron’s plan Kids continues at $96 a month. You can end it at any time on your home ' +
        'screen.',
    ])
    expect(await mailOf('2026-12-03')).toEqual([])
  })
})

describe('a new price', () => {
  test('is told at once to those who will pay it', async () => {
    const { sensei, subscribedPlan, mailOf, student } = await createMember('2026-03-20')
    const { body } = await sensei.put(`/plans/${subscribedPlan.id}`, {
      ...subscribedPlan,
      price: 99,
    })
    expect(body.made_new_version).toBe(true)
    const announce = (effective_on: string) =>
      sensei.post(`/plans/${subscribedPlan.id}/price-announcements`, { effective_on })
    expect(await announce('2026-04-18')).toMatchObject({
      status: 422,
      body: { detail: 'Members must be told 30 days before' },
    })
    expect((await announce('2026-05-01')).status).toBe(200)
    expect((await student.get('/notifications')).body).toMatchObject([
      {
        title: 'New price for Kids',
        message:
          'From the first payment on or after May 1, 2026, Ada Byron’s plan Kids costs $99 a month ' +
          'instead of $96 a month. If you ask to end it before then, you keep the old price to ' +
          'the end.',
      },
    ])
    expect(await mailOf('2026-03-21')).toEqual([])
  })
})
