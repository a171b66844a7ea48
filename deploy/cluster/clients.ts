/** The clients of the failover test, which keep calling the servers and record every outcome. */
import { addDays } from '@tatami/contract/lib/calendar-day'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FixtureSensei } from '../../server/test/fixtures.ts'
import { TATAMI_URL } from './cluster.ts'

const TIMEOUT_MS = 8_000
const PAUSE_MS = 60
const PAUSE_AFTER_FAILURE_MS = 150

export type Call = { kind: string; at: number; ms: number; status: number; detail: string }

export type CallRecorder = {
  calls: Call[]
  call: (
    kind: string,
    sensei: FixtureSensei,
    method: string,
    path: string,
    body?: object,
  ) => Promise<unknown>
}

export function createCallRecorder(): CallRecorder {
  const calls: Call[] = []
  return {
    calls,
    call: async (kind, { token }, method, path, body) => {
      const startedAt = performance.now()
      const recordCall = (status: number, detail: string) => {
        const endedAt = performance.now()
        calls.push({
          kind,
          at: endedAt,
          ms: endedAt - startedAt,
          status,
          detail: detail.slice(0, 300),
        })
      }
      try {
        const response = await fetch(`${TATAMI_URL}/api${path}`, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        const text = await response.text()
        recordCall(response.status, response.status === 200 ? '' : text)
        return response.status === 200 ? (JSON.parse(text) as unknown) : undefined
      } catch (error) {
        const { name, message, cause } = error as Error
        recordCall(0, `${name} ${message} ${cause instanceof Error ? cause.message : ''}`)
        return undefined
      }
    },
  }
}

export type ConfirmedWrites = { marks: Set<string>; payments: Set<string>; batches: Set<string> }

const dayAt = (index: number) => addDays('2001-01-01', index)

type School = { sensei: FixtureSensei; classId: string; studentIds: string[] }

export function startClients(
  { call }: CallRecorder,
  { sensei, classId, studentIds }: School,
  senders: () => Sender[],
) {
  const confirmedWrites: ConfirmedWrites = {
    marks: new Set(),
    payments: new Set(),
    batches: new Set(),
  }
  const endOfLoad = new AbortController()
  /** Repeats the action until the test ends. The action returns true if its call succeeded. */
  async function repeat(pauseMs: number, action: (index: number) => Promise<boolean>) {
    for (let index = 0; !endOfLoad.signal.aborted; index += 1)
      await sleep((await action(index)) ? pauseMs : Math.max(PAUSE_AFTER_FAILURE_MS, pauseMs))
  }
  const markAttendance = (student_id: string) =>
    repeat(PAUSE_MS, async (index) => {
      const present = index % 3 > 0
      const body = { student_id, class_id: classId, class_date: dayAt(index), present }
      const reply = await call('mark', sensei, 'POST', '/attendance', body)
      if (reply) confirmedWrites.marks.add(`${student_id} ${dayAt(index)} ${present}`)
      return reply !== undefined
    })
  const markPayments = (student_id: string) =>
    repeat(PAUSE_MS, async (index) => {
      const payment_year = 2000 + Math.floor(index / 12)
      const payment_month = index % 12
      const body = {
        student_id,
        monthly_payment_amount: 85.5,
        payment_year,
        payment_month,
        payment_status: 'paid',
      }
      const reply = await call('payment', sensei, 'POST', '/payment-records', body)
      if (reply) confirmedWrites.payments.add(`${student_id} ${payment_year}-${payment_month}`)
      return reply !== undefined
    })
  const poll = (path: string) =>
    repeat(PAUSE_MS, async () => (await call('poll', sensei, 'GET', path)) !== undefined)
  const sendTexts = (senderIndex: number, pauseMs: number) =>
    repeat(pauseMs, async (index) => {
      const sender = senders()[senderIndex]
      if (!sender) return true
      // Each text is different, so that the test notices if one arrives twice.
      const body = {
        message_type: 'weather_cancel',
        custom_message: `No class today, {name} (${senderIndex}-${index}).`,
      }
      const reply = (await call('text', sender.sensei, 'POST', '/sms/send-bulk-message', body)) as
        | { batch_id: string }
        | undefined
      if (reply) confirmedWrites.batches.add(reply.batch_id)
      return reply !== undefined
    })
  const clients = [
    ...studentIds.flatMap((id) => [markAttendance(id), markPayments(id)]),
    ...['/notifications/unread-count', '/notifications', '/students', '/dashboard/analytics'].map(
      poll,
    ),
    sendTexts(0, 250),
    sendTexts(1, 900),
  ]
  return {
    confirmedWrites,
    stop: async () => {
      endOfLoad.abort()
      await Promise.all(clients)
    },
  }
}

export type Sender = { sensei: FixtureSensei }
