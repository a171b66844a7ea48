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
const answer = (status: number, body: string) =>
  vi.fn<typeof fetch>(() => Promise.resolve(new Response(body, { status })))
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it worked')
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

test('a call carries the token, its params, its query and its body', async () => {
  const requests = answer(200, '[]')
  vi.stubGlobal('fetch', requests)
  session.start('secret')
  expect(
    await call(attendanceApi.list, { query: { class_date: '2026-01-02', class_id: undefined } }),
  ).toEqual([])
  const [url, init] = requests.mock.calls[0]!
  expect([url, init?.method, init?.headers, init?.body]).toEqual([
    '/api/attendance?class_date=2026-01-02',
    'GET',
    { authorization: 'Bearer secret' },
    undefined,
  ])
})

test('a call that is not to be carried out twice carries its key', async () => {
  const requests = answer(200, '{}')
  vi.stubGlobal('fetch', requests)
  await call(textingApi.sendBulk, {
    body: { message_type: 'weather_cancel', custom_message: 'No class' },
    idempotencyKey: 'one-press',
  })
  expect(requests.mock.calls[0]![1]?.headers).toEqual({
    'content-type': 'application/json',
    'idempotency-key': 'one-press',
  })
})

const KIDS = {
  class_name: 'Kids Judo',
  description: 'For the small ones',
  class_days: ['monday' as const],
  class_start_time: '4:00 PM',
  class_end_time: '5:00 PM',
}

