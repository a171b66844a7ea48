import { hoursForm } from '@tatami/contract/staff/hours'
import { expect, test } from 'vitest'
import { OTHER_TASK, toHoursBody, toHoursValues } from './hours-form.ts'

const DAY = '2026-11-20'

test('sends an entry with times unchanged if nobody edits it', () => {
  const entry = { day: DAY, from: '17:00', until: '18:30', task: 'Class' }
  expect(toHoursBody(toHoursValues({ ...entry, minutes: 90 }))).toEqual(entry)
})

test('sends an entry with minutes and a custom task unchanged if nobody edits it', () => {
  const values = toHoursValues({ day: DAY, from: null, until: null, minutes: 45, task: 'Laundry' })
  expect(values).toMatchObject({ has_minutes_only: true, task_choice: OTHER_TASK })
  expect(toHoursBody(values)).toEqual({ day: DAY, minutes: 45, task: 'Laundry' })
})

test('refuses an empty form', () => {
  const result = hoursForm.safeParse(toHoursBody(toHoursValues({ day: DAY })))
  expect(result.error?.issues.map(({ message }) => message)).toEqual([
    'Enter the start and the end, or only the minutes',
  ])
})
