import { formatMoneyInText } from '@tatami/contract/lib/money'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useDebouncedValue } from '@mantine/hooks'
import { textingApi } from '@tatami/contract/texting/texting'
import type { Input } from '@tatami/contract/lib/endpoint'
import {
  AMOUNT_PLACEHOLDER,
  type MessageType,
  promiseLabel,
  SKIP_REASON_LABELS,
  type SkipReason,
} from '@tatami/contract/texting/message-types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Preview } from '@tatami/contract/texting/bulk-message'
import { pluralize } from '../lib/text.ts'
import { endpointQuery } from '../lib/query.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { createMessageRequest, needsClasses, type BulkMessageForm } from './bulk-messages.ts'
import styles from './send-dialog.module.css'
import { countSegments, type SegmentCount } from './segment-count.ts'
import { PlainCharactersOffer } from './text-notes.tsx'
import kit from '../ui/kit.module.css'

const DEBOUNCE_MS = 300
const CACHE_TIME_MS = 30_000

export type RecipientPreview = ReturnType<typeof usePreview>

/** Requests the recipients of a message. They do not depend on its text, so it is left out. */
export function usePreview(type: MessageType, form: BulkMessageForm) {
  const requestJson = JSON.stringify(createMessageRequest(type, { ...form, custom_message: '' }))
  const [debouncedJson] = useDebouncedValue(requestJson, DEBOUNCE_MS)
  const body: Input<typeof textingApi.preview>['body'] = JSON.parse(debouncedJson)
  const hasNeededClasses = (classIds: string[]) => !needsClasses(type) || classIds.length > 0
  const { data, isError, isPlaceholderData, refetch } = useQuery({
    ...endpointQuery(textingApi.preview, { body }),
    enabled: hasNeededClasses(body.selected_classes ?? []),
    placeholderData: keepPreviousData,
    gcTime: CACHE_TIME_MS,
  })
  return {
    /** False while a special message has no classes. */
    isComplete: hasNeededClasses(form.selected_classes),
    data,
    isError: isError && !data,
    isStale: isPlaceholderData || debouncedJson !== requestJson,
    refetch: () => void refetch(),
  }
}

type Props = {
  preview: RecipientPreview
  message: string
  setMessage?: (message: string) => void
}

export function Recipients({
  preview: { isComplete, data, isError, refetch },
  message,
  setMessage,
}: Props) {
  if (!isComplete) return null
  return (
    <section aria-labelledby="who-gets-it" className={`${kit.stackTight} ${kit.divided}`}>
      <h3 id="who-gets-it" className={kit.titleSmall}>
        Who gets it
      </h3>
      {isError && (
        <ErrorNotice onRetry={refetch}>
          The recipients could not be loaded. You can still send.
        </ErrorNotice>
      )}
      {!data && !isError && <SkeletonBlock height="4.75rem" />}
      {data && <RecipientDetails preview={data} message={message} setMessage={setMessage} />}
    </section>
  )
}

type DetailsProps = { preview: Preview } & Pick<Props, 'message' | 'setMessage'>

function RecipientDetails({
  preview: { students, remaining_messages },
  message,
  setMessage,
}: DetailsProps) {
  const studentsByText = groupStudentsByText(students)
  const count = countSegments(message, studentsByText)
  const recipientCount = students.filter(({ sends }) => sends).length
  return (
    <div className={kit.lines}>
      <p className={kit.muted}>{summarizeSegments(count, recipientCount, remaining_messages)}</p>
      {count.unicodeCause && <p className={kit.muted}>{UNICODE_CAUSES[count.unicodeCause]}</p>}
      {setMessage && (
        <PlainCharactersOffer text={message} setText={setMessage} recipients={studentsByText} />
      )}
      <PromiseNotice students={students} />
      {students.length > 0 && (
        <RecipientList students={students} showsAmounts={message.includes(AMOUNT_PLACEHOLDER)} />
      )}
    </div>
  )
}

type Student = Preview['students'][number]

function PromiseNotice({ students }: { students: Student[] }) {
  const promisedCount = students.filter(({ sends, promised_on }) => sends && promised_on).length
  return (
    promisedCount > 0 && (
      <p className={`${kit.strong} ${kit.orange} ${styles.promiseNotice}`}>
        <IconAlertTriangle size={20} aria-hidden />
        <span>
          {promisedCount === 1
            ? '1 student who gets this has'
            : `${promisedCount} students who get this have`}{' '}
          promised to pay. They’ll still get it.
        </span>
      </p>
    )
  )
}

