import { textingApi } from '@tatami/contract/texting/texting'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { classesApi } from '@tatami/contract/classes/classes'
import { consentApi } from '@tatami/contract/consent/consent'
import { notificationsApi } from '@tatami/contract/notifications/notifications'
import { profileApi } from '@tatami/contract/profile/profile'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, call, isRefused, errorMessage, isNetworkError } from './api.ts'
import { session } from './session.ts'

const storage = new Map<string, string>()
const stubResponse = (status: number, body: string) =>
  vi.fn<typeof fetch>(() => Promise.resolve(new Response(body, { status })))
const catchApiError = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('The call succeeded')
    },
    (error: unknown) => error as ApiError,
  )

beforeEach(() => {
  for (const name of ['localStorage', 'sessionStorage'])
    vi.stubGlobal(name, {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => storage.set(key, value),
      removeItem: (key: string) => storage.delete(key),
    })
})
afterEach(() => {
  storage.clear()
  vi.unstubAllGlobals()
})

test('sends the token and the query, without undefined parameters', async () => {
  const fetchMock = stubResponse(200, '[]')
  vi.stubGlobal('fetch', fetchMock)
  session.start('secret')
  expect(
    await call(attendanceApi.list, { query: { class_date: '2026-01-02', class_id: undefined } }),
  ).toEqual([])
  const [url, init] = fetchMock.mock.calls[0]!
  expect([url, init?.method, init?.headers, init?.body]).toEqual([
    '/api/attendance?class_date=2026-01-02',
    'GET',
    { authorization: 'Bearer secret' },
    undefined,
  ])
})

test('sends the idempotency key that the caller gives', async () => {
  const fetchMock = stubResponse(200, '{}')
  vi.stubGlobal('fetch', fetchMock)
  await call(textingApi.sendBulk, {
    body: { message_type: 'weather_cancel', custom_message: 'No class' },
    idempotencyKey: 'one-press',
  })
  expect(fetchMock.mock.calls[0]![1]?.headers).toEqual({
    'content-type': 'application/json',
    'idempotency-key': 'one-press',
  })
})

const KIDS_CLASS = {
  class_name: 'Kids Judo',
  description: 'For beginners',
  class_days: ['monday' as const],
  class_start_time: '4:00 PM',
  class_end_time: '5:00 PM',
}

test('reuses the key for a retry, but not for another body, session or later request', async () => {
  const fetchMock = stubResponse(503, '{"detail":"The database is unavailable"}')
  vi.stubGlobal('fetch', fetchMock)
  const adultsClass = { ...KIDS_CLASS, class_name: 'Adults' }
  await catchApiError(call(classesApi.create, { body: KIDS_CLASS }))
  fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  await catchApiError(call(classesApi.create, { body: KIDS_CLASS }))
  await catchApiError(call(classesApi.create, { body: adultsClass }))
  fetchMock.mockResolvedValueOnce(new Response('{}'))
  await call(classesApi.create, { body: adultsClass })
  await catchApiError(call(classesApi.create, { body: adultsClass }))
  session.start('another')
  await catchApiError(call(classesApi.create, { body: adultsClass }))
  const keys = fetchMock.mock.calls.map(([, init]) =>
    new Headers(init?.headers).get('idempotency-key'),
  )
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect([
    keys[1] === keys[0],
    keys[2] === keys[0],
    keys[3] === keys[2],
    new Set(keys).size,
  ]).toEqual([true, false, true, 4])
})

test('retries a request after a 502 only if it has an idempotency key', async () => {
  const badGateway = () => new Response('', { status: 502 })
  const fetchMock = vi.fn<typeof fetch>(() => Promise.resolve(badGateway()))
  vi.stubGlobal('fetch', fetchMock)
  fetchMock
    .mockResolvedValueOnce(badGateway())
    .mockResolvedValueOnce(new Response('{"class_name":"Kids Judo"}'))
  expect(await call(classesApi.create, { body: KIDS_CLASS })).toEqual({ class_name: 'Kids Judo' })
  const [firstRequest, secondRequest] = fetchMock.mock.calls.map(([, init]) => [
    new Headers(init?.headers).get('idempotency-key'),
    init?.body,
  ])
  expect(firstRequest![0]).toMatch(/^[0-9a-f]{32}$/)
  expect(secondRequest).toEqual(firstRequest)

  fetchMock.mockClear()
  expect((await catchApiError(call(classesApi.create, { body: KIDS_CLASS }))).status).toBe(502)
  expect(fetchMock).toHaveBeenCalledTimes(2)
  for (const callWithoutKey of [
    () => call(classesApi.list),
    () => call(profileApi.login, { body: { email: 'a@dojo.com', password: 'x' } }),
  ]) {
    fetchMock.mockClear()
    expect((await catchApiError(callWithoutKey())).status).toBe(502)
    expect(fetchMock).toHaveBeenCalledTimes(1)
  }
  // A captive portal's page counts as a 502, but the request is not retried.
  fetchMock.mockClear()
  fetchMock.mockResolvedValueOnce(new Response('<html>A captive portal</html>'))
  expect((await catchApiError(call(classesApi.create, { body: KIDS_CLASS }))).status).toBe(502)
  expect(fetchMock).toHaveBeenCalledTimes(1)
})

