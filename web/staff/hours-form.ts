import { CLASS_TASK, DESK_TASK, type HoursForm, TASKS } from '@tatami/contract/staff/hours'

/** The choice of the task field with which people write their own words. */
export const OTHER_TASK = 'Other'
export const TASK_CHOICES = [...TASKS, OTHER_TASK]

export type HoursValues = {
  day: string
  from: string
  until: string
  /** Whether the form has minutes in place of the start and the end. */
  has_minutes_only: boolean
  minutes: string
  task_choice: string
  own_task: string
}

type HoursStart = Pick<HoursForm, 'day'> & {
  from?: string | null
  until?: string | null
  minutes?: number
  task?: string
}

/** The form for a new entry, or with the values of an existing one. */
export function toHoursValues({ day, from, until, minutes, task }: HoursStart): HoursValues {
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

export const isClassChoice = ({ task_choice }: HoursValues): boolean => task_choice === CLASS_TASK

/** The field of the form that has a field of the request. */
export const hoursFieldOf = (field: string): string => (field === 'task' ? 'own_task' : field)
