import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import {
  bookingPathIn,
  MONDAY_MORNING,
  startServerWithTrials,
  WEDNESDAY,
} from '../test/trial-dojo.ts'

const { server, createDojo, open, book, mailsTo } = await startServerWithTrials()

/** What a slow phone loads in a tenth of a second. */
const MAX_PAGE_BYTES = 4096

const structuredDataIn = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*)<\/script>/.exec(html)?.[1] ?? 'null')

describe('the address of a page', () => {
  test('leads to nothing until an owner turns the page on, and again after turning it off', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo({ page: { is_on: false } })
    const { sensei, slug, page } = dojo
    const id = page.lasting_link.split('/').at(-1)
    const paths = [`/d/${slug}`, `/d/${slug}/trial`, `/d/${id}`, `/w/${id}/timetable`]
    const readStatuses = () => Promise.all(paths.map(async (path) => (await open(path)).status))
    expect(await readStatuses()).toEqual([404, 404, 404, 404])
    expect((await open('/sitemap.xml')).html).not.toContain(slug)
    await sensei.put('/public-page', { ...page, is_on: true })
    expect(await readStatuses()).toEqual([200, 200, 301, 200])
    expect((await open('/sitemap.xml')).html).toContain(`<loc>https://tatami.test/d/${slug}</loc>`)
    await sensei.put('/public-page', { ...page, is_on: false })
    expect(await readStatuses()).toEqual([404, 404, 404, 404])
    expect((await open('/d/no-such-school')).status).toBe(404)
  })

  test('works for good, also after two changes and back, with the rest of the link', async () => {
    setClock(MONDAY_MORNING)
    const { sensei, slug, page } = await createDojo()
    for (const newSlug of [`${slug}-b`, `${slug}-c`])
      await sensei.put('/public-page', { ...page, slug: newSlug })
    for (const oldAddress of [slug, `${slug}-b`, slug.toUpperCase()]) {
      const { status, headers } = await open(`/d/${oldAddress}/trial?from=flyer`)
      expect([status, headers.location]).toEqual([301, `/d/${slug}-c/trial?from=flyer`])
      expect(headers['cache-control']).toBe('no-cache')
    }
    const backAgain = await sensei.put('/public-page', { ...page, slug })
    expect(backAgain.body.lasting_link).toBe(page.lasting_link)
    expect((await open(`/d/${slug}`)).status).toBe(200)
    expect((await open(`/d/${slug}-c`)).headers.location).toBe(`/d/${slug}`)
  })

  test('is refused if another school has it, or once had it', async () => {
    const dojo = await createDojo()
    const otherDojo = await createDojo()
    await dojo.sensei.put('/public-page', { ...dojo.page, slug: `${dojo.slug}-new` })
    const { status, body } = await otherDojo.sensei.put('/public-page', {
      ...otherDojo.page,
      slug: dojo.slug,
    })
    expect([status, body.errors]).toMatchObject([409, [{ field: 'slug' }]])
    expect((await otherDojo.sensei.get('/public-page')).body.slug).toBe(otherDojo.slug)
  })

  test('needs the right to change settings', async () => {
    const { sensei, page } = await createDojo()
    const desk = await server.createStaff(sensei, { rights: ['roll', 'students.edit'] })
    expect((await desk.get('/public-page')).status).toBe(403)
    expect((await desk.put('/public-page', page)).status).toBe(403)
    expect((await desk.get('/trial-offers')).status).toBe(403)
  })
})

