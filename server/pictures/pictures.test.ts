import type { ReadyStudent } from '@tatami/contract/belts/readiness'
import { NOT_A_PICTURE, TOO_LIGHT } from '@tatami/contract/pictures/pictures'
import { describe, expect, test } from 'vitest'
import { unzipSync } from 'fflate'
import { checkIn, createKioskDojo, findCheckInPass } from '../test/kiosk-dojo.ts'
import { setClock } from '../test/clock.ts'
import { startMailServer } from '../test/mail-server.ts'
import { SAMPLE_PICTURE } from '../test/sample-picture.ts'
import { startTestServer } from '../test/test-server.ts'

const mailServer = await startMailServer()
const server = await startTestServer({ smtpUrl: mailServer.smtpUrl })
const picture = SAMPLE_PICTURE
const PICTURE_BYTES = Buffer.from(SAMPLE_PICTURE, 'base64')
/** The marker before the height, the width and the number of color components. */
const JPEG_FRAME = Buffer.from([0xff, 0xc0])
const fetchPicture = (address: string) => server.http.inject({ url: address })

async function createFamily() {
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei, { name: 'Leo Diaz' })
  const mia = await server.createStudent(sensei, { name: 'Mia Chen' })
  const rosa = await server.createGuardian(sensei, [leo], { name: 'Rosa Diaz' })
  const setPhoto = async (): Promise<string> =>
    (await sensei.put(`/students/${leo.id}/photo`, { picture })).body.photo
  const readPhotoAsRosa = async (): Promise<string | null> =>
    (await rosa.get('/family/home')).body.children[0].photo
  return { sensei, leo, mia, rosa, setPhoto, readPhotoAsRosa }
}