test('sends public requests without a token, and a 401 does not end the session', async () => {
  const fetchMock = stubResponse(200, '{}')
  vi.stubGlobal('fetch', fetchMock)
  session.start('secret')
  const body = {
    sensei_name: 'Aiko Tanaka',
    phone_number: '512',
    signature: 'Ann Adams',
    date: '2026-11-21',
  }
  await call(consentApi.submit, { body })
  expect(new Headers(fetchMock.mock.calls[0]![1]?.headers).has('authorization')).toBe(false)
  vi.stubGlobal('fetch', stubResponse(401, '{"detail":"Incorrect email or password"}'))
  await catchApiError(call(profileApi.login, { body: { email: 'a@dojo.com', password: 'x' } }))
  expect(session.token()).toBe('secret')
})

test('reuses a polled reply after a 304, but not after another login', async () => {
  const respondWithEtag = () =>
    Promise.resolve(new Response('{"unread_count":3}', { headers: { etag: '"three"' } }))
  const fetchMock = vi.fn<typeof fetch>(respondWithEtag)
  vi.stubGlobal('fetch', fetchMock)
  session.start('secret')
  await call(notificationsApi.unreadCount)
  fetchMock.mockResolvedValueOnce(new Response(null, { status: 304 }))
  expect(await call(notificationsApi.unreadCount)).toEqual({ unread_count: 3 })
  session.start('another')
  await call(notificationsApi.unreadCount)
  expect(
    fetchMock.mock.calls.map(([, init]) => new Headers(init?.headers).get('if-none-match')),
  ).toEqual([null, '"three"', null])
})

test("prefers the server's message to the fallback", async () => {
  vi.stubGlobal(
    'fetch',
    stubResponse(403, '{"detail":"Your account is awaiting activation by the admin team."}'),
  )
  const error = await catchApiError(call(profileApi.show))
  expect([error.status, errorMessage(error, 'Login failed')]).toEqual([
    403,
    'Your account is awaiting activation by the admin team.',
  ])
})

test.each([
  [502, '<html>Bad gateway</html>', 502],
  [200, '<html>A captive portal</html>', 502],
  [500, '{"detail":{"sql":"x"}}', 500],
  [503, 'null', 503],
  [500, '', 500],
])(
  'shows our own message for the response %i %s, which has no usable message',
  async (status, body, expectedStatus) => {
    vi.stubGlobal('fetch', stubResponse(status, body))
    const error = await catchApiError(call(profileApi.show))
    expect([error.status, errorMessage(error, 'Login failed'), error.errors]).toEqual([
      expectedStatus,
      'Login failed',
      [],
    ])
  },
)

test('throws a network error if no response comes, and keeps the session', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>(() => Promise.reject(new TypeError('Failed to fetch'))),
  )
  session.start('secret')
  const error = await catchApiError(call(profileApi.show))
  expect([error instanceof ApiError, isNetworkError(error), session.token()]).toEqual([
    true,
    true,
    'secret',
  ])
})

test('times out after eight seconds', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const timeoutController = new AbortController()
  timeout.mockReturnValue(timeoutController.signal)
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>(
      (_, init) =>
        new Promise((_resolve, reject) => {
          init!.signal!.addEventListener('abort', () =>
            reject(new DOMException('late', 'TimeoutError')),
          )
          timeoutController.abort()
        }),
    ),
  )
  expect(isNetworkError(await catchApiError(call(profileApi.show)))).toBe(true)
  expect(timeout).toHaveBeenCalledExactlyOnceWith(8000)
  timeout.mockRestore()
})

test('ends the session after a 401, but not a newer session', async () => {
  session.start('old')
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>(() => {
      session.start('new')
      return Promise.resolve(new Response('{"detail":"no"}', { status: 401 }))
    }),
  )
  await catchApiError(call(profileApi.show))
  expect(session.token()).toBe('new')
  vi.stubGlobal('fetch', stubResponse(401, '{"detail":"no"}'))
  await catchApiError(call(profileApi.show))
  expect(session.token()).toBe(null)
})

test('does not end the session after a wrong password', async () => {
  const onSessionChange = vi.fn<() => void>()
  const stop = session.subscribe(onSessionChange)
  vi.stubGlobal('fetch', stubResponse(401, '{"detail":"Incorrect email or password"}'))
  await catchApiError(call(profileApi.login, { body: { email: 'a@b.com', password: 'x' } }))
  stop()
  expect(onSessionChange).not.toHaveBeenCalled()
})

test('counts only a status from 400 to 499 as a refusal', () => {
  const refusedStatuses = [0, 400, 409, 422, 429, 500, 502, 503].filter((status) =>
    isRefused(new ApiError(status)),
  )
  expect(refusedStatuses).toEqual([400, 409, 422, 429])
  expect(isRefused(new Error('something else'))).toBe(false)
})
