import { DEFAULT_CERTIFICATE_KINDS } from '@tatami/contract/staff/staff-certificates'
import { beforeEach, describe, expect, test } from 'vitest'
import { setClock } from '../../test/clock.ts'
import { startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()
const [SAFESPORT, BACKGROUND_CHECK] = DEFAULT_CERTIFICATE_KINDS.map(({ id }) => id)

let sensei: Awaited<ReturnType<typeof server.createSensei>>
let ben: Awaited<ReturnType<typeof server.createStaff>>
beforeEach(async () => {
  setClock('2027-03-01T18:00:00Z')
  sensei = await server.createSensei()
  ben = await server.createStaff(sensei, { rights: ['roll'] })
})

const statusAndDetail = ({ status, body }: { status: number; body: { detail?: string } }) => [
  status,
  body.detail,
]
const addCertificate = async (fields: object = {}) =>
  sensei.post('/staff-certificates', {
    staff_id: ben.id,
    kind_id: SAFESPORT,
    got_on: '2027-02-01',
    ...fields,
  })
const addAndReadId = async (fields: object = {}): Promise<string> =>
  (await addCertificate(fields)).body.certificate.id
const listCertificates = async () => (await sensei.get('/staff-certificates')).body.certificates

describe('a certificate', () => {
  test('lasts as long as its kind, unless another last day is entered', async () => {
    expect((await addCertificate()).body.certificate).toMatchObject({
      staff_id: ben.id,
      kind: { name: 'SafeSport', months: 12 },
      got_on: '2027-02-01',
      expires_on: '2028-02-01',
      recheck_on: null,
      is_current: true,
    })
    const { body } = await addCertificate({ expires_on: '2027-06-30', note: 'Course in Austin' })
    expect(body.certificate).toMatchObject({ expires_on: '2027-06-30', note: 'Course in Austin' })
  })

  test('gets a new recheck day after each recheck, unless it ends soon', async () => {
    const { body } = await addCertificate({ kind_id: BACKGROUND_CHECK, got_on: '2026-03-15' })
    expect(body.certificate).toMatchObject({ expires_on: '2028-03-15', recheck_on: '2027-03-15' })
    const path = `/staff-certificates/${body.certificate.id}/recheck`
    expect((await sensei.post(path)).body.certificate).toMatchObject({ recheck_on: null })
    const { body: earlyRecheck } = await addCertificate({
      kind_id: BACKGROUND_CHECK,
      got_on: '2026-09-15',
    })
    const earlyPath = `/staff-certificates/${earlyRecheck.certificate.id}/recheck`
    expect((await sensei.post(earlyPath)).body.certificate).toMatchObject({
      recheck_on: '2028-03-01',
    })
  })

  test('cannot be rechecked if its kind has no rechecks', async () => {
    const id = await addAndReadId()
    expect(statusAndDetail(await sensei.post(`/staff-certificates/${id}/recheck`))).toEqual([
      409,
      'This kind of certificate is not rechecked',
    ])
  })

  test('is renewed starting today, and the old one is kept as history', async () => {
    const id = await addAndReadId({ got_on: '2026-03-20' })
    const { body } = await sensei.post(`/staff-certificates/${id}/renew`)
    expect(body.certificate).toMatchObject({ got_on: '2027-03-01', expires_on: '2028-03-01' })
    expect(await listCertificates()).toMatchObject([
      { id: body.certificate.id, is_current: true },
      { id, is_current: false },
    ])
    await sensei.delete(`/staff-certificates/${body.certificate.id}`)
    expect(await listCertificates()).toMatchObject([{ id, is_current: true }])
  })

  test('can be changed, removed and restored', async () => {
    const id = await addAndReadId()
    const change = { got_on: '2027-02-02', expires_on: '2027-12-31', note: null }
    const { body } = await sensei.put(`/staff-certificates/${id}`, change)
    expect(body.certificate).toMatchObject(change)
    expect((await sensei.delete(`/staff-certificates/${id}`)).status).toBe(200)
    expect(await listCertificates()).toEqual([])
    expect((await sensei.delete(`/staff-certificates/${id}`)).status).toBe(404)
    expect((await sensei.put(`/staff-certificates/${id}`, change)).status).toBe(404)
    expect((await sensei.post(`/staff-certificates/${id}/restore`)).status).toBe(200)
    expect(await listCertificates()).toMatchObject([{ id, ...change }])
  })

  test('is refused if its days are in the wrong order', async () => {
    expect(statusAndDetail(await addCertificate({ expires_on: '2027-02-01' }))).toEqual([
      422,
      'It must end after the day they got it',
    ])
    const id = await addAndReadId({ kind_id: BACKGROUND_CHECK })
    const days = { got_on: '2027-02-01', expires_on: '2028-02-01', recheck_on: '2028-02-01' }
    expect(statusAndDetail(await sensei.put(`/staff-certificates/${id}`, days))).toEqual([
      422,
      'The recheck must be before the certificate expires',
    ])
    expect(await listCertificates()).toMatchObject([
      { id, recheck_on: '2028-02-01', expires_on: '2029-02-01' },
    ])
  })

  test('can only be added for current staff', async () => {
    const id = await addAndReadId()
    await sensei.post(`/staff/${ben.id}/end`, {})
    const refusal = [409, 'They no longer work here']
    expect(statusAndDetail(await addCertificate())).toEqual(refusal)
    expect(statusAndDetail(await sensei.post(`/staff-certificates/${id}/renew`))).toEqual(refusal)
    const student = await server.createStudent(sensei)
    expect((await addCertificate({ staff_id: student.id })).status).toBe(404)
    const otherSensei = await server.createSensei()
    expect((await otherSensei.post(`/staff-certificates/${id}/renew`)).status).toBe(404)
    expect((await otherSensei.get('/staff-certificates')).body.certificates).toEqual([])
  })
})

describe('certificates', () => {
  test('are managed by staff managers, and others see only their own', async () => {
    const id = await addAndReadId()
    await addCertificate({ staff_id: sensei.id })
    expect((await ben.get('/staff-certificates')).status).toBe(403)
    expect((await ben.post(`/staff-certificates/${id}/renew`)).status).toBe(403)
    expect((await ben.get('/my-certificates')).body.certificates).toMatchObject([
      { id, staff_id: ben.id },
    ])
    const manager = await server.createStaff(sensei, { rights: ['staff'] })
    expect((await manager.get('/staff-certificates')).body.certificates).toHaveLength(2)
    const student = await server.createStudent(sensei)
    expect((await (await server.signIn(student.email)).get('/my-certificates')).status).toBe(403)
  })
})

describe('kinds of certificates', () => {
  test('are four at first, and can be added, changed and removed', async () => {
    const readNames = async () =>
      (await sensei.get('/staff-certificates')).body.kinds.map(({ name }: { name: string }) => name)
    expect(await readNames()).toEqual(['SafeSport', 'Background check', 'First aid', 'CPR'])
    await sensei.post('/certificate-kinds', { name: 'Concussion course', months: 36 })
    await sensei.put(`/certificate-kinds/${SAFESPORT}`, { name: 'SafeSport core', months: 6 })
    await sensei.delete(`/certificate-kinds/${BACKGROUND_CHECK}`)
    expect(await readNames()).toEqual(['Concussion course', 'CPR', 'First aid', 'SafeSport core'])
    expect((await addCertificate()).body.certificate.expires_on).toBe('2027-08-01')
    expect((await addCertificate({ kind_id: BACKGROUND_CHECK })).status).toBe(422)
    const otherSensei = await server.createSensei()
    const { body } = await otherSensei.get('/staff-certificates')
    expect(body.kinds).toEqual(DEFAULT_CERTIFICATE_KINDS)
  })

  test('still show on certificates after they are removed', async () => {
    const id = await addAndReadId()
    await sensei.delete(`/certificate-kinds/${SAFESPORT}`)
    expect(await listCertificates()).toMatchObject([{ id, kind: { name: 'SafeSport' } }])
    expect((await sensei.post(`/staff-certificates/${id}/renew`)).status).toBe(200)
  })

  test('must have the recheck before they expire', async () => {
    const kind = { name: 'Check', months: 12, recheck_months: 12 }
    expect(statusAndDetail(await sensei.post('/certificate-kinds', kind))).toEqual([
      422,
      'The recheck must be before the certificate expires',
    ])
  })
})