describe('a photo', () => {
  test('is shown to instructors, the student and guardians, but to no other student', async () => {
    const { sensei, leo, mia, setPhoto, readPhotoAsRosa } = await createFamily()
    const photo = await setPhoto()
    expect(photo).toMatch(/^\/photos\/[\da-f-]{36}\.[\da-f-]{36}\.\d{5}\.[\w-]{22}\.jpg$/)
    const students: { id: string; photo: string | null }[] = (await sensei.get('/students')).body
    expect(new Set(students.map((student) => student.photo))).toEqual(new Set([photo, null]))
    expect((await sensei.get(`/students/${leo.id}`)).body.student.photo).toBe(photo)
    expect((await leo.get('/profile')).body.photo).toBe(photo)
    expect(await readPhotoAsRosa()).toBe(photo)
    expect(JSON.stringify((await mia.get('/profile')).body)).not.toContain('/photos/')
  })

  test('is served to anyone who knows its address, and is not kept by shared caches', async () => {
    const { setPhoto } = await createFamily()
    const { statusCode, headers, rawPayload } = await fetchPicture(await setPhoto())
    expect([statusCode, rawPayload]).toEqual([200, PICTURE_BYTES])
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'private, max-age=86400, immutable',
      'x-content-type-options': 'nosniff',
    })
  })

  test('has a new address for each version, and is not found after it is removed', async () => {
    const { sensei, leo, setPhoto } = await createFamily()
    const firstPhoto = await setPhoto()
    const secondPhoto = await setPhoto()
    expect(secondPhoto).not.toBe(firstPhoto)
    expect([
      (await fetchPicture(firstPhoto)).statusCode,
      (await fetchPicture(secondPhoto)).statusCode,
    ]).toEqual([404, 200])
    expect((await sensei.delete(`/students/${leo.id}/photo`)).status).toBe(200)
    expect((await fetchPicture(secondPhoto)).statusCode).toBe(404)
    expect((await sensei.delete(`/students/${leo.id}/photo`)).status).toBe(404)
  })

  test('is not found in another dojo or another folder', async () => {
    const { sensei, setPhoto } = await createFamily()
    const otherDojo = await createFamily()
    const photo = await setPhoto()
    for (const address of [
      photo.replace(sensei.dojoId, otherDojo.sensei.dojoId),
      photo.replace('photos', 'logos'),
      photo.replace('.jpg', ''),
      '/photos/x.jpg',
    ])
      expect([address, (await fetchPicture(address)).statusCode]).toEqual([address, 404])
  })

  test('gets a new address when a guardian may no longer see the student', async () => {
    const { sensei, leo, rosa, setPhoto, readPhotoAsRosa } = await createFamily()
    const photo = await setPhoto()
    await sensei.put(`/guardians/${rosa.id}/students/${leo.id}`, { sees: false })
    expect((await fetchPicture(photo)).statusCode).toBe(404)
    const newPhoto = (await sensei.get('/students')).body[0].photo
    expect((await fetchPicture(newPhoto)).statusCode).toBe(200)
    await sensei.put(`/guardians/${rosa.id}/students/${leo.id}`, { sees: true })
    const photoOfRosa = await readPhotoAsRosa()
    await sensei.delete(`/guardians/${rosa.id}/students/${leo.id}`)
    expect((await fetchPicture(String(photoOfRosa))).statusCode).toBe(404)
  })

  test('gets a new address when the student’s login is removed', async () => {
    const { sensei, leo, setPhoto } = await createFamily()
    const photo = await setPhoto()
    await sensei.delete(`/students/${leo.id}/log-in`)
    expect((await fetchPicture(photo)).statusCode).toBe(404)
  })

  test('gets a new address when the student leaves the school', async () => {
    const { sensei, leo, setPhoto } = await createFamily()
    const photo = await setPhoto()
    const departure = { left_on: '2026-01-31', reason: 'moved_away' }
    expect((await sensei.post(`/students/${leo.id}/leave`, departure)).status).toBe(200)
    expect((await fetchPicture(photo)).statusCode).toBe(404)
  })

  test('keeps its address for a day, and the address works for two days', async () => {
    setClock('2027-03-01T00:00:00Z')
    const { sensei, leo, setPhoto } = await createFamily()
    const photo = await setPhoto()
    const readPhoto = async () => (await sensei.get(`/students/${leo.id}`)).body.student.photo
    setClock('2027-03-01T23:59:59Z')
    expect(await readPhoto()).toBe(photo)
    setClock('2027-03-02T23:59:59Z')
    const nextPhoto = await readPhoto()
    expect(nextPhoto).not.toBe(photo)
    expect([
      (await fetchPicture(photo)).statusCode,
      (await fetchPicture(nextPhoto)).statusCode,
    ]).toEqual([200, 200])
    setClock('2027-03-03T00:00:00Z')
    expect([
      (await fetchPicture(photo)).statusCode,
      (await fetchPicture(nextPhoto)).statusCode,
    ]).toEqual([404, 200])
  })

  test('is not found at a forged address', async () => {
    const { leo, mia, setPhoto } = await createFamily()
    const photo = await setPhoto()
    const day = /\.(\d{5})\./.exec(photo)?.[1] ?? ''
    for (const address of [
      photo.replace(`.${day}.`, `.${Number(day) + 1}.`),
      photo.replace(leo.id, mia.id),
      photo.replace(/[\w-]{22}\.jpg$/, `${'A'.repeat(22)}.jpg`),
    ])
      expect([address, (await fetchPicture(address)).statusCode]).toEqual([address, 404])
  })

  test('gets a new address when an instructor of the school is deactivated', async () => {
    const { sensei, setPhoto } = await createFamily()
    const otherDojo = await createFamily()
    const [photo, otherPhoto] = [await setPhoto(), await otherDojo.setPhoto()]
    const superAdmin = await server.signInSuperAdmin()
    const toggle = () => superAdmin.put(`/super-admin/sensei/${sensei.id}/toggle-active`)
    expect((await toggle()).body.is_active).toBe(false)
    expect([
      (await fetchPicture(photo)).statusCode,
      (await fetchPicture(otherPhoto)).statusCode,
    ]).toEqual([404, 200])
    expect((await toggle()).body.is_active).toBe(true)
    expect((await fetchPicture(photo)).statusCode).toBe(404)
  })

  test('is deleted with the student', async () => {
    const { sensei, leo, setPhoto } = await createFamily()
    const photo = await setPhoto()
    await sensei.delete(`/students/${leo.id}`)
    expect((await fetchPicture(photo)).statusCode).toBe(404)
  })

  test('can be changed by a guardian who may change the contacts', async () => {
    const { sensei, leo, rosa, mia } = await createFamily()
    const setPhoto = () => rosa.put(`/students/${leo.id}/photo`, { picture })
    expect((await setPhoto()).status).toBe(403)
    await sensei.put(`/guardians/${rosa.id}/students/${leo.id}`, { may_edit: true })
    expect((await setPhoto()).status).toBe(200)
    expect((await rosa.delete(`/students/${leo.id}/photo`)).status).toBe(200)
    expect((await rosa.put(`/students/${mia.id}/photo`, { picture })).status).toBe(404)
    expect((await leo.put(`/students/${leo.id}/photo`, { picture })).status).toBe(403)
    expect((await mia.put(`/students/${leo.id}/photo`, { picture })).status).toBe(404)
  })

  test('is refused if it is not a picture or too large, and the previous photo stays', async () => {
    const { sensei, leo, setPhoto } = await createFamily()
    const photo = await setPhoto()
    const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(60)}</svg>`)
    const widePicture = Buffer.from(PICTURE_BYTES)
    widePicture.writeUInt16BE(513, PICTURE_BYTES.indexOf(JPEG_FRAME) + 7)
    for (const [refusedPicture, detail] of [
      [svg.toString('base64'), NOT_A_PICTURE],
      [widePicture.toString('base64'), 'Each side must be 16 to 512 pixels'],
      ['not base64 '.repeat(9), NOT_A_PICTURE],
      ['A'.repeat(200_004), 'The picture must be at most 150 kB'],
    ])
      expect(
        await sensei.put(`/students/${leo.id}/photo`, { picture: refusedPicture }),
      ).toMatchObject({ status: 422, body: { detail, errors: [{ field: 'picture' }] } })
    expect((await fetchPicture(photo)).statusCode).toBe(200)
  })

  test('is shown on the kiosk only in the greeting', async () => {
    const dojo = await createKioskDojo(server)
    const emma = await dojo.enroll('Emma Johnson')
    await dojo.sensei.put(`/students/${emma.id}/photo`, { picture })
    const search = await dojo.kiosk.post('/kiosk/search', { text: 'Emma' })
    const kioskState = await dojo.kiosk.get('/kiosk')
    expect(JSON.stringify([search.body, kioskState.body])).not.toContain('/photos/')
    const { body } = await checkIn(dojo, { passes: [await findCheckInPass(dojo, 'Emma')] })
    expect(body.greetings[0].photo).toContain('/photos/')
  })

  test('is in the downloads of the school and of the student', async () => {
    const { sensei, leo, rosa, setPhoto } = await createFamily()
    await setPhoto()
    await sensei.put('/dojo/logo', { picture })
    const files = unzipSync((await sensei.post('/export')).body)
    expect(Buffer.from(files['pictures/Leo Diaz.jpg'] ?? [])).toEqual(PICTURE_BYTES)
    expect(Buffer.from(files['pictures/school-logo.jpg'] ?? [])).toEqual(PICTURE_BYTES)
    const ownFiles = unzipSync((await rosa.post(`/family/students/${leo.id}/export`)).body)
    expect(Buffer.from(ownFiles['photo.jpg'] ?? [])).toEqual(PICTURE_BYTES)
  })
})

describe('the logo and color of a school', () => {
  test('are on the join page, on the kiosk and in the profile of every member', async () => {
    const dojo = await createKioskDojo(server)
    const emma = await dojo.enroll('Emma Johnson')
    await dojo.sensei.put('/dojo/logo', { picture })
    const { body: look } = await dojo.sensei.put('/dojo/color', { color: '#1E3A8A' })
    expect(look).toEqual({ dojo_logo: expect.stringMatching(/^\/logos\//), dojo_color: '#1e3a8a' })
    const { invite_code } = (await dojo.sensei.get('/invitation')).body
    for (const { body } of [
      await server.anonymous.get(`/register?invite_code=${invite_code}`),
      await dojo.kiosk.get('/kiosk'),
      await dojo.sensei.get('/profile'),
      await emma.get('/profile'),
    ])
      expect(body).toMatchObject(look)
    expect((await fetchPicture(look.dojo_logo)).headers['cache-control']).toMatch(/^public/)
    expect((await dojo.sensei.delete('/dojo/logo')).body.dojo_logo).toBeNull()
    expect((await dojo.sensei.put('/dojo/color', { color: null })).body.dojo_color).toBeNull()
  })

  test('must be visible on white paper', async () => {
    const { sensei } = await createFamily()
    expect(await sensei.put('/dojo/color', { color: '#f2c230' })).toMatchObject({
      status: 422,
      body: { detail: TOO_LIGHT },
    })
    expect((await sensei.put('/dojo/color', { color: 'red' })).status).toBe(422)
  })

  test('can be set only by instructors', async () => {
    const { leo, rosa } = await createFamily()
    for (const person of [leo, rosa]) {
      expect((await person.put('/dojo/logo', { picture })).status).toBe(403)
      expect((await person.put('/dojo/color', { color: '#1e3a8a' })).status).toBe(403)
    }
  })

  test('are in the emails to parents', async () => {
    const { sensei, leo } = await createFamily()
    const email = `${leo.id}@home.org`
    const guardian = { name: 'Carlos & Ana', email, students: [{ student_id: leo.id }] }
    const { id } = (await sensei.post('/guardians', guardian)).body.guardian
    const invite = () => sensei.post(`/guardians/${id}/log-in-invitation`)
    await invite()
    await expect.poll(() => mailServer.mailsTo(email)).toHaveLength(1)
    expect(mailServer.mailsTo(email)[0]).not.toContain('text/html')
    await sensei.put('/dojo/logo', { picture })
    await sensei.put('/dojo/color', { color: '#1e3a8a' })
    await invite()
    await expect.poll(() => mailServer.mailsTo(email)).toHaveLength(2)
    const mail = mailServer.mailsTo(email)[1] ?? ''
    expect(mail).toContain('4px solid #1e3a8a')
    expect(mail).toContain('cid:logo')
    expect(mail).toContain('image/jpeg')
  })

  test('are on certificates, which are printed even if the logo is damaged', async () => {
    const { sensei, leo } = await createFamily()
    const damagedFile = Buffer.from(PICTURE_BYTES)
    // A JPEG can have one, three or four color components, but not two.
    damagedFile.writeUInt8(2, PICTURE_BYTES.indexOf(JPEG_FRAME) + 9)
    const readyStudents: ReadyStudent[] = (await sensei.get('/belts/ready')).body.students
    const rank_id = readyStudents.find(({ student_id }) => student_id === leo.id)?.next?.id
    const promotions = [{ student_id: leo.id, rank_id }]
    const { act_id } = (await sensei.post('/promotions', { promotions })).body
    const printsLogo = async (logo: Buffer) => {
      await sensei.put('/dojo/logo', { picture: logo.toString('base64') })
      const { status, body } = await sensei.post(`/promotions/acts/${act_id}/certificates`)
      expect(status).toBe(200)
      // PDF files name JPEG this way.
      return Buffer.from(body).includes('DCTDecode')
    }
    expect([await printsLogo(PICTURE_BYTES), await printsLogo(damagedFile)]).toEqual([true, false])
  })
})
