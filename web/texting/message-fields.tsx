import { Button, Textarea, Checkbox } from '@mantine/core'
import {
  AMOUNT_PLACEHOLDER,
  fillTemplate,
  NAME_PLACEHOLDER,
  SAMPLE_AMOUNT,
  SAMPLE_NAME,
} from '@tatami/contract/texting/message-types'
import { type ComponentProps, useRef, type ReactNode } from 'react'
import { classesApi } from '@tatami/contract/classes/classes'
import { useQuery } from '@tanstack/react-query'
import { classOptions } from '../lib/class-options.ts'
import { endpointQuery } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './message-fields.module.css'
import { omitNoticedError, PlaceholderNotice, TextPreview } from './text-notes.tsx'
import kit from '../ui/kit.module.css'

type Props = Omit<ComponentProps<typeof Textarea>, 'value'> & {
  value?: string
  setValue: (text: string) => void
  hasAmount?: boolean
  /** True if the amount is everything past due instead of this month's fee. */
  isBalance?: boolean
}

const NAME_MEANING = "{name} becomes the student's first name."
const SIBLINGS_MEANING = 'or the total for siblings who share a phone.'

export function MessageField({
  value = '',
  setValue,
  hasAmount = false,
  isBalance = false,
  error,
  ...textareaProps
}: Props) {
  const allowedPlaceholders = hasAmount ? 'name-and-amount' : 'name'
  const field = useRef<HTMLTextAreaElement>(null)
  const insert = (placeholder: string) => {
    const { selectionStart = value.length, selectionEnd = selectionStart } = field.current ?? {}
    setValue(`${value.slice(0, selectionStart)}${placeholder}${value.slice(selectionEnd)}`)
    field.current?.focus()
    const cursor = selectionStart + placeholder.length
    requestAnimationFrame(() => field.current?.setSelectionRange(cursor, cursor))
  }
  const sample = { name: SAMPLE_NAME, ...(hasAmount && { amount: SAMPLE_AMOUNT }) }
  const amountMeaning = isBalance ? 'everything past due' : 'this month’s fee'
  const description = hasAmount
    ? `${NAME_MEANING} {amount} becomes ${amountMeaning}, ${SIBLINGS_MEANING}`
    : NAME_MEANING
  return (
    <div className={kit.stackTight}>
      <Textarea
        label="Message"
        description={description}
        autosize
        minRows={3}
        value={value}
        ref={field}
        error={omitNoticedError(error, value, allowedPlaceholders)}
        {...textareaProps}
      />
      <div className={styles.placeholders}>
        {[NAME_PLACEHOLDER, ...(hasAmount ? [AMOUNT_PLACEHOLDER] : [])].map((placeholder) => (
          <Button
            key={placeholder}
            variant="subtle"
            size="sm"
            px={0}
            mih="2.75rem"
            onClick={() => insert(placeholder)}
          >
            Insert {placeholder}
          </Button>
        ))}
      </div>
      <PlaceholderNotice text={value} setText={setValue} placeholders={allowedPlaceholders} />
      <TextPreview caption="Preview">
        {fillTemplate(value.trim(), [sample]) || (
          <span className={kit.muted}>Nothing written yet</span>
        )}
      </TextPreview>
    </div>
  )
}

const ALL_STUDENTS = 'all'

type ClassCheckboxesProps = {
  /** If false, no selected class means all students. */
  required: boolean
  value?: string[]
  onChange?: (classIds: string[]) => void
  error?: ReactNode
  'data-path'?: string
}

export function ClassCheckboxes({
  required,
  value: classIds = [],
  onChange,
  error,
  'data-path': path,
}: ClassCheckboxesProps) {
  const { data: classes, isError, refetch } = useQuery(endpointQuery(classesApi.list))
  const value = required || classIds.length > 0 ? classIds : [ALL_STUDENTS]
  const change = (checkedValues: string[]) => {
    const hasJustCheckedAll = classIds.length > 0 && checkedValues.includes(ALL_STUDENTS)
    onChange?.(hasJustCheckedAll ? [] : checkedValues.filter((id) => id !== ALL_STUDENTS))
  }
  return (
    <Checkbox.Group
      label="Classes"
      size="md"
      required={required}
      value={value}
      onChange={change}
      error={error}
      data-path={path}
      tabIndex={-1}
      inputWrapperOrder={['label', 'error', 'input']}
      className={styles.classes}
    >
      <div className={styles.checkboxes}>
        {!required && <Checkbox size="md" value={ALL_STUDENTS} label="All Students" />}
        {classOptions(classes ?? []).map((option) => (
          <Checkbox key={option.value} size="md" value={option.value} label={option.label} />
        ))}
      </div>
      {!classes && !isError && <Skeletons count={4} height={36} label="" />}
      {!classes && isError && (
        <ErrorNotice onRetry={() => void refetch()}>
          Your classes could not be loaded.{!required && ' You can still send to all students.'}
        </ErrorNotice>
      )}
      {required && classes?.length === 0 && (
        <p className={kit.muted}>
          Special messages go to classes. Create your first class in the Class Center.
        </p>
      )}
    </Checkbox.Group>
  )
}
