import { Checkbox, Stack, Textarea } from '@mantine/core'
import { TEXT_MAX } from '@tatami/contract/texting/bulk-message'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { fillTemplate, firstNames, NAME_PLACEHOLDER } from '@tatami/contract/texting/message-types'
import type { slippingAwayApi } from '@tatami/contract/slipping-away/slipping-away'
import type { StudentPhone } from '@tatami/contract/texting/phones'
import { studentsApi } from '@tatami/contract/students/students'
import { textingApi } from '@tatami/contract/texting/texting'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDraft } from '../lib/drafts.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { formatPhone, pluralize } from '../lib/text.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import sendStyles from './send-dialog.module.css'
import { findFamily } from './find-family.ts'
import { DeliveryNote, LimitNotice, SendButton } from './send-dialog.tsx'
import { isSendable, TextNotes } from './text-notes.tsx'
import { TemplateSelect, appendTemplate } from './templates.tsx'
import { describeSendFailure, VacationQuestion } from './vacation-question.tsx'
import { canGetTexts, OPT_OUT_NOTES, usePhones } from './use-phones.ts'
import styles from './text-person-dialog.module.css'
import kit from '../ui/kit.module.css'

type Person = { id: string; name: string }
type Props = {
  students: readonly Person[]
  draftKey: string
  initialText?: string
  /** The at-risk list has its own endpoint, because it counts the students who come back. */
  endpoint?: typeof conversationsApi.textStudents | typeof slippingAwayApi.text
  onClose: () => void
  onSent?: (
    textCount: number,
    skipped: Reply<typeof conversationsApi.textStudents>['skipped'],
  ) => void
}

/** Sends a text to a student, a family or several students. Each phone gets one text. */
export function TextPersonDialog(props: Props) {
  const { students, draftKey, initialText = '', onClose } = props
  const draftId = students.map(({ id }) => id).join()
  const { text, setText, includesFamily, setIncludesFamily } = useTextDraft(
    draftKey,
    draftId,
    initialText,
  )
  const singleStudent = students.length === 1 ? students[0] : undefined
  const family = useFamily(singleStudent?.id)
  const recipients = [...students, ...(includesFamily ? family : [])]
  const phones = usePhones(singleStudent ? recipients : [])
  const send = useSendText(props)
  const reachablePhones = singleStudent && phones.data?.filter(canGetTexts)
  const submit = ({ even_on_vacation } = { even_on_vacation: false }) =>
    send.mutate({ body: { student_ids: recipients.map(({ id }) => id), text, even_on_vacation } })
  return (
    <Sheet
      opened
      onClose={onClose}
      title={`Text ${singleStudent ? singleStudent.name : pluralize(students.length, 'student')}`}
      busy={send.isPending}
      isDirty={text !== initialText}
      onSubmit={(event) => {
        event.preventDefault()
        if (isSendable(text) && !send.isPending) submit()
      }}
      actions={
        <SendActions
          error={send.error}
          busy={send.isPending}
          disabled={!isSendable(text) || reachablePhones?.length === 0}
        />
      }
    >
      <VacationQuestion
        error={send.error}
        busy={send.isPending}
        onSend={() => submit({ even_on_vacation: true })}
        onClose={send.reset}
      />
      <Stack gap="md">
        <DeliveryNote />
        <RecipientList students={students} phones={phones} />
        <TextFields
          text={text}
          setText={setText}
          recipients={recipients}
          previewRecipients={singleStudent ? recipients : students.slice(0, 1)}
        />
        {family.length > 0 && (
          <FamilyCheckbox family={family} checked={includesFamily} onChange={setIncludesFamily} />
        )}
      </Stack>
    </Sheet>
  )
}

const useSendText = ({ endpoint = conversationsApi.textStudents, onSent, onClose }: Props) =>
  useEndpointMutation(endpoint, {
    refreshes: [conversationsApi.thread, conversationsApi.conversations, textingApi.usage],
    onSuccess: ({ total_texts, skipped }) => {
      onSent?.(total_texts, skipped)
      onClose()
    },
  })

type ActionsProps = { error: Error | null; busy: boolean; disabled: boolean }

