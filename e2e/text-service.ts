import type { Page, Route } from '@playwright/test'
import { toDataURL } from 'qrcode'

/** A status of the text service that the simulator never has. */
export const textServiceStatus = (status: string, overrides: object = {}) => ({
  status,
  connected: false,
  user: { name: 'Aiko Tanaka' },
  instructorId: '0',
  phone_number: null,
  service: 'none',
  error: null,
  ...overrides,
})

/** Answers a call instead of the server, and counts how often it is made. Null breaks the
 *  connection. */
export async function mockCall(page: Page, path: string, answer: object | null) {
  const mock = { times: 0, answer, status: 200 }
  await page.route(`**/api${path}`, (route: Route) => {
    mock.times += 1
    return mock.answer ? route.fulfill({ status: mock.status, json: mock.answer }) : route.abort()
  })
  return mock
}

export const qrCode = () => toDataURL('http://127.0.0.1/sms-setup', { margin: 1 })
