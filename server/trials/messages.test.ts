import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import {
  bookingPathIn,
  MONDAY,
  MONDAY_MORNING,
  startServerWithTrials,
  WEDNESDAY,
} from '../test/trial-dojo.ts'

const { server, createDojo, open, post, book, mailsTo, runSchedule } = await startServerWithTrials()

type Dojo = Awaited<ReturnType<typeof createDojo>>

const NEXT_MONDAY = '2027-03-08'
let visitorCount = 0
/** Each test has a visitor of its own, because the mail server is shared. */
const newEmail = () => {
  visitorCount += 1
  return `parent${visitorCount}@home.org`
}

const listTrials = async ({ sensei }: Dojo) =>
  (await sensei.get(`/trials?from=${MONDAY}&until=2027-03-31`)).body

async function bookAndOpen(dojo: Dojo, day: string) {
  const email = newEmail()
  await book(dojo, day, { email })
  const [mail = ''] = await mailsTo(email)
  return { email, mail, path: bookingPathIn(mail) }
}

describe('the confirmation', () => {
  test('has the time with its zone, the place, what to bring, a link and a calendar event', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo({ offer: { confirmation: 'Ask for Aiko at the desk.' } })
    const { mail } = await bookAndOpen(dojo, WEDNESDAY)
    for (const text of [
      'Leo is booked for a trial:',
      'Wednesday, March 3, 4:00 PM - 5:00 PM (Central Standard Time)',
      '12 Main Street',
      'What to bring: Water and a T-shirt',
      'Ask for Aiko at the desk.',
      'Questions? Call 512 555 0100',
      'class.ics',
    ])
      expect(mail.replaceAll(/\s+/g, ' ')).toContain(text)
  })

  test('is in the language of the page on which somebody booked', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const email = newEmail()
    const path = `/d/${dojo.slug}/trial?class=${dojo.class_id}&day=${WEDNESDAY}`
    const { html } = await open(path, { 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' })
    expect(html).toContain('<html lang="es">')
    expect(html).toContain('Nombre de su hijo o hija')
    await book(dojo, WEDNESDAY, { email }, undefined, 'es')
    const [mail = ''] = await mailsTo(email)
    expect(mail).toContain('Hola Ana Ruiz')
  })
})

describe('a text', () => {
  const readTexts = ({ sensei }: Dojo) =>
    server.db.inDojo(sensei.dojoId, async (tx) => {
      const { rows } = await tx.execute<{ phone: string; text: string }>(
        'select phone, text from messages order by id',
      )
      return rows
    })

  test('goes only to visitors who ticked the box for it, with the link', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const contact = { email: '', phone: '512 555 0177' }
    await book(dojo, WEDNESDAY, { ...contact, visitor: 'Mia' })
    expect(await readTexts(dojo)).toEqual([])
    await book(dojo, WEDNESDAY, { ...contact, accepts_texts: 'yes' })
    const [text] = await readTexts(dojo)
    expect(text?.phone).toBe('+15125550177')
    expect(text?.text).toContain('Leo is booked for a trial: Kids Judo, Wednesday, March 3')
    expect((await open(bookingPathIn(text?.text ?? ''))).html).toContain('Leo is booked.')
  })

  test('is never sent after STOP, and a canceled class is not texted about at night', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const { sensei, class_id } = dojo
    const contact = { email: '', phone: '512 555 0178', accepts_texts: 'yes' }
    await book(dojo, WEDNESDAY, contact)
    await sensei.put('/class-dates/cancelled', { class_id, day: WEDNESDAY, reason: 'Weather' })
    await runSchedule('2027-03-02T04:00:00Z', '')
    expect(await readTexts(dojo)).toHaveLength(1)
    setClock('2027-03-02T15:00:00Z')
    await sensei.post('/sms/simulated/incoming', { phone_number: '512 555 0178', text: 'STOP' })
    await book(dojo, NEXT_MONDAY, contact)
    const texts = await readTexts(dojo)
    expect(texts.filter(({ text }) => text.includes('/b/'))).toHaveLength(1)
  })
})

