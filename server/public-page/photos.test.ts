import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { SAMPLE_PICTURE } from '../test/sample-picture.ts'
import { startServerWithTrials } from '../test/trial-dojo.ts'

const { server, createDojo, open } = await startServerWithTrials()

const PHOTO = {
  picture: SAMPLE_PICTURE,
  small_picture: SAMPLE_PICTURE,
  caption: 'Children <on> the mat',
}

/** The sample with a comment in it, as a camera adds where the picture was taken. */
function withComment(base64: string): string {
  const file = Buffer.from(base64, 'base64')
  const comment = Buffer.from('12 Main Street')
  const header = Buffer.from([0xff, 0xfe, 0, comment.length + 2])
  return Buffer.concat([file.subarray(0, 2), header, comment, file.subarray(2)]).toString('base64')
}

test('photos are on the page, small and lazy, and lead to the large one', async () => {
  const { sensei, slug } = await createDojo()
  const { status, body } = await sensei.post('/public-page/photos', PHOTO)
  expect(status).toBe(200)
  const { html } = await open(`/d/${slug}`)
  expect(html).toContain(`<a href="${body.address}"><img src="${body.small_address}" width="16"`)
  expect(html).toContain('alt="Children &lt;on&gt; the mat" loading="lazy"')
  const photo = await open(body.small_address)
  expect([photo.status, photo.headers['content-type']]).toEqual([200, 'image/jpeg'])
  expect(photo.headers['cache-control']).toContain('immutable')
  expect((await sensei.get('/public-page')).body.photos).toMatchObject([{ id: body.id }])
  expect((await sensei.delete(`/public-page/photos/${body.id}`)).status).toBe(200)
  expect((await open(body.small_address)).status).toBe(404)
  expect((await open(`/d/${slug}`)).html).not.toContain('<img')
})

test('photos lose what a camera wrote into them', async () => {
  const { sensei } = await createDojo()
  const picture = withComment(SAMPLE_PICTURE)
  const { body } = await sensei.post('/public-page/photos', {
    ...PHOTO,
    picture,
    small_picture: picture,
  })
  for (const address of [body.address, body.small_address]) {
    const { html, status } = await open(address)
    expect([status, html.includes('Main Street')]).toEqual([200, false])
  }
})

/** Another picture, because a byte of its colors differs. */
function variant(base64: string, index: number): string {
  const file = Buffer.from(base64, 'base64')
  file[QUANTIZATION_BYTE] = index + 1
  return file.toString('base64')
}
const QUANTIZATION_BYTE = 20

test('a picture that is added twice is there once, with the later caption', async () => {
  const { sensei } = await createDojo()
  const first = await sensei.post('/public-page/photos', PHOTO)
  const second = await sensei.post('/public-page/photos', { ...PHOTO, caption: 'The mat' })
  expect(second.body).toMatchObject({ id: first.body.id, caption: 'The mat' })
  expect((await sensei.get('/public-page')).body.photos).toHaveLength(1)
})

test('a page has six photos at most, also if they are sent at once', async () => {
  const { sensei } = await createDojo()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      sensei.post('/public-page/photos', { ...PHOTO, picture: variant(SAMPLE_PICTURE, index) }),
    ),
  )
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 409, 409])
})

test('only staff who may change settings add and remove photos, of their own school', async () => {
  const { sensei } = await createDojo()
  const { body } = await sensei.post('/public-page/photos', PHOTO)
  const desk = await server.createStaff(sensei, { rights: ['roll', 'students.edit'] })
  expect((await desk.post('/public-page/photos', PHOTO)).status).toBe(403)
  const otherDojo = await createDojo()
  expect((await otherDojo.sensei.delete(`/public-page/photos/${body.id}`)).status).toBe(404)
  const refusal = await sensei.post('/public-page/photos', { ...PHOTO, caption: '' })
  expect(refusal.body.errors).toMatchObject([{ field: 'caption' }])
  expect((await sensei.post('/public-page/photos', { ...PHOTO, picture: 'abc' })).status).toBe(422)
})

test('photos are in the download of the school', async () => {
  const { sensei } = await createDojo()
  await sensei.post('/public-page/photos', PHOTO)
  const files = unzipSync((await sensei.post('/export')).body)
  const photo = Buffer.from(files['pictures/page-photo 1.jpg'] ?? [])
  expect(photo.toString('base64')).toBe(SAMPLE_PICTURE)
})