/** Returns the students of each text. Students who share a phone share a text. The server numbers
 *  the texts of a preview. */
function groupStudentsByText(students: readonly Student[]): Student[][] {
  const studentsByText: Student[][] = []
  for (const student of students) {
    for (const textNumber of student.texts) {
      const studentsOfText = studentsByText[textNumber] ?? []
      studentsByText[textNumber] = [...studentsOfText, student]
    }
  }
  return studentsByText
}

/** The order of skipped students. Reasons that the instructor can fix come first. */
const REASON_ORDER: SkipReason[] = [
  'no_valid_phone',
  'opted_out',
  'promised',
  'vacation',
  'trial',
  'paid',
  'owes_nothing',
  'not_late',
  'not_in_class',
]
const findReasonPosition = ({ reason }: Student) =>
  reason ? REASON_ORDER.indexOf(reason) : REASON_ORDER.length

function RecipientList({ students, showsAmounts }: { students: Student[]; showsAmounts: boolean }) {
  const skippedStudents = students
    .filter(({ sends }) => !sends)
    .toSorted((a, b) => findReasonPosition(a) - findReasonPosition(b))
  return (
    <Disclosure summary="Names and reasons">
      <NameList title="Won’t get it" students={skippedStudents} />
      <NameList
        title="Will get it"
        students={students.filter(({ sends }) => sends)}
        showsAmounts={showsAmounts}
      />
    </Disclosure>
  )
}

type NameListProps = { title: string; students: Student[]; showsAmounts?: boolean }

const NameList = ({ title, students, showsAmounts = false }: NameListProps) =>
  students.length > 0 && (
    <>
      <h4 className={`${kit.note} ${styles.namesTitle}`}>
        {title} ({students.length})
      </h4>
      <ul className={styles.namesList} aria-label={title}>
        {students.map(({ student_id, name, reason, amount, promised_on }) => (
          <li key={student_id}>
            <StudentLink id={student_id}>{name}</StudentLink>
            {reason && reason !== 'promised' && (
              <span className={kit.muted}>{SKIP_REASON_LABELS[reason]}</span>
            )}
            {promised_on && <span className={kit.muted}>{promiseLabel(promised_on)}</span>}
            {showsAmounts && amount !== null && (
              <span className={kit.muted}>{formatMoneyInText(amount)}</span>
            )}
          </li>
        ))}
      </ul>
    </>
  )

function describeRecipients(count: number): string {
  if (count === 0) return 'No one gets this'
  return count === 1 ? '1 student gets this' : `${count} students get this`
}

/** Returns, for example, "12 students get this · 3 do not". */
export function summarizeRecipients({ students, total_recipients }: Preview): string {
  if (students.length === 0) return 'No one gets this: you have no students yet'
  const skippedCount = students.length - total_recipients
  if (skippedCount === 0) return describeRecipients(total_recipients)
  const skippedText = skippedCount === 1 ? '1 does not' : `${skippedCount} do not`
  return `${describeRecipients(total_recipients)} · ${skippedText}`
}

const UNICODE_CAUSES = {
  message: 'An emoji or special character in the message cuts segments from 160 to 70 characters.',
  name: 'A special character in a name cuts segments from 160 to 70 characters.',
}

/** Returns ", 27 segments", or " of 1 to 2 segments each, 40 segments in all" if some texts need
 *  2. */
function describeSegments({
  textCount,
  minSegments,
  maxSegments,
  totalSegments,
}: SegmentCount): string {
  const totalText = pluralize(totalSegments, 'segment')
  if (maxSegments === 0) return ''
  if (maxSegments === 1) return `, ${totalText}`
  const eachText =
    minSegments === maxSegments
      ? pluralize(maxSegments, 'segment')
      : `${minSegments} to ${maxSegments} segments`
  return textCount === 1 ? ` of ${eachText}` : ` of ${eachText} each, ${totalText} in all`
}

/** Returns, for example, "27 texts, 27 segments. 300 texts remain today." If students share phones,
 *  the number of students comes first. */
function summarizeSegments(
  count: SegmentCount,
  studentCount: number,
  remainingCount: number,
): string {
  const studentText =
    studentCount === count.textCount ? '' : `${pluralize(studentCount, 'student')}, `
  const remainingText =
    remainingCount === 1 ? '1 text remains' : `${remainingCount.toLocaleString()} texts remain`
  const textCountText = pluralize(count.textCount, 'text')
  return `${studentText}${textCountText}${describeSegments(count)}. ${remainingText} today.`
}
