import { mustExist } from '@tatami/contract/lib/must-exist'
import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { exampleDocument, publishDocument, readStates, sign } from '../test/document-dojo.ts'
import { createKioskToken } from '../test/fixtures.ts'
import {
  bookingPathIn,
  MONDAY_MORNING,
  startServerWithTrials,
  WEDNESDAY,
} from '../test/trial-dojo.ts'

const { server, createDojo, open, book, mailsTo } = await startServerWithTrials()
const anonymous = server.clientFor()

type Dojo = Awaited<ReturnType<typeof createDojo>>

async function createDojoWithWaiver(offer: object = {}) {
  setClock(MONDAY_MORNING)
  const dojo = await createDojo({ offer })
  await publishDocument(dojo.sensei, { purpose: 'trial' })
  return dojo
}

const readTrial = async ({ sensei }: Dojo) =>
  (await sensei.get(`/trials?from=${WEDNESDAY}&until=2027-03-31`)).body[0]

/** Opens a link to sign. Returns the token of the page that it leads to. */
async function openSigning(path: string): Promise<string> {
  const { status, headers } = await open(path)
  expect(status).toBe(303)
  return mustExist(/\/sign#(.+)$/.exec(String(headers.location))?.[1], 'The signing link')
}

/** The link below "Sign now". */
const signPathIn = (html: string): string =>
  mustExist(
    /href="([^"]+)"[^>]*>Sign now</.exec(html)?.[1]?.replaceAll('&amp;', '&'),
    'The link to sign',
  )

const MOTHER = { name: 'Ana Ruiz', signs_for: 'child', relation: 'mother', phone: '512 555 0177' }

let parentCount = 0
const newParent = () => {
  parentCount += 1
  return { email: `signer${parentCount}@home.org` }
}

describe('the waiver of a trial', () => {
  test('is signed from the page after booking, and is no longer missing on the roll', async () => {
    const dojo = await createDojoWithWaiver()
    const { headers } = await book(dojo, WEDNESDAY, newParent())
    expect((await readTrial(dojo)).missing_papers).toEqual(['Waiver'])
    const { html } = await open(String(headers.location))
    expect(html).toContain('The school asks for a signature: Waiver.')
    const token = await openSigning(signPathIn(html))
    expect(await sign({ anonymous, token }, MOTHER)).toMatchObject({ status: 200 })
    expect((await readTrial(dojo)).missing_papers).toEqual([])
    expect((await open(String(headers.location))).html).not.toContain('Sign now')
  })

  test('is signed by a parent if the visitor is a child, whatever birthday is typed', async () => {
    const dojo = await createDojoWithWaiver()
    const parent = newParent()
    const { headers } = await book(dojo, WEDNESDAY, parent)
    const [mail = ''] = await mailsTo(parent.email)
    const { html } = await open(String(headers.location))
    const tokens = [
      await openSigning(signPathIn(html)),
      await openSigning(`${bookingPathIn(mail)}/sign`),
    ]
    for (const token of tokens) {
      const { body } = await anonymous.post('/signing/open', { token })
      expect(body).toMatchObject({ signer_kind: 'other', has_email: true })
      const form = { ...MOTHER, signs_for: 'self', date_of_birth: '1990-05-05' }
      const { status, body: refusal } = await sign({ anonymous, token }, form)
      expect([status, refusal.errors]).toEqual([
        422,
        [{ field: 'signs_for', message: expect.stringContaining('ask a parent or guardian') }],
      ])
    }
    expect((await readTrial(dojo)).missing_papers).toEqual(['Waiver'])
  })

  test('is signed by an adult visitor alone', async () => {
    const dojo = await createDojoWithWaiver()
    const visitor = newParent()
    const adult = { for: 'self', visitor: '', name: 'Ana Ruiz', age: '34', ...visitor }
    const { headers } = await book(dojo, WEDNESDAY, adult)
    const token = await openSigning(signPathIn((await open(String(headers.location))).html))
    const form = { name: 'Ana Ruiz', signs_for: 'self', date_of_birth: '1992-05-05' }
    expect(await sign({ anonymous, token }, form)).toMatchObject({ status: 200 })
    expect((await readTrial(dojo)).missing_papers).toEqual([])
  })

  test('is mailed to the address of the booking once it is signed', async () => {
    const dojo = await createDojoWithWaiver()
    const parent = newParent()
    const { headers } = await book(dojo, WEDNESDAY, parent)
    const token = await openSigning(signPathIn((await open(String(headers.location))).html))
    const { body } = await sign({ anonymous, token }, MOTHER)
    expect(body).toMatchObject({ is_mailed: true })
    const subjects = (await mailsTo(parent.email, 2)).map(
      (mail) => /^Subject: (.*)$/m.exec(mail)?.[1],
    )
    expect(subjects).toContainEqual(expect.stringContaining('Your signed copy'))
  })

  test('is asked for in the email, whose link leads to signing until it is signed', async () => {
    const dojo = await createDojoWithWaiver()
    const parent = newParent()
    await book(dojo, WEDNESDAY, parent)
    const [mail = ''] = await mailsTo(parent.email)
    const text = mail.replaceAll(/=\r?\n/g, '').replaceAll(/\s+/g, ' ')
    const path = bookingPathIn(mail)
    expect(text).toContain('Please sign before the class (Waiver): https://tatami.test/b/')
    expect((await open(path)).html).toContain('Sign now')
    const token = await openSigning(`${path}/sign`)
    expect(await sign({ anonymous, token }, MOTHER)).toMatchObject({ status: 200 })
    expect((await open(path)).html).not.toContain('Sign now')
    const signedLink = await open(`${path}/sign`)
    expect([signedLink.status, signedLink.headers.location]).toEqual([303, path])
  })

  test('is not asked for if the offer does not want it, or no document is for trials', async () => {
    for (const dojo of [
      await createDojoWithWaiver({ asks_signature: false }),
      await createDojo(),
    ]) {
      const { headers } = await book(dojo, WEDNESDAY, newParent())
      expect(headers.location).not.toContain('paper')
      expect((await open(String(headers.location))).html).not.toContain('Sign now')
      expect((await readTrial(dojo)).missing_papers).toEqual([])
    }
  })

  test('is asked for in the same way if the trial was booked before', async () => {
    const dojo = await createDojoWithWaiver()
    const parent = newParent()
    const first = await book(dojo, WEDNESDAY, parent)
    const firstPage = (await open(String(first.headers.location))).html
    const token = await openSigning(signPathIn(firstPage))
    await sign({ anonymous, token }, MOTHER)
    const second = await book(dojo, WEDNESDAY, parent)
    const secondPage = (await open(String(second.headers.location))).html
    const withoutKey = (html: string) => html.replaceAll(/paper=[^&"]+/g, 'paper')
    expect(withoutKey(secondPage)).toBe(withoutKey(firstPage))
    await openSigning(signPathIn(secondPage))
    expect((await readTrial(dojo)).missing_papers).toEqual([])
  })

  test('can be asked for again a few times, so that nobody fills the database', async () => {
    const dojo = await createDojoWithWaiver()
    const parent = newParent()
    const locations = []
    for (let index = 0; index < 6; index += 1)
      locations.push((await book(dojo, WEDNESDAY, parent)).headers.location)
    expect(locations.map((location) => String(location).includes('paper='))).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ])
  })

  test('belongs to the student once the visitor has enrolled', async () => {
    const dojo = await createDojoWithWaiver()
    const { headers } = await book(dojo, WEDNESDAY, newParent())
    const { html } = await open(String(headers.location))
    await sign({ anonymous, token: await openSigning(signPathIn(html)) }, MOTHER)
    const { sensei } = dojo
    const [lead] = (await sensei.get('/leads')).body
    const leo = await server.createStudent(sensei, {
      name: 'Leo Ruiz',
      is_trial: true,
      date_of_birth: '2018-05-05',
    })
    expect(await readStates(sensei, leo.id)).toEqual(['missing'])
    const form = { visitor_name: 'Leo', student_id: leo.id }
    expect((await sensei.post(`/leads/${lead.id}/join`, form)).status).toBe(200)
    expect(await readStates(sensei, leo.id)).toEqual(['signed'])
    expect((await readTrial(dojo)).missing_papers).toEqual([])
  })

  test('that is published after the booking is missing, too', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const parent = newParent()
    await book(dojo, WEDNESDAY, parent)
    const [mail = ''] = await mailsTo(parent.email)
    await publishDocument(dojo.sensei, { ...exampleDocument(), name: 'Photos' })
    expect((await readTrial(dojo)).missing_papers).toEqual(['Photos'])
    const token = await openSigning(`${bookingPathIn(mail)}/sign`)
    expect(await sign({ anonymous, token }, MOTHER)).toMatchObject({ status: 200 })
    expect((await readTrial(dojo)).missing_papers).toEqual([])
  })

  test('is not signed with the link of another school, or an unknown form', async () => {
    const dojo = await createDojoWithWaiver()
    const otherDojo = await createDojoWithWaiver()
    const { headers } = await book(dojo, WEDNESDAY, newParent())
    const path = signPathIn((await open(String(headers.location))).html)
    for (const foreignPath of [
      path.replace(dojo.slug, otherDojo.slug),
      path.replace(/paper=.*/, 'paper=unknown'),
    ])
      expect((await open(foreignPath)).headers.location).toMatch(/\/trial$/)
    expect((await open(`/b/${'x'.repeat(65)}/sign`)).status).toBe(404)
  })
})