const SendActions = ({ error, busy, disabled }: ActionsProps) => (
  <>
    <div className={sendStyles.notices}>
      <ErrorNotice>{describeSendFailure(error)}</ErrorNotice>
      <LimitNotice />
    </div>
    <CancelButton />
    <SendButton type="submit" busy={busy} disabled={disabled}>
      Send
    </SendButton>
  </>
)

function useTextDraft(draftKey: string, draftId: string, initialText: string) {
  const [text, setText] = useState(initialText)
  const [includesFamily, setIncludesFamily] = useState(false)
  const setValues = (draft: { text: string; includesFamily: boolean }) => {
    setText(draft.text)
    setIncludesFamily(draft.includesFamily)
  }
  const form = { values: { text, includesFamily }, isDirty: () => text !== initialText, setValues }
  useDraft(draftKey, form, draftId)
  return { text, setText, includesFamily, setIncludesFamily }
}

type FieldsProps = {
  text: string
  setText: (text: string) => void
  recipients: readonly Person[]
  previewRecipients: readonly Person[]
}

const TextFields = ({ text, setText, recipients, previewRecipients }: FieldsProps) => (
  <>
    <Textarea
      label="Message"
      description="{name} becomes the student's first name."
      autosize
      minRows={3}
      maxLength={TEXT_MAX}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
    <TextNotes text={text} setText={setText} recipients={[recipients]} />
    {text.includes(NAME_PLACEHOLDER) && (
      <p className={styles.preview}>Reads: {fillTemplate(text, previewRecipients)}</p>
    )}
    <TemplateSelect onPick={(template) => setText(appendTemplate(text, template))} />
  </>
)

type FamilyProps = {
  family: readonly Person[]
  checked: boolean
  onChange: (isChecked: boolean) => void
}

const FamilyCheckbox = ({ family, checked, onChange }: FamilyProps) => (
  <Checkbox
    label={`Also text ${firstNames(family.map(({ name }) => name))}`}
    description="Same family. Each phone gets one text with all their names."
    checked={checked}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
)

/** The API accepts at most 50 students per request. */
const MAX_RECIPIENTS = 50

function useFamily(studentId: string | undefined) {
  const { data: students = [] } = useQuery(endpointQuery(studentsApi.list))
  const student = students.find(({ id }) => id === studentId)
  return student ? findFamily(student, students).slice(0, MAX_RECIPIENTS - 1) : []
}

type RecipientListProps = { students: readonly Person[]; phones: ReturnType<typeof usePhones> }

function RecipientList({ students, phones }: RecipientListProps) {
  const [firstStudent] = students
  if (firstStudent && students.length === 1)
    return <RecipientPhones phones={phones} name={firstStudent.name} />
  return <p className={kit.strong}>{students.map(({ name }) => name).join(', ')}</p>
}

type PhonesProps = { phones: ReturnType<typeof usePhones>; name: string }

const RecipientPhones = ({ phones: { data, isError, refetch }, name }: PhonesProps) => {
  if (data) return <PhoneList phones={data} name={name} />
  if (!isError) return <SkeletonBlock height="1.5rem" />
  return (
    <ErrorNotice onRetry={refetch}>The phones could not be loaded. You can still send.</ErrorNotice>
  )
}

function PhoneList({ phones, name }: { phones: StudentPhone[]; name: string }) {
  if (phones.length === 0)
    return <p className={`${kit.strong} ${kit.orange}`}>{name} has no valid phone number.</p>
  const reachableCount = phones.filter(canGetTexts).length
  return (
    <div>
      <p className={kit.strong}>
        {reachableCount === 0
          ? 'No phone can get texts'
          : `Goes out as ${pluralize(reachableCount, 'text')}`}
      </p>
      <ul>
        {phones.map(({ phone_number, holder_name, obstacle }) => (
          <li key={phone_number}>
            {holder_name ?? name}, {formatPhone(phone_number)}
            {OPT_OUT_NOTES.has(obstacle) && <strong> {OPT_OUT_NOTES.get(obstacle)}</strong>}
          </li>
        ))}
      </ul>
    </div>
  )
}
