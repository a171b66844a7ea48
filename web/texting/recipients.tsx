import { formatMoneyInText } from '@tatami/contract/lib/money'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useDebouncedValue } from '@mantine/hooks'
import { textingApi } from '@tatami/contract/texting/texting'
import type { Input } from '@tatami/contract/lib/endpoint'
import {
  AMOUNT,
  type MessageType,
  promiseWords,
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
import { messageOf, needsClasses, type BulkMessageForm } from './bulk-messages.ts'
import styles from './send-dialog.module.css'
import { countSegments, type SegmentCount } from './segment-count.ts'
import { PlainOffer } from './text-notes.tsx'
import kit from '../ui/kit.module.css'

const DEBOUNCE_MS = 300
const CACHED_MS = 30_000

export type RecipientPreview = ReturnType<typeof usePreview>

/** The preview ignores the text, which does not change the recipients. */
export function usePreview(type: MessageType, form: BulkMessageForm) {
  const draft = JSON.stringify(messageOf(type, { ...form, custom_message: '' }))
  const [debouncedDraft] = useDebouncedValue(draft, DEBOUNCE_MS)
  const body: Input<typeof textingApi.preview>['body'] = JSON.parse(debouncedDraft)
  const isReady = (classIds: string[]) => !needsClasses(type) || classIds.length > 0
  const { data, isError, isPlaceholderData, refetch } = useQuery({
    ...endpointQuery(textingApi.preview, { body }),
    enabled: isReady(body.selected_classes ?? []),
    placeholderData: keepPreviousData,
    gcTime: CACHED_MS,
  })
  const isComplete = isReady(form.selected_classes)
  return {
    isComplete,
    data,
    isError: isError && !data,
    isStale: isPlaceholderData || debouncedDraft !== draft,
    refetch: () => void refetch(),
  }
}

type Props = {
  preview: RecipientPreview
  words: string
  setWords?: (words: string) => void
}

export function Recipients({
  preview: { isComplete, data, isError, refetch },
  words,
  setWords,
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
      {data && <RecipientDetails preview={data} words={words} setWords={setWords} />}
    </section>
  )
}

function RecipientDetails({
  preview: { students, remaining_messages },
  words,
  setWords,
}: {
  preview: Preview
  words: string
  setWords: Props['setWords']
}) {
  const texts = studentsByText(students)
  const count = countSegments(words, texts),
    getting = students.filter(({ sends }) => sends).length
  return (
    <div className={kit.lines}>
      <p className={kit.muted}>{segmentSummary(count, getting, remaining_messages)}</p>
      {count.cause && <p className={kit.muted}>{UNICODE_CAUSES[count.cause]}</p>}
      {setWords && <PlainOffer text={words} setText={setWords} about={texts} />}
      <PromisedNotice students={students} />
      {students.length > 0 && (
        <RecipientList students={students} showsAmounts={words.includes(AMOUNT)} />
      )}
    </div>
  )
}

type Student = Preview['students'][number]

function PromisedNotice({ students }: { students: Student[] }) {
  const promisedCount = students.filter(({ sends, promised_on }) => sends && promised_on).length
  return (
    promisedCount > 0 && (
      <p className={`${kit.strong} ${kit.orange} ${styles.promised}`}>
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

/** Index of a text → its students */
function studentsByText(students: readonly Student[]): Student[][] {
  const studentsOfText: Student[][] = []
  for (const student of students)
    for (const number of student.texts) (studentsOfText[number] ??= []).push(student)
  return studentsOfText
}

const ORDER: SkipReason[] = [
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
const rank = ({ reason }: Student) => (reason ? ORDER.indexOf(reason) : ORDER.length)

function RecipientList({ students, showsAmounts }: { students: Student[]; showsAmounts: boolean }) {
  const skippedStudents = students
    .filter(({ sends }) => !sends)
    .toSorted((a, b) => rank(a) - rank(b))
  return (
    <Disclosure summary="Names and reasons">
      <Names title="Won’t get it" students={skippedStudents} />
      <Names
        title="Will get it"
        students={students.filter(({ sends }) => sends)}
        showsAmounts={showsAmounts}
      />
    </Disclosure>
  )
}

type NamesProps = { title: string; students: Student[]; showsAmounts?: boolean }

const Names = ({ title, students, showsAmounts = false }: NamesProps) =>
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
            {promised_on && <span className={kit.muted}>{promiseWords(promised_on)}</span>}
            {showsAmounts && amount !== null && (
              <span className={kit.muted}>{formatMoneyInText(amount)}</span>
            )}
          </li>
        ))}
      </ul>
    </>
  )

export function recipientSummary({ students, total_recipients: recipientCount }: Preview): string {
  if (students.length === 0) return 'Nobody gets this: you have no students yet'
  const skippedCount = students.length - recipientCount
  const get =
    recipientCount === 0
      ? 'Nobody gets this'
      : recipientCount === 1
        ? '1 student gets this'
        : `${recipientCount} students get this`
  return skippedCount === 0
    ? get
    : `${get} · ${skippedCount === 1 ? '1 does' : `${skippedCount} do`} not`
}

const perText = ({ least, most }: SegmentCount) =>
  least === most ? pluralize(most, 'segment') : `${least} to ${most} segments`

const UNICODE_CAUSES = {
  words: 'An emoji or special character in the message cuts segments from 160 to 70 characters.',
  name: 'A special character in a name cuts segments from 160 to 70 characters.',
}

/**
 * "27 texts, 27 segments. 300 texts remain today." With shared phones, students come first: "2
 * students, 1 text, 1 segment. …"
 */
function segmentSummary(count: SegmentCount, students: number, remaining: number): string {
  const { texts, most, total } = count
  const inAll = texts === 1 ? '' : ` each, ${pluralize(total, 'segment')} in all`
  const size =
    most === 0
      ? ''
      : most === 1
        ? `, ${pluralize(total, 'segment')}`
        : ` of ${perText(count)}${inAll}`
  const remainingText =
    remaining === 1 ? '1 text remains' : `${remaining.toLocaleString()} texts remain`
  const studentCount = students === texts ? '' : `${pluralize(students, 'student')}, `
  return `${studentCount}${pluralize(texts, 'text')}${size}. ${remainingText} today.`
}
