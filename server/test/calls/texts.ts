import { utcDay } from '@tatami/contract/lib/calendar-day'
import { expect } from 'vitest'
import {
  type Cases,
  ken,
  kidsClass,
  type CallExpectations,
  NOT_ALLOWED,
  sensei,
  clientWithoutTexts,
  twilioClient,
} from './people.ts'

const bulkMessage = (message_type: string) => ({
  message_type,
  custom_message: 'Hi {name}',
  selected_classes: [kidsClass.id],
  selected_month: 4,
  selected_year: 2026,
  exclude_paid_students: false,
})
const reminderCase = async ({ expectOk, expectRefusal }: CallExpectations) => {
  expect(await expectOk(sensei)).toMatchObject({ total_recipients: 1 })
  await expectRefusal(ken, 403, NOT_ALLOWED)
}

export const textCalls: Cases = {
  'GET /sms/status': async ({ expectOk, expectRefusal }) => {
    expect(await expectOk(sensei)).toEqual({
      status: 'ready',
      connected: true,
      user: {
        name: 'Aiko Tanaka',
      },
      instructorId: sensei.id,
      phone_number: null,
      service: 'simulator',
      error: null,
    })
    await expectRefusal(ken, 403, NOT_ALLOWED)
  },
  'POST /sms/init': async ({ expectOk, expectRefusal }) => {
    expect([await expectOk(twilioClient!), await expectOk(clientWithoutTexts!)]).toMatchObject([
      { success: true, message: expect.any(String) },
      { success: false, error: 'SMS service is not accessible' },
    ])
    await expectRefusal(ken, 403, NOT_ALLOWED)
  },
  'GET /sms/info': async ({ expectOk, expectRefusal }) => {
    expect(await expectOk(twilioClient!)).toMatchObject({ service: 'twilio_sms', status: 'ready' })
    await expectRefusal(ken, 403, NOT_ALLOWED)
  },
  'GET /whatsapp/qr': async ({ expectOk, expectRefusal }) => {
    expect(await expectOk(clientWithoutTexts!)).toMatchObject({
      qr: expect.stringMatching(/^data:image\/png/),
      status: 'disconnected',
      connected: false,
      user: { name: 'Aiko Tanaka' },
    })
    await expectRefusal(ken, 403, NOT_ALLOWED)
  },
  'GET /daily-message-usage': async ({ expectOk, expectRefusal }) => {
    expect(await expectOk(sensei)).toMatchObject({
      date: utcDay(new Date()),
      daily_limit: 300,
      limit_reached: false,
    })
    await expectRefusal(ken, 403, NOT_ALLOWED)
  },
  'GET /welcome-message-settings': async ({ expectOk, expectRefusal }) => {
    expect(await expectOk(sensei)).toEqual({ welcome_message_enabled: false })
    await expectRefusal(ken, 403, NOT_ALLOWED)
  },
  'PUT /welcome-message-settings': async ({ expectOk, expectRefusal }) => {
    expect(await expectOk(sensei, { body: { welcome_message_enabled: false } })).toEqual({
      success: true,
      welcome_message_enabled: false,
    })
    await expectRefusal(sensei, 422, 'Welcome message is required', { body: {} })
  },
  'POST /sms/send-pre-due-reminder': reminderCase,
  'POST /sms/send-on-due-reminder': reminderCase,
  'POST /sms/send-post-due-reminder': reminderCase,
  'POST /sms/send-bulk-message': async ({ expectOk, expectRefusal }) => {
    for (const type of ['monthly_fee', 'late_fee', 'weather_cancel', 'special_announcement']) {
      expect(await expectOk(sensei, { body: bulkMessage(type) })).toMatchObject({
        success_count: 1,
        successful_sends: 1,
      })
    }
    await expectOk(sensei, {
      body: { message_type: 'weather_cancel', custom_message: 'No class.', selected_classes: null },
    })
    await expectRefusal(sensei, 422, 'Please select at least one class to send the message to.', {
      body: { ...bulkMessage('special_announcement'), selected_classes: null },
    })
    await expectRefusal(sensei, 422, 'Month must be 0 (January) to 11 (December)', {
      body: { ...bulkMessage('late_fee'), selected_month: 12 },
    })
  },
}
