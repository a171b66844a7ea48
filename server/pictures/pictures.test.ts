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
const BYTES = Buffer.from(SAMPLE_PICTURE, 'base64')
/** The marker before the height, the width and the number of colors. */
const FRAME = Buffer.from([0xff, 0xc0])
const load = (address: string) => server.http.inject({ url: address })

async function createFamily() {
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei, { name: 'Leo Diaz' })
  const mia = await server.createStudent(sensei, { name: 'Mia Chen' })
  const rosa = await server.createGuardian(sensei, [leo], { name: 'Rosa Diaz' })
  const setPhoto = async (): Promise<string> =>
    (await sensei.put(`/students/${leo.id}/photo`, { picture })).body.photo
  const photoSeenByRosa = async (): Promise<string | null> =>
    (await rosa.get('/family/home')).body.children[0].photo
  return { sensei, leo, mia, rosa, setPhoto, photoSeenByRosa }
}

describe('a photo', () => {
  test('is seen by instructors, the student and guardians, and by nobody else', async () => {
    const { sensei, leo, mia, setPhoto, photoSeenByRosa } = await createFamily()
    const photo = await setPhoto()
    expect(photo).toMatch(/^\/photos\/[\da-f-]{36}\.[\da-f-]{36}\.\d{5}\.[\w-]{22}\.jpg$/)
    const students: { id: string; photo: string | null }[] = (await sensei.get('/students')).body
    expect(new Set(students.map((student) => student.photo))).toEqual(new Set([photo, null]))
    expect((await sensei.get(`/students/${leo.id}`)).body.student.photo).toBe(photo)
    expect((await leo.get('/profile')).body.photo).toBe(photo)
    expect(await photoSeenByRosa()).toBe(photo)
    expect(JSON.stringify((await mia.get('/profile')).body)).not.toContain('/photos/')
  })

  test('is served to whoever knows its address, and is kept by one browser only', async () => {
    const { setPhoto } = await createFamily()
    const { statusCode, headers, rawPayload } = await load(await setPhoto())
    expect([statusCode, rawPayload]).toEqual([200, BYTES])
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'private, max-age=86400, immutable',
      'x-content-type-options': 'nosniff',
    })
  })

  test('has another address for each version, and none after it is removed', async () => {
    const { sensei, leo, setPhoto } = await createFamily()
    const firstPhoto = await setPhoto()
    const secondPhoto = await setPhoto()
    expect(secondPhoto).not.toBe(firstPhoto)
    expect([(await load(firstPhoto)).statusCode, (await load(secondPhoto)).statusCode]).toEqual([
      404, 200,
    ])
    expect((await sensei.delete(`/students/${leo.id}/photo`)).status).toBe(200)
    expect((await load(secondPhoto)).statusCode).toBe(404)
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
      expect([address, (await load(address)).statusCode]).toEqual([address, 404])
  })

  test('gets a new address when a guardian no longer sees the page', async () => {
    const { sensei, leo, rosa, setPhoto, photoSeenByRosa } = await createFamily()
    const photo = await setPhoto()
    await sensei.put(`/guardians/${rosa.id}/students/${leo.id}`, { sees: false })
    expect((await load(photo)).statusCode).toBe(404)
    const newPhoto = (await sensei.get('/students')).body[0].photo
    expect((await load(newPhoto)).statusCode).toBe(200)
    await sensei.put(`/guardians/${rosa.id}/students/${leo.id}`, { sees: true })
    const photoAgain = await photoSeenByRosa()
    await sensei.delete(`/guardians/${rosa.id}/students/${leo.id}`)
    expect((await load(String(photoAgain))).statusCode).toBe(404)
  })

  test('gets a new address when the student’s login is ended', async () => {
    const { sensei, leo, setPhoto } = await createFamily()
    const photo = await setPhoto()
    await sensei.delete(`/students/${leo.id}/log-in`)
    expect((await load(photo)).statusCode).toBe(404)
  })

  test('gets a new address when the student leaves the school', async () => {
    const { sensei, leo, setPhoto } = await createFamily()
    const photo = await setPhoto()
    const leaving = { left_on: '2026-01-31', reason: 'moved_away' }
    expect((await sensei.post(`/students/${leo.id}/leave`, leaving)).status).toBe(200)
    expect((await load(photo)).statusCode).toBe(404)
  })

  test('has an address that stays for a day and ends after two', async () => {
    setClock('2027-03-01T00:00:00Z')
    const { sensei, leo, setPhoto } = await createFamily()
    const photo = await setPhoto()
    const readPhoto = async () => (await sensei.get(`/students/${leo.id}`)).body.student.photo
    setClock('2027-03-01T23:59:59Z')
    expect(await readPhoto()).toBe(photo)
    setClock('2027-03-02T23:59:59Z')
    const nextPhoto = await readPhoto()
    expect(nextPhoto).not.toBe(photo)
    expect([(await load(photo)).statusCode, (await load(nextPhoto)).statusCode]).toEqual([200, 200])
    setClock('2027-03-03T00:00:00Z')
    expect([(await load(photo)).statusCode, (await load(nextPhoto)).statusCode]).toEqual([404, 200])
  })

  test('does not last longer if its address is changed', async () => {
    const { leo, mia, setPhoto } = await createFamily()
    const photo = await setPhoto()
    const day = /\.(\d{5})\./.exec(photo)?.[1] ?? ''
    for (const address of [
      photo.replace(`.${day}.`, `.${Number(day) + 1}.`),
      photo.replace(leo.id, mia.id),
      photo.replace(/[\w-]{22}\.jpg$/, `${'A'.repeat(22)}.jpg`),
    ])
      expect([address, (await load(address)).statusCode]).toEqual([address, 404])
  })

  test('gets a new address when an instructor of the school is deactivated', async () => {
    const { sensei, setPhoto } = await createFamily()
    const otherDojo = await createFamily()
    const [photo, otherPhoto] = [await setPhoto(), await otherDojo.setPhoto()]
    const superAdmin = await server.signInSuperAdmin()
    const toggle = () => superAdmin.put(`/super-admin/sensei/${sensei.id}/toggle-active`)
    expect((await toggle()).body.is_active).toBe(false)
    expect([(await load(photo)).statusCode, (await load(otherPhoto)).statusCode]).toEqual([
      404, 200,
    ])
    expect((await toggle()).body.is_active).toBe(true)
    expect((await load(photo)).statusCode).toBe(404)
  })

  test('is deleted with the student', async () => {
    const { sensei, leo, setPhoto } = await createFamily()
    const photo = await setPhoto()
    await sensei.delete(`/students/${leo.id}`)
    expect((await load(photo)).statusCode).toBe(404)
  })

  test('may be changed by a guardian who may change the contacts', async () => {
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

  test('is refused if it is no picture or too large, and the earlier one stays', async () => {
    const { sensei, leo, setPhoto } = await createFamily()
    const photo = await setPhoto()
    const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(60)}</svg>`)
    const wide = Buffer.from(BYTES)
    wide.writeUInt16BE(513, BYTES.indexOf(FRAME) + 7)
    for (const [refusedPicture, detail] of [
      [svg.toString('base64'), NOT_A_PICTURE],
      [wide.toString('base64'), 'Each side must be 16 to 512 pixels'],
      ['not base64 '.repeat(9), NOT_A_PICTURE],
      ['A'.repeat(200_004), 'The picture must be at most 150 kB'],
    ])
      expect(
        await sensei.put(`/students/${leo.id}/photo`, { picture: refusedPicture }),
      ).toMatchObject({ status: 422, body: { detail, errors: [{ field: 'picture' }] } })
    expect((await load(photo)).statusCode).toBe(200)
  })

  test('is on the kiosk only in the greeting', async () => {
    const dojo = await createKioskDojo(server)
    const emma = await dojo.enroll('Emma Johnson')
    await dojo.sensei.put(`/students/${emma.id}/photo`, { picture })
    const search = await dojo.kiosk.post('/kiosk/search', { text: 'Emma' })
    const state = await dojo.kiosk.get('/kiosk')
    expect(JSON.stringify([search.body, state.body])).not.toContain('/photos/')
    const { body } = await checkIn(dojo, { passes: [await findCheckInPass(dojo, 'Emma')] })
    expect(body.greetings[0].photo).toContain('/photos/')
  })

  test('is in the downloads of the school and of the student', async () => {
    const { sensei, leo, rosa, setPhoto } = await createFamily()
    await setPhoto()
    await sensei.put('/dojo/logo', { picture })
    const files = unzipSync((await sensei.post('/export')).body)
    expect(Buffer.from(files['pictures/Leo Diaz.jpg'] ?? [])).toEqual(BYTES)
    expect(Buffer.from(files['pictures/school-logo.jpg'] ?? [])).toEqual(BYTES)
    const ownFiles = unzipSync((await rosa.post(`/family/students/${leo.id}/export`)).body)
    expect(Buffer.from(ownFiles['photo.jpg'] ?? [])).toEqual(BYTES)
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
    expect((await load(look.dojo_logo)).headers['cache-control']).toMatch(/^public/)
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

  test('are set by instructors only', async () => {
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

  test('are on certificates, which a damaged logo does not prevent', async () => {
    const { sensei, leo } = await createFamily()
    const damagedFile = Buffer.from(BYTES)
    // There are pictures of one, three or four colors, but not of two.
    damagedFile.writeUInt8(2, BYTES.indexOf(FRAME) + 9)
    const readyStudents: ReadyStudent[] = (await sensei.get('/belts/ready')).body.students
    const rank_id = readyStudents.find(({ student_id }) => student_id === leo.id)?.next?.id
    const promotions = [{ student_id: leo.id, rank_id }]
    const { act_id } = (await sensei.post('/promotions', { promotions })).body
    const printsLogo = async (logo: Buffer) => {
      await sensei.put('/dojo/logo', { picture: logo.toString('base64') })
      const { status, body } = await sensei.post(`/promotions/acts/${act_id}/certificates`)
      expect(status).toBe(200)
      // The name of JPEG in a PDF.
      return Buffer.from(body).includes('DCTDecode')
    }
    expect([await printsLogo(BYTES), await printsLogo(damagedFile)]).toEqual([true, false])
  })
})
