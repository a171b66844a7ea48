import { endpoints } from '@tatami/contract/api'
import { describe, expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { setClock } from '../test/clock.ts'
import { createKioskToken } from '../test/fixtures.ts'
import { createKioskDojo, checkIn, type KioskDojo, readRoll } from '../test/kiosk-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const createDojo = () => createKioskDojo(server)
type RequestOptions = {
  method?: 'GET' | 'HEAD' | 'OPTIONS' | 'POST'
  url: string
  headers?: Record<string, string>
  payload?: object
}
const sendRequest = ({ kiosk }: KioskDojo, { headers, ...request }: RequestOptions) =>
  server.http.inject({
    ...request,
    headers: { authorization: `Bearer ${kiosk.token}`, ...headers },
  })

describe('a kiosk token', () => {
  test('gives no access through HEAD, OPTIONS or another spelling of a path', async () => {
    const dojo = await createDojo()
    await dojo.enroll('Ada Byron')
    const otherEndpoints = endpoints.filter(
      ({ access, method }) => method === 'GET' && access !== 'public' && access !== 'kiosk',
    )
    expect(otherEndpoints.length).toBeGreaterThan(50)
    for (const { path } of otherEndpoints) {
      const url = `/api${path.replaceAll(/:\w+/g, newId)}`
      expect([url, (await sendRequest(dojo, { method: 'HEAD', url })).statusCode]).toEqual([
        url,
        403,
      ])
      expect([url, (await sendRequest(dojo, { method: 'OPTIONS', url })).statusCode]).toEqual([
        url,
        404,
      ])
      const pathInApi = url.slice('/api'.length)
      for (const spelling of [
        `/${url}`,
        url.replace('/api/', '/api//'),
        `/api/kiosk/..${pathInApi}`,
        `/api/kiosk%2f..%2f..${pathInApi}`,
      ]) {
        const { statusCode, body } = await sendRequest(dojo, { url: spelling })
        expect([spelling, statusCode < 400 && body.includes('Ada')]).toEqual([spelling, false])
        expect([401, 403, 404]).toContain(statusCode)
      }
      const { statusCode } = await sendRequest(dojo, {
        url: url.replace(
          /^\/api\/(.)/,
          (_, letter) => `/api/%${letter.charCodeAt(0).toString(16)}`,
        ),
      })
      expect([403, 404]).toContain(statusCode)
    }
  })

  test('cannot act as another caller through a header, a query or a body field', async () => {
    const dojo = await createDojo()
    const otherDojo = await createDojo()
    await otherDojo.enroll('Mia Ortiz')
    const senseiTokens = { token: dojo.sensei.token, access_token: dojo.sensei.token }
    const attempts: RequestOptions[] = [
      { url: `/api/students?${new URLSearchParams(senseiTokens).toString()}` },
      {
        url: '/api/students',
        headers: {
          cookie: `token=${dojo.sensei.token}`,
          'x-authorization': `Bearer ${dojo.sensei.token}`,
        },
      },
      {
        url: '/api/students',
        headers: {
          'x-http-method-override': 'GET',
          'x-original-url': '/api/kiosk',
          'x-rewrite-url': '/api/kiosk',
        },
      },
      { method: 'POST', url: '/api/students', payload: { ...senseiTokens, role: 'instructor' } },
      {
        method: 'POST',
        url: '/api/students?_method=GET',
        headers: { 'x-http-method-override': 'GET' },
        payload: {},
      },
    ]
    for (const attempt of attempts)
      expect([attempt, (await sendRequest(dojo, attempt)).statusCode]).toEqual([attempt, 403])
    const body = {
      text: 'mia',
      dojo_id: otherDojo.sensei.dojoId,
      dojoId: otherDojo.sensei.dojoId,
      limit: 1000,
    }
    expect(
      (await dojo.kiosk.post(`/kiosk/search?dojo_id=${otherDojo.sensei.dojoId}&limit=1000`, body))
        .body.students ?? [],
    ).toEqual([])
  })

  test('works only in its own dojo, even if the token is changed to another dojo', async () => {
    const dojo = await createDojo()
    const otherDojo = await createDojo()
    const foreignToken = String(dojo.kiosk.token).replace(
      dojo.sensei.dojoId,
      otherDojo.sensei.dojoId,
    )
    for (const token of [
      foreignToken,
      foreignToken.toUpperCase(),
      String(dojo.kiosk.token).replace('kiosk-', ''),
      `${String(dojo.kiosk.token)}a`,
    ])
      expect([token, (await server.clientFor(token).get('/kiosk')).status]).toEqual([token, 401])
  })

  test('cannot open a WebSocket or a calendar', async () => {
    const dojo = await createDojo()
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
    }
    for (const url of ['/api', '/api/ws', '/ws', '/api/notifications']) {
      const { statusCode } = await sendRequest(dojo, { url, headers: upgrade })
      expect([url, [403, 404].includes(statusCode)]).toEqual([url, true])
    }
    const token = String(dojo.kiosk.token)
    const secretPart = token.slice(-43)
    for (const calendarSecret of [token, secretPart]) {
      const url = `/calendar/${calendarSecret}.ics`
      expect((await sendRequest(dojo, { url })).statusCode).toBe(404)
    }
  })
})