describe('at the kiosk', () => {
  test('the code of the link marks the visitor as there, and shows what to sign', async () => {
    const dojo = await createDojoWithWaiver()
    const { sensei } = dojo
    const parent = newParent()
    await book(dojo, WEDNESDAY, parent)
    const [mail = ''] = await mailsTo(parent.email)
    expect((await open(bookingPathIn(mail))).html).not.toContain('data:image/png')
    const kiosk = server.clientFor(await createKioskToken(server.db, sensei))
    expect((await open(bookingPathIn(mail))).html).toContain('src="data:image/png')
    const code = await readCode(dojo)
    expect((await kiosk.post('/kiosk/trials', { code })).status).toBe(404)
    setClock(`${WEDNESDAY}T22:00:00Z`)
    const { body } = await kiosk.post('/kiosk/trials', { code })
    expect(body).toMatchObject({
      first_name: 'Leo',
      class_name: 'Kids Judo',
      papers: { names: ['Waiver'] },
    })
    expect(await readTrial(dojo)).toMatchObject({ state: 'came' })
    const { html } = await open(bookingPathIn(mail))
    expect(html).toContain('Leo has checked in.')
    expect(html).toContain('Sign now')
    expect((await kiosk.post('/kiosk/trials', { code })).status).toBe(200)
    const otherDojo = await createDojo()
    const otherKiosk = server.clientFor(await createKioskToken(server.db, otherDojo.sensei))
    expect((await otherKiosk.post('/kiosk/trials', { code })).status).toBe(404)
  })
})

const readCode = async ({ sensei }: Dojo): Promise<string> =>
  server.db.inDojo(sensei.dojoId, async (tx) => {
    const { rows } = await tx.execute('select check_in_code from bookings')
    return String(rows[0]?.check_in_code)
  })