describe('the timetable', () => {
  test('shows what takes place: canceled, moved, added dates and holidays', async () => {
    setClock(MONDAY_MORNING)
    const { sensei, slug, class_id } = await createDojo()
    const [canceledDay, movedDay, toDay] = ['2027-03-08', '2027-03-10', '2027-03-11']
    await sensei.put('/class-dates/cancelled', { class_id, day: canceledDay, reason: 'Mold' })
    await sensei.put('/class-dates/moved', { class_id, day: movedDay, to_day: toDay })
    await sensei.post('/holidays', { name: 'Break', first_day: WEDNESDAY, last_day: WEDNESDAY })
    const { html } = await open(`/d/${slug}`)
    expect(html.match(/<h3>[^<]+<\/h3>/g)).toEqual([
      '<h3>Monday, March 1</h3>',
      '<h3>Monday, March 8</h3>',
      '<h3>Thursday, March 11</h3>',
    ])
    expect(html).toContain('Closed: Break')
    expect(html).toContain('<span>Canceled</span>')
    expect(html).not.toContain('Mold')
  })

  test('shows no student, no instructor, no count, and a substitute only if the school wants it', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const { sensei, slug, class_id, page } = dojo
    await server.createStudent(sensei, { name: 'Ken Adams', enrolled_classes: [class_id] })
    await sensei.put('/class-dates/substitute', {
      class_id,
      day: WEDNESDAY,
      substitute: 'Mr. Sato',
    })
    await sensei.put(`/classes/${class_id}/places`, { places: 2 })
    await book(dojo, WEDNESDAY)
    const privateText = /Ken|Adams|Leo|Ana|Sato|Aiko|1 of 2|expected/
    for (const path of [`/d/${slug}`, `/d/${slug}/trial`, `/d/${slug}/trial?class=${class_id}`])
      expect((await open(path)).html).not.toMatch(privateText)
    await sensei.put('/public-page', { ...page, names_instructors: true })
    expect((await open(`/d/${slug}`)).html).toContain('with Mr. Sato')
  })

  test('tells search engines about the school and its classes', async () => {
    setClock(MONDAY_MORNING)
    const { slug, sensei, page } = await createDojo()
    await sensei.put('/public-page', { ...page, about: 'Judo </script><b>for all' })
    const { html } = await open(`/d/${slug}`)
    expect(html).toContain(`<link rel="canonical" href="https://tatami.test/d/${slug}">`)
    expect(html).not.toContain('noindex')
    const [school, ...events] = structuredDataIn(html)['@graph']
    expect(school).toMatchObject({
      '@type': 'SportsActivityLocation',
      telephone: '512 555 0100',
      description: 'Judo </script><b>for all',
    })
    expect(events[0]).toMatchObject({ '@type': 'Event', startDate: '2027-03-01T22:00:00.000Z' })
    expect((await open(`/d/${slug}/trial`)).html).toContain('noindex')
  })

  test('keeps the time of day when daylight saving begins and ends', async () => {
    for (const [instant, wrongStart, start] of [
      ['2027-03-11T15:00:00Z', '2027-03-10T22:00', '2027-03-15T21:00:00.000Z'],
      ['2027-11-04T15:00:00Z', '2027-11-03T21:00', '2027-11-08T22:00:00.000Z'],
    ] as const) {
      setClock(instant)
      const dojo = await createDojo()
      const { html } = await open(`/d/${dojo.slug}`)
      const starts = structuredDataIn(html)['@graph'].map(
        ({ startDate }: { startDate?: string }) => startDate,
      )
      expect(starts).toContain(start)
      expect(starts).not.toContain(wrongStart)
      const email = `dst-${instant.slice(5, 7)}@home.org`
      await book(dojo, start.slice(0, 10), { email })
      const [mail = ''] = await mailsTo(email)
      const zone = instant.includes('-03-') ? 'Central Daylight Time' : 'Central Standard Time'
      expect(mail.replaceAll(/\s+/g, ' ')).toContain(`4:00 PM - 5:00 PM (${zone})`)
      const [, content = ''] = /filename=class\.ics\r\n([^]*?)--/.exec(mail) ?? []
      const event = Buffer.from(content.replace(/^[^]*?\r\n\r\n/, ''), 'base64').toString()
      expect(event).toContain(`DTSTART:${start.replaceAll(/[-:]|\.000/g, '')}`)
    }
  })

  test('is light, and loads nothing else', async () => {
    setClock(MONDAY_MORNING)
    const { slug, class_id } = await createDojo()
    for (const path of ['', '/trial', `/trial?class=${class_id}&day=${WEDNESDAY}`]) {
      const { html } = await open(`/d/${slug}${path}`)
      expect(gzipSync(html).length).toBeLessThan(MAX_PAGE_BYTES)
      expect(html).not.toMatch(/<script src|<link rel="stylesheet"|<img/)
    }
  })

  test('is compressed for browsers that accept it, and pages with a form are not', async () => {
    setClock(MONDAY_MORNING)
    const { slug } = await createDojo()
    const encodingOf = async (path: string, acceptEncoding: string) =>
      (await open(path, { 'accept-encoding': acceptEncoding })).headers['content-encoding']
    expect(await encodingOf(`/d/${slug}`, 'gzip, br')).toBe('gzip')
    expect(await encodingOf(`/d/${slug}`, 'identity')).toBeUndefined()
    expect(await encodingOf(`/d/${slug}/trial`, 'gzip, br')).toBeUndefined()
  })

  test('is in the reader’s language, with the school’s own words marked', async () => {
    setClock(MONDAY_MORNING)
    const { slug } = await createDojo()
    const { html } = await open(`/d/${slug}`, { 'accept-language': 'es' })
    expect(html).toContain('<html lang="es">')
    expect(html).toContain('Horario')
    expect(html).toContain('<h1 lang="en">Judo for everybody</h1>')
    expect((await open(`/d/${slug}?lang=en`, { 'accept-language': 'es' })).html).toContain(
      'Timetable',
    )
  })
})

