import { DESK_TASK, type HoursForm, TASKS } from '@tatami/contract/staff/hours'

/** With this task, people enter their own name for the task. */
export const OTHER_TASK = 'Other'
export const TASK_CHOICES = [...TASKS, OTHER_TASK]

export type HoursValues = {
  day: string
  from: string
  until: string
  /** True if the form asks for minutes instead of the start and the end. */
  has_minutes_only: boolean
  minutes: string
  task_choice: string
  own_task: string
}

type InitialHours = Pick<HoursForm, 'day'> & {
  from?: string | null
  until?: string | null
  minutes?: number
  task?: string
}

/** The form's values for an existing entry, or for a new one without times. */
export function toHoursValues({ day, from, until, minutes, task }: InitialHours): HoursValues {
  const isListedTask = task === undefined || TASKS.some((listedTask) => listedTask === task)
  return {
    day,
    from: from ?? '',
    until: until ?? '',
    has_minutes_only: minutes !== undefined && !from,
    minutes: minutes !== undefined && !from ? String(minutes) : '',
    task_choice: isListedTask ? (task ?? DESK_TASK) : OTHER_TASK,
    own_task: isListedTask ? '' : task,
  }
}

export const toHoursBody = (values: HoursValues) => ({
  day: values.day,
  task: values.task_choice === OTHER_TASK ? values.own_task : values.task_choice,
  ...(values.has_minutes_only
    ? { minutes: values.minutes === '' ? NaN : Number(values.minutes) }
    : { from: values.from, until: values.until }),
})

/** Returns the form field that shows the error of a field of the request. */
export const toFormField = (field: string): string => (field === 'task' ? 'own_task' : field)