test('a retry keeps its key; other content and calls after a success get a new one', async () => {
  const requests = answer(503, '{"detail":"The database is away"}')
  vi.stubGlobal('fetch', requests)
  const otherKey = { ...KIDS, class_name: 'Adults' }
  await failure(call(classesApi.create, { body: KIDS }))
  requests.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  await failure(call(classesApi.create, { body: KIDS }))
  await failure(call(classesApi.create, { body: otherKey }))
  requests.mockResolvedValueOnce(new Response('{}'))
  await call(classesApi.create, { body: otherKey })
  await failure(call(classesApi.create, { body: otherKey }))
  session.start('another')
  await failure(call(classesApi.create, { body: otherKey }))
  const keys = requests.mock.calls.map(([, init]) =>
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

test('only a call with a key is repeated when a proxy answers for the server', async () => {
  const badGateway = () => new Response('', { status: 502 })
  const requests = vi.fn<typeof fetch>(() => Promise.resolve(badGateway()))
  vi.stubGlobal('fetch', requests)
  requests
    .mockResolvedValueOnce(badGateway())
    .mockResolvedValueOnce(new Response('{"class_name":"Kids Judo"}'))
  expect(await call(classesApi.create, { body: KIDS })).toEqual({ class_name: 'Kids Judo' })
  const [first, second] = requests.mock.calls.map(([, init]) => [
    new Headers(init?.headers).get('idempotency-key'),
    init?.body,
  ])
  expect(first![0]).toMatch(/^[0-9a-f]{32}$/)
  expect(second).toEqual(first)

  requests.mockClear()
  expect((await failure(call(classesApi.create, { body: KIDS }))).status).toBe(502)
  expect(requests).toHaveBeenCalledTimes(2)
  for (const missingField of [
    () => call(classesApi.list),
    () => call(profileApi.login, { body: { email: 'a@dojo.com', password: 'x' } }),
  ]) {
    requests.mockClear()
    expect((await failure(missingField())).status).toBe(502)
    expect(requests).toHaveBeenCalledTimes(1)
  }
  // A captive portal's page is not an answer of our proxy.
  requests.mockClear()
  requests.mockResolvedValueOnce(new Response('<html>A captive portal</html>'))
  expect((await failure(call(classesApi.create, { body: KIDS }))).status).toBe(502)
  expect(requests).toHaveBeenCalledTimes(1)
})

test('a public call does not say who is signed in, and its 401 ends no session', async () => {
  const requests = answer(200, '{}')
  vi.stubGlobal('fetch', requests)
  session.start('secret')
  const body = {
    sensei_name: 'Aiko Tanaka',
    phone_number: '512',
    signature: 'Ann Adams',
    date: '2026-11-21',
  }
  await call(consentApi.submit, { body })
  expect(new Headers(requests.mock.calls[0]![1]?.headers).has('authorization')).toBe(false)
  vi.stubGlobal('fetch', answer(401, '{"detail":"Incorrect email or password"}'))
  await failure(call(profileApi.login, { body: { email: 'a@dojo.com', password: 'x' } }))
  expect(session.token()).toBe('secret')
})

test('polled replies are kept with their ETag until somebody else logs in', async () => {
  const etagHeaders = () =>
    Promise.resolve(new Response('{"unread_count":3}', { headers: { etag: '"three"' } }))
  const requests = vi.fn<typeof fetch>(etagHeaders)
  vi.stubGlobal('fetch', requests)
  session.start('secret')
  await call(notificationsApi.unreadCount)
  requests.mockResolvedValueOnce(new Response(null, { status: 304 }))
  expect(await call(notificationsApi.unreadCount)).toEqual({ unread_count: 3 })
  session.start('another')
  await call(notificationsApi.unreadCount)
  expect(
    requests.mock.calls.map(([, init]) => new Headers(init?.headers).get('if-none-match')),
  ).toEqual([null, '"three"', null])
})

test("the server's words are preferred to ours", async () => {
  vi.stubGlobal(
    'fetch',
    answer(403, '{"detail":"Your account is awaiting activation by the admin team."}'),
  )
  const error = await failure(call(profileApi.show))
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
  'an answer %i %s that is none of ours leaves our own words',
  async (status, body, requestKeys) => {
    vi.stubGlobal('fetch', answer(status, body))
    const error = await failure(call(profileApi.show))
    expect([error.status, errorMessage(error, 'Login failed'), error.errors]).toEqual([
      requestKeys,
      'Login failed',
      [],
    ])
  },
)

test('no answer is an error of its own, which says nothing of the session', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>(() => Promise.reject(new TypeError('Failed to fetch'))),
  )
  session.start('secret')
  const error = await failure(call(profileApi.show))
  expect([error instanceof ApiError, isNetworkError(error), session.token()]).toEqual([
    true,
    true,
    'secret',
  ])
})

test('a call that is not answered in eight seconds is given up', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const late = new AbortController()
  timeout.mockReturnValue(late.signal)
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>(
      (_, init) =>
        new Promise((_resolve, reject) => {
          init!.signal!.addEventListener('abort', () =>
            reject(new DOMException('late', 'TimeoutError')),
          )
          late.abort()
        }),
    ),
  )
  expect(isNetworkError(await failure(call(profileApi.show)))).toBe(true)
  expect(timeout).toHaveBeenCalledExactlyOnceWith(8000)
  timeout.mockRestore()
})

test('a 401 ends the session of the call, and no other', async () => {
  session.start('old')
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>(() => {
      session.start('new')
      return Promise.resolve(new Response('{"detail":"no"}', { status: 401 }))
    }),
  )
  await failure(call(profileApi.show))
  expect(session.token()).toBe('new')
  vi.stubGlobal('fetch', answer(401, '{"detail":"no"}'))
  await failure(call(profileApi.show))
  expect(session.token()).toBe(null)
})

test('a wrong password, without a token, is not the end of a session', async () => {
  const endReasons = vi.fn<() => void>()
  const stop = session.subscribe(endReasons)
  vi.stubGlobal('fetch', answer(401, '{"detail":"Incorrect email or password"}'))
  await failure(call(profileApi.login, { body: { email: 'a@b.com', password: 'x' } }))
  stop()
  expect(endReasons).not.toHaveBeenCalled()
})

test('only a status from 400 to 499 says that a call was refused and changed nothing', () => {
  const refusedStatuses = [0, 400, 409, 422, 429, 500, 502, 503].filter((status) =>
    isRefused(new ApiError(status)),
  )
  expect(refusedStatuses).toEqual([400, 409, 422, 429])
  expect(isRefused(new Error('something else'))).toBe(false)
})