describe('guessing PINs', () => {
  const CORRECT_PIN = '4711'
  const createDojoWithPin = async () => {
    const dojo = await createDojo()
    const { id } = await dojo.enroll('Ada Byron')
    await dojo.sensei.put(`/students/${id}/pin`, { pin: CORRECT_PIN })
    return dojo
  }
  const enterWrongPins = (dojo: KioskDojo, count: number) =>
    Promise.all(
      Array.from(
        { length: count },
        async (_, index) => (await checkIn(dojo, { pin: `00${10 + index}` })).status,
      ),
    )

  test('is limited to ten tries a minute at a kiosk, even at the same time', async () => {
    const dojo = await createDojoWithPin()
    expect((await enterWrongPins(dojo, 25)).filter((status) => status === 422)).toHaveLength(10)
    expect((await checkIn(dojo, { pin: CORRECT_PIN })).status).toBe(429)
  })

  test('is limited to twenty tries a minute at all kiosks of a dojo together', async () => {
    const dojo = await createDojoWithPin()
    const addKiosk = async () => ({
      ...dojo,
      kiosk: server.clientFor(await createKioskToken(server.db, dojo.sensei)),
    })
    const [secondKiosk, thirdKiosk] = [await addKiosk(), await addKiosk()]
    expect(await enterWrongPins(dojo, 10)).toEqual(Array.from({ length: 10 }, () => 422))
    // When one kiosk refuses PINs, other kiosks still accept them.
    expect((await checkIn(secondKiosk, { pin: CORRECT_PIN })).status).toBe(200)
    await enterWrongPins(secondKiosk, 10)
    expect((await checkIn(thirdKiosk, { pin: CORRECT_PIN })).status).toBe(429)
    const { students } = (await thirdKiosk.kiosk.post('/kiosk/search', { text: 'ada' })).body
    expect((await checkIn(thirdKiosk, { passes: [students[0].pass] })).status).toBe(200)
    const otherDojo = await createDojo()
    expect((await checkIn(otherDojo, { pin: CORRECT_PIN })).status).toBe(422)
    setClock('2026-03-02T22:12:00Z') // Two minutes later
    expect((await checkIn(thirdKiosk, { pin: CORRECT_PIN })).status).toBe(200)
  })
})

describe('a kiosk link', () => {
  test('works on only one device, only in its own dojo, and until the kiosk is ended', async () => {
    const dojo = await createDojo()
    const otherDojo = await createDojo()
    const createLinkCode = async () =>
      String((await dojo.sensei.post('/kiosk-links', { name: 'Mat 2' })).body.link).split('#')[1]!
    const switchOn = (code: string) => server.anonymous.post('/kiosk-links/switch-on', { code })
    const code = await createLinkCode()
    expect((await switchOn(code.replace(dojo.sensei.dojoId, otherDojo.sensei.dojoId))).status).toBe(
      400,
    )
    const statuses = (await Promise.all([switchOn(code), switchOn(code)])).map(
      ({ status }) => status,
    )
    expect(new Set(statuses)).toEqual(new Set([200, 400]))
    const secondCode = await createLinkCode()
    const pendingKiosk = (await dojo.sensei.get('/kiosks')).body.kiosks.find(
      ({ link_expires_at }: { link_expires_at: string | null }) => link_expires_at,
    )
    expect((await otherDojo.sensei.delete(`/kiosks/${pendingKiosk.id}`)).status).toBe(404)
    expect((await dojo.sensei.delete(`/kiosks/${pendingKiosk.id}`)).status).toBe(200)
    expect((await switchOn(secondCode)).status).toBe(400)
  })
})

describe('a check-in code', () => {
  test('can be scanned twice, marks once, and fails with missing or extra characters', async () => {
    const dojo = await createDojo()
    const ada = await dojo.enroll('Ada Byron')
    const guardian = await server.createGuardian(dojo.sensei, [ada])
    const { code } = (await guardian.get('/my/check-in/code')).body
    const scan = (scannedCode: string) =>
      dojo.kiosk.post('/kiosk/code', { code: scannedCode, class_id: dojo.kids.id })
    for (const _ of ['first scan', 'second scan']) {
      const { people } = (await scan(code)).body
      await checkIn(dojo, { passes: people.map(({ pass }: { pass: string }) => pass) })
    }
    expect(await readRoll(dojo)).toEqual(['Ada Byron, Kids'])
    for (const invalidCode of [
      code.slice(1),
      `${code}0`,
      `${code.slice(0, 47)} `,
      "' or '1'='1",
      '0'.repeat(48),
    ])
      expect([invalidCode, [404, 422].includes((await scan(invalidCode)).status)]).toEqual([
        invalidCode,
        true,
      ])
    await dojo.sensei.delete(`/guardians/${guardian.id}/students/${ada.id}`)
    expect((await scan(code)).status).toBe(404)
  })
})