describe('the link in the email', () => {
  test('shows the trial and moves it to another day, whose place it takes', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const { email, path } = await bookAndOpen(dojo, WEDNESDAY)
    expect((await open(path)).html).toContain('Leo is booked.')
    const choice = await open(`${path}?move=1`)
    expect(choice.html).toContain(`value="${dojo.class_id} ${NEXT_MONDAY}"`)
    const target = { action: 'move', date: `${dojo.class_id} ${NEXT_MONDAY}` }
    const answers = await Promise.all([post(path, target), post(path, target)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await listTrials(dojo)).toMatchObject([{ day: NEXT_MONDAY, state: 'booked' }])
    const mails = await mailsTo(email, 2)
    expect(mails[1]).toContain('Monday, March 8')
    expect((await open(path)).html).toContain('Monday, March 8')
  })

  test('asks once before it cancels, on a page of its own', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const { path } = await bookAndOpen(dojo, WEDNESDAY)
    const { html } = await open(path)
    expect(html).toContain('<a href="?cancel=1">Cancel this trial</a>')
    expect(html).not.toContain('value="cancel"')
    const question = (await open(`${path}?cancel=1`)).html
    expect(question).toContain('<h2>Cancel this trial?</h2>')
    expect(question).toContain('<button>Yes, cancel</button>')
    expect(question).toContain('<a href="?">No, keep it</a>')
    expect(await listTrials(dojo)).toMatchObject([{ state: 'booked' }])
    expect((await post(`${path}?cancel=1`, { action: 'cancel' })).status).toBe(200)
    expect((await open(`${path}?cancel=1`)).html).toContain('This trial is canceled.')
  })

  test('cancels the trial, and then offers a new day', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const { path } = await bookAndOpen(dojo, WEDNESDAY)
    const { html } = await post(path, { action: 'cancel' })
    expect(html).toContain('This trial is canceled.')
    expect(html).toContain('Choose a new day')
    expect(await listTrials(dojo)).toEqual([])
    await post(path, { action: 'move', date: `${dojo.class_id} ${NEXT_MONDAY}` })
    expect(await listTrials(dojo)).toMatchObject([{ day: NEXT_MONDAY, state: 'booked' }])
    expect((await open(path)).html).toContain('Leo is booked.')
  })

  test('says to call once it is too late', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo({ offer: { cutoff_minutes: 120 } })
    const { path } = await bookAndOpen(dojo, WEDNESDAY)
    setClock('2027-03-03T20:00:00Z')
    expect((await open(path)).html).toContain('Cancel this trial')
    setClock('2027-03-03T20:01:00Z')
    const { html } = await open(path)
    expect(html).toContain('It is too late to change this here. Please call the school.')
    expect(html).not.toContain('Cancel this trial')
    expect((await post(path, { action: 'cancel' })).status).toBe(409)
    const target = { action: 'move', date: `${dojo.class_id} ${NEXT_MONDAY}` }
    expect((await post(path, target)).status).toBe(409)
    expect(await listTrials(dojo)).toMatchObject([{ day: WEDNESDAY, state: 'booked' }])
  })

  test('takes no place of a full date', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo({ offer: { trial_places: 1 } })
    const { path } = await bookAndOpen(dojo, WEDNESDAY)
    await bookAndOpen(dojo, NEXT_MONDAY)
    const target = { action: 'move', date: `${dojo.class_id} ${NEXT_MONDAY}` }
    const { status, html } = await post(path, target)
    expect(status).toBe(409)
    expect(html).toContain('The last place has just been taken.')
    expect(html).not.toContain(`value="${dojo.class_id} ${NEXT_MONDAY}"`)
  })

  test('leads nowhere with another token', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const { path } = await bookAndOpen(dojo, WEDNESDAY)
    const lastLetter = path.endsWith('A') ? 'B' : 'A'
    for (const wrongPath of [`${path.slice(0, -1)}${lastLetter}`, '/b/x', `/b/${'A'.repeat(43)}`])
      expect((await open(wrongPath)).status).toBe(404)
  })

  test('works after the school has turned its page off', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const { path } = await bookAndOpen(dojo, WEDNESDAY)
    await dojo.sensei.put('/public-page', { ...dojo.page, is_on: false })
    expect((await open(path)).status).toBe(200)
    expect((await post(path, { action: 'cancel' })).status).toBe(200)
    expect(await listTrials(dojo)).toEqual([])
  })

  test('a visitor cannot be marked before the day of the class', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    await bookAndOpen(dojo, WEDNESDAY)
    const [{ id }] = await listTrials(dojo)
    const reply = await dojo.sensei.put(`/trials/${id}/mark`, { state: 'came' })
    expect([reply.status, reply.body.detail]).toEqual([
      409,
      'You can mark visitors on the day of the class',
    ])
  })
})

