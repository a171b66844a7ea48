import { classForm, END_TIMES, START_TIMES, type DojoClass, type Weekday } from '@tatami/contract/classes'
import { useSchemaForm } from '../lib/form.ts'

/** A class as its form holds it. */
export const NEW_CLASS = { class_name: '', description: '', class_days: [] as Weekday[], class_start_time: '', class_end_time: '' }

const offered = (time: string | null, times: string[]) => (time && times.includes(time) ? time : '')

/** What the form can take over from a class; older records may lack days and times. */
export const fieldsOf = (c: DojoClass): typeof NEW_CLASS => ({
  class_name: c.class_name,
  description: c.description ?? '',
  class_days: c.class_days,
  class_start_time: offered(c.class_start_time, START_TIMES),
  class_end_time: offered(c.class_end_time, END_TIMES),
})

export const useClassForm = (initial: typeof NEW_CLASS) => useSchemaForm(classForm, initial)
export type ClassFormState = ReturnType<typeof useClassForm>
