import type { Page, Route } from '@playwright/test'
import { toDataURL } from 'qrcode'

/** Creates a status of the text service that the simulator never reports. */
export const createServiceStatus = (status: string, overrides: object = {}) => ({
  status,
  connected: false,
  user: { name: 'Aiko Tanaka' },
  instructorId: '0',
  phone_number: null,
  service: 'none',
  error: null,
  ...overrides,
})

/** Responds to a call instead of the server, and counts how often it is made. If the response is
 *  null, the connection breaks. */
export async function mockCall(page: Page, path: string, response: object | null) {
  const mock = { callCount: 0, response, status: 200 }
  await page.route(`**/api${path}`, (route: Route) => {
    mock.callCount += 1
    return mock.response
      ? route.fulfill({ status: mock.status, json: mock.response })
      : route.abort()
  })
  return mock
}

export const createQrCode = () => toDataURL('http://127.0.0.1/sms-setup', { margin: 1 })