describe('the widget', () => {
  test('may be framed by every site as a timetable, and by allowed sites as a form', async () => {
    setClock(MONDAY_MORNING)
    const { slug, page, sensei } = await createDojo()
    const id = page.lasting_link.split('/').at(-1)
    const policyOf = async (path: string) =>
      /frame-ancestors ([^;]+)/.exec(
        String((await open(path)).headers['content-security-policy']),
      )?.[1]
    expect(await policyOf(`/d/${slug}`)).toBe("'none'")
    expect(await policyOf(`/w/${id}/timetable`)).toBe('*')
    expect(await policyOf(`/w/${id}/trial`)).toBe("'none'")
    const savedPage = await sensei.put('/public-page', {
      ...page,
      allowed_sites: ['https://www.example.com/trial?x=1', 'http://localhost:8080'],
    })
    expect(savedPage.body.allowed_sites).toEqual([
      'https://www.example.com',
      'http://localhost:8080',
    ])
    expect(await policyOf(`/w/${id}/trial`)).toBe('https://www.example.com http://localhost:8080')
    const { html } = await open(`/w/${id}/trial`)
    expect(html).toContain(`/w/${id}/trial?class=`)
    expect(html).not.toContain('<header>')
    const refusal = await sensei.put('/public-page', { ...page, allowed_sites: ["'self'; x"] })
    expect(refusal.status).toBe(422)
  })

  test('is a script that other sites may load', async () => {
    const { status, html, headers } = await open('/embed.js')
    expect(status).toBe(200)
    expect(html).toContain('createElement')
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
    expect((await open('/robots.txt')).html).toContain('Sitemap: https://tatami.test/sitemap.xml')
  })
})

test('two schools never see each other’s bookings, and tokens are in no reply', async () => {
  setClock(MONDAY_MORNING)
  const dojo = await createDojo()
  const otherDojo = await createDojo()
  await book(dojo, WEDNESDAY, { email: 'token@home.org' })
  const [mail = ''] = await mailsTo('token@home.org')
  const path = bookingPathIn(mail)
  const { body: trials } = await dojo.sensei.get(`/trials?from=${WEDNESDAY}&until=${WEDNESDAY}`)
  expect(JSON.stringify(trials)).not.toContain(path.slice(3))
  expect((await otherDojo.sensei.get(`/trials?from=${WEDNESDAY}&until=${WEDNESDAY}`)).body).toEqual(
    [],
  )
})
