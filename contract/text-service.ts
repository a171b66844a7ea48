import { z } from 'zod'

export const SMS_STATES = ['checking', 'ready', 'disconnected', 'service_unavailable', 'service_unreachable'] as const
export const SMS_ERRORS = ['connectivity', 'authentication', 'initialization', 'network'] as const
export const SERVICES = ['twilio_sms', 'simulator', 'none'] as const
export const reachable = { status: z.enum(SMS_STATES), connected: z.boolean(), user: z.object({ name: z.string() }) }
export const smsStatus = z.object({
  ...reachable,
  instructorId: z.uuid(),
  phone_number: z.string().nullable(),
  service: z.enum(SERVICES),
  error: z.string().nullable(),
})