describe('when the school changes the class', () => {
  test('a moved class takes the trial along, and the visitor is told once', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const { email } = await bookAndOpen(dojo, WEDNESDAY)
    const { class_id } = dojo
    await dojo.sensei.put('/class-dates/moved', { class_id, day: WEDNESDAY, to_day: '2027-03-04' })
    expect(await listTrials(dojo)).toMatchObject([{ day: '2027-03-04' }])
    const [message, ...otherMessages] = await runSchedule('2027-03-01T15:01:00Z', email)
    expect(message?.text).toContain('The class that Leo is booked for has moved. It is now:')
    expect(message?.text).toContain('Thursday, March 4')
    expect([otherMessages, await runSchedule('2027-03-01T15:02:00Z', email)]).toEqual([[], []])
  })

  test.each(['date', 'holiday', 'class'])(
    'a canceled %s cancels the trial and offers three next dates',
    async (kind) => {
      setClock(MONDAY_MORNING)
      const dojo = await createDojo({ offer: { days_ahead: 30 } })
      const { class_id, sensei } = dojo
      const { email, path } = await bookAndOpen(dojo, WEDNESDAY)
      if (kind === 'date')
        await sensei.put('/class-dates/cancelled', { class_id, day: WEDNESDAY, reason: 'Weather' })
      if (kind === 'holiday')
        await sensei.post('/holidays', { name: 'Break', first_day: WEDNESDAY, last_day: WEDNESDAY })
      if (kind === 'class') await sensei.delete(`/classes/${class_id}`)
      const [message] = await runSchedule('2027-03-01T15:01:00Z', email)
      expect(message?.text).toContain('The trial of Leo is canceled:')
      expect(await listTrials(dojo)).toEqual([])
      const nextDates = message?.text.match(/Kids Judo: /g) ?? []
      expect(nextDates).toHaveLength(kind === 'class' ? 0 : 3)
      expect((await open(path)).status).toBe(200)
    },
  )

  test('a class that is canceled and restored within a minute says nothing', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const { email } = await bookAndOpen(dojo, WEDNESDAY)
    const { class_id, sensei } = dojo
    await sensei.put('/class-dates/cancelled', { class_id, day: WEDNESDAY, reason: 'Weather' })
    await sensei.delete(`/class-dates/cancelled?class_id=${class_id}&day=${WEDNESDAY}`)
    expect(await runSchedule('2027-03-01T15:01:00Z', email)).toEqual([])
    expect(await listTrials(dojo)).toMatchObject([{ state: 'booked' }])
  })

  test('instructors are asked to call a visitor whom no message reaches', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    await book(dojo, WEDNESDAY, { email: '', phone: '512 555 0177' })
    const { class_id, sensei } = dojo
    await sensei.put('/class-dates/cancelled', { class_id, day: WEDNESDAY, reason: 'Weather' })
    await runSchedule('2027-03-01T15:01:00Z', '')
    const { body } = await sensei.get('/notifications')
    expect(body.map(({ title }: { title: string }) => title)).toContain(
      'Trial canceled: please call',
    )
  })
})

describe('the reminder', () => {
  test('comes once, in the afternoon before, and never after 8 PM', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const { email } = await bookAndOpen(dojo, WEDNESDAY)
    expect(await runSchedule('2027-03-02T22:59:00Z', email)).toEqual([])
    const [reminder] = await runSchedule('2027-03-02T23:00:00Z', email)
    expect(reminder?.subject).toContain('Tomorrow: your trial at ')
    expect(await runSchedule('2027-03-02T23:05:00Z', email)).toEqual([])
    const lateDojo = await createDojo()
    setClock(MONDAY_MORNING)
    const late = await bookAndOpen(lateDojo, '2027-03-10')
    expect(await runSchedule('2027-03-10T02:00:00Z', late.email)).toEqual([])
  })

  test('is left out if the trial was booked within a day, or if the school does not want it', async () => {
    setClock('2027-03-02T22:30:00Z')
    const dojo = await createDojo()
    const { email } = await bookAndOpen(dojo, WEDNESDAY)
    setClock(MONDAY_MORNING)
    const silentDojo = await createDojo({ offer: { sends_reminders: false } })
    const silent = await bookAndOpen(silentDojo, WEDNESDAY)
    expect(await runSchedule('2027-03-02T23:00:00Z', email)).toEqual([])
    setClock('2027-03-02T23:01:00Z')
    expect(await runSchedule('2027-03-02T23:01:00Z', silent.email)).toEqual([])
  })
})

describe('a missed trial', () => {
  test('is missed two hours after the class, and written about once the next morning', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const { email } = await bookAndOpen(dojo, WEDNESDAY)
    await runSchedule('2027-03-04T00:59:00Z', email)
    expect(await listTrials(dojo)).toMatchObject([{ state: 'booked' }])
    await runSchedule('2027-03-04T01:01:00Z', email)
    expect(await listTrials(dojo)).toMatchObject([{ state: 'missed' }])
    expect(await runSchedule('2027-03-04T14:59:00Z', email)).toEqual([])
    const [message] = await runSchedule('2027-03-04T15:00:00Z', email)
    expect(message?.text).toContain('We missed Leo in class.')
    const path = bookingPathIn(message?.text ?? '')
    await post(path, { action: 'move', date: `${dojo.class_id} ${NEXT_MONDAY}` })
    expect(await listTrials(dojo)).toMatchObject([
      { day: WEDNESDAY, state: 'missed' },
      { day: NEXT_MONDAY, state: 'booked' },
    ])
    await runSchedule('2027-03-09T01:01:00Z', email)
    expect(await runSchedule('2027-03-09T15:00:00Z', email)).toEqual([])
  })

  test('is not written about if the visitor came, or if the school does not want it', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const { email } = await bookAndOpen(dojo, WEDNESDAY)
    const silentDojo = await createDojo({ offer: { writes_when_missed: false } })
    const silent = await bookAndOpen(silentDojo, WEDNESDAY)
    setClock(`${WEDNESDAY}T23:30:00Z`)
    const [trial] = await listTrials(dojo)
    expect((await dojo.sensei.put(`/trials/${trial.id}/mark`, { state: 'came' })).status).toBe(200)
    await runSchedule('2027-03-04T01:01:00Z', email)
    expect(await runSchedule('2027-03-04T15:00:00Z', email)).toEqual([])
    expect(await listTrials(silentDojo)).toMatchObject([{ state: 'missed' }])
    expect(await runSchedule('2027-03-04T15:01:00Z', silent.email)).toEqual([])
  })
})
