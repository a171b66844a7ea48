import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import {
  bookingPathIn,
  MONDAY,
  MONDAY_MORNING,
  startServerWithTrials,
  WEDNESDAY,
} from '../test/trial-dojo.ts'

const { createDojo, open, book, mailsTo } = await startServerWithTrials()

const listTrials = async (sensei: Awaited<ReturnType<typeof createDojo>>['sensei']) =>
  (await sensei.get(`/trials?from=${MONDAY}&until=2027-03-31`)).body

test('three pages lead from the class to the day to the form, and to a booking', async () => {
  setClock(MONDAY_MORNING)
  const dojo = await createDojo({ offer: { min_age: 5, max_age: 12 } })
  const classPage = await open(`/d/${dojo.slug}/trial`)
  expect(classPage.html).toContain('Ages 5–12')
  expect(classPage.html).toContain(`class=${dojo.class_id}`)
  const dayPage = await open(`/d/${dojo.slug}/trial?class=${dojo.class_id}`)
  expect(dayPage.html).toContain('Monday, March 1')
  expect(dayPage.html).toContain('Places free')
  const { status, headers } = await book(dojo, WEDNESDAY)
  expect(status).toBe(303)
  const bookedPage = await open(String(headers.location))
  expect(bookedPage.html).toContain('You are booked')
  expect(bookedPage.html).toContain('See you on Wednesday, March 3, 4:00 PM - 5:00 PM!')
  expect(await listTrials(dojo.sensei)).toMatchObject([
    {
      visitor_name: 'Leo',
      visitor_age: 8,
      contact_name: 'Ana Ruiz',
      state: 'booked',
      nth_visit: 1,
    },
  ])
  const [mail = ''] = await mailsTo('ana@home.org')
  expect(mail).toContain('Leo is booked for a trial')
  expect(bookingPathIn(mail)).toMatch(/^\/b\//)
})
