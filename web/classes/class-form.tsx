import { type Weekday, WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import { SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { IconCheck } from '@tabler/icons-react'
import {
  CLASS_DAYS_HINT,
  CLASS_NAME_HINT,
  classForm,
  daysText,
  type DojoClass,
  END_TIMES,
  isClassTime,
  findNonLetters,
  lettersOnly,
  placesForm,
  START_TIMES,
} from '@tatami/contract/classes/classes'
import { type ChangeEvent, type ReactNode, useId, useState } from 'react'
import type { z } from 'zod'
import { cleanTypedText, useSchemaForm } from '../lib/form.ts'
import { pluralize } from '../lib/text.ts'
import styles from './class-form.module.css'
import { TimeField } from './time-field.tsx'
import kit from '../ui/kit.module.css'

export const ClassFields = ({ form }: { form: ClassFormState }) => (
  <Stack gap="md">
    <ClassNameField {...form.getInputProps('class_name')} />
    <Textarea label="Description" required rows={3} {...form.getInputProps('description')} />
    <DayToggles {...form.getInputProps('class_days')} />
    <SimpleGrid cols={2} spacing="md">
      <TimeField
        label="Start time"
        times={START_TIMES}
        {...form.getInputProps('class_start_time')}
      />
      <TimeField label="End time" times={END_TIMES} {...form.getInputProps('class_end_time')} />
    </SimpleGrid>
    <TextInput
      label="Places"
      description="Leave empty for no limit"
      inputMode="numeric"
      autoComplete="off"
      {...form.getInputProps('places')}
    />
  </Stack>
)

type ClassForm = {
  class_name: string
  description: string
  class_days: Weekday[]
  class_start_time: string
  class_end_time: string
  places: string
}

export const EMPTY_CLASS_FORM: ClassForm = {
  class_name: '',
  description: '',
  class_days: [],
  class_start_time: '',
  class_end_time: '',
  places: '',
}

const timeOrEmpty = (time: string | null) => (time && isClassTime(time) ? time : '')

/** Older classes may have no days and times. */
export const classToForm = (dojoClass: DojoClass): ClassForm => ({
  class_name: dojoClass.class_name,
  description: dojoClass.description ?? '',
  class_days: dojoClass.class_days,
  class_start_time: timeOrEmpty(dojoClass.class_start_time),
  class_end_time: timeOrEmpty(dojoClass.class_end_time),
  places: String(dojoClass.places ?? ''),
})

const classFormSchema = classForm.extend(placesForm.shape)
const toRequestBody = ({ places, ...fields }: ClassForm) => ({
  ...fields,
  places: places.trim() === '' ? null : Number(places),
})

export const useClassForm = (initialValues: ClassForm) =>
  useSchemaForm(classFormSchema, initialValues, toRequestBody)

export type NewClass = z.output<typeof classFormSchema>

/** Places are saved separately, because more places can move students up from the waitlist. */
export type SavePlaces = (id: string, places: number | null) => Promise<unknown>
type ClassFormState = ReturnType<typeof useClassForm>

function ClassNameField({ onChange, ...field }: GetInputPropsReturnType) {
  const [removedCharacters, setRemovedCharacters] = useState<readonly string[]>([])
  const changeName = (event: ChangeEvent<HTMLInputElement>) => {
    const name = event.currentTarget.value
    const earlierCharacters = name === '' ? [] : removedCharacters
    setRemovedCharacters([...new Set([...earlierCharacters, ...findNonLetters(name)])])
    onChange(cleanTypedText(event, lettersOnly))
  }
  return (
    <Stack gap={4}>
      <TextInput
        label="Class name"
        description={CLASS_NAME_HINT}
        required
        autoComplete="off"
        {...field}
        onChange={changeName}
      />
      <Text role="status" size="sm" c="dimmed">
        {removedCharacters.length > 0 && `Removed: ${removedCharacters.join(' ')}`}
      </Text>
    </Stack>
  )
}

type DayTogglesProps = {
  value?: Weekday[]
  onChange: (days: Weekday[]) => void
  error?: ReactNode
  'data-path'?: string
}

const describeDaysPerWeek = (dayCount: number) =>
  dayCount === WEEKDAYS.length ? 'Every day' : `${pluralize(dayCount, 'day')} a week`

function DayToggles({ value = [], onChange, error, 'data-path': dataPath }: DayTogglesProps) {
  const hintId = useId()
  const toggle = (day: Weekday) =>
    onChange(
      value.includes(day) ? value.filter((selectedDay) => selectedDay !== day) : [...value, day],
    )
  return (
    <fieldset className={kit.fieldset} aria-describedby={hintId}>
      <legend className={kit.legend}>
        Class days{' '}
        <span aria-hidden className={kit.red}>
          *
        </span>
      </legend>
      <p
        id={hintId}
        className={`${kit.note} ${styles.hint}`}
        data-wrong={Boolean(error)}
        role={error ? 'alert' : undefined}
      >
        {value.length === 0 ? CLASS_DAYS_HINT : describeDaysPerWeek(value.length)}
      </p>
      <div className={`${kit.stackTight} ${styles.days}`}>
        {WEEKDAYS.map((day, index) => (
          <label key={day} className={`${kit.line} ${styles.day}`}>
            <input
              type="checkbox"
              className={styles.checkboxInput}
              checked={value.includes(day)}
              onChange={() => toggle(day)}
              data-path={index === 0 ? dataPath : undefined}
            />
            <span className={styles.checkmark}>
              <IconCheck size={14} stroke={3} aria-hidden />
            </span>
            {daysText({ class_days: [day] })}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
