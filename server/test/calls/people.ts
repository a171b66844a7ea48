import { afterAll } from 'vitest'
import { startFakeTwilio } from '../fake-twilio.ts'
import { type ApiResponse, createClients, startTestServer } from '../test-server.ts'

export const server = await startTestServer()
export const { anonymous } = server
export const admin = await server.signInSuperAdmin()
export const sensei = await server.createSensei()
export const kidsClass = await server.createClass(sensei)
export const ken = await server.createStudent(sensei, {
  enrolled_classes: [kidsClass.id],
  belt_level: 'green',
})
const twilio = await startFakeTwilio()
afterAll(() => twilio.close())
/** The same instructor, on a server that uses Twilio and on one that cannot send texts. */
export const [twilioClient, clientWithoutTexts] = await Promise.all(
  [twilio.settings(twilio.url), { smsProvider: 'none' as const }].map(async (settings) =>
    createClients((await server.openServer(settings)).http).clientFor(sensei.token),
  ),
)

export const MISSING_ID = '01900000-0000-7000-8000-000000000000'
export const LOGIN_REQUIRED = 'Authentication required. Please log in again.'
export const NOT_ALLOWED = 'You are not allowed to do this.'
export const findSenseiId = async (email: string): Promise<string> => {
  const { sensei_list } = (await admin.get('/super-admin/sensei')).body
  return sensei_list.find((row: { email: string }) => row.email === email).sensei_id
}

export type Caller = Record<
  'get' | 'post' | 'put' | 'delete',
  (path: string, payload?: object) => Promise<ApiResponse>
>
export type CallOptions = { params?: Record<string, string>; query?: string; body?: object }
/** `expectOk` makes the call, expects 200 and returns the response. `expectRefusal` expects a
 *  status and a `detail`. */
export type CallExpectations = {
  expectOk: (caller: Caller, options?: CallOptions) => Promise<any>
  expectRefusal: (
    caller: Caller,
    status: number,
    detail: string,
    options?: CallOptions,
  ) => Promise<void>
}
/** Tests the response and a refusal of each call in the specification. */
export type Cases = Record<string, (expectations: CallExpectations) => Promise<unknown>>
