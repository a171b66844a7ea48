import { TextInput } from '@mantine/core'
import { IconClipboardCheck, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { classesApi, daysText, timeRange } from '@tatami/contract/classes/classes'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { today } from '../lib/dates.ts'
import { useOpen } from '../lib/layout-link.tsx'
import { type LinkPath, rollPath, studentPath } from '../lib/paths.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { formatPhone, joinWords, pluralize } from '../lib/text.ts'
import { classNames } from '../lib/class-groups.ts'
import { rankEdge, rankName } from '../ui/rank-words.ts'
import { RetryNotice } from '../ui/notices.tsx'
import belt from '../ui/row-marks.module.css'
import { Sheet } from '../ui/sheet.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { type Destination, findAnything } from './find.ts'
import styles from './find-dialog.module.css'
import { admits, SCREENS } from './routes.tsx'
import kit from '../ui/kit.module.css'

/** Screens that an instructor can open without a parameter, each title once. */
const DESTINATIONS: Destination[] = [
  ...new Map(
    SCREENS.filter(({ audience, path }) => admits(audience, 'instructor') && !path.includes(':'))
      .toReversed()
      .map(({ path, title }) => [title, { path, title }]),
  ).values(),
].toReversed()

type Option = { key: string; path: LinkPath; content: ReactNode }
type Group = { label: string; options: Option[]; more?: string }

export function FindDialog({ onClose }: { onClose: () => void }) {
  const [text, setTyped] = useState('')
  const { groups, isPending, onRetry } = useFound(text)
  const open = useOpen()
  // Replaces the dialog's history entry, so that Back returns to the page below the dialog.
  const choose = ({ path }: Option) => {
    open(path, { replace: true })
    onClose()
  }
  const count = groups.reduce((sum, { options }) => sum + options.length, 0)
  return (
    <Sheet opened onClose={onClose} title="Find">
      <div className={styles.find}>
        <Listbox
          value={text}
          onChange={setTyped}
          groups={groups}
          onChoose={choose}
          empty={
            text.trim() !== '' &&
            count === 0 &&
            !isPending &&
            !onRetry &&
            'Nobody and nothing has this name.'
          }
        />
        <VisuallyHidden role="status">
          {text.trim() !== '' && !isPending && pluralize(count, 'result')}
        </VisuallyHidden>
        {onRetry && <RetryNotice onRetry={onRetry}>The students could not be loaded.</RetryNotice>}
      </div>
    </Sheet>
  )
}

const contactFor = (text: string, { email, phone_number }: Student) =>
  text.includes('@')
    ? email
    : /\d/.test(text) && phone_number
      ? formatPhone(phone_number)
      : undefined

function useFound(text: string): {
  groups: Group[]
  isPending: boolean
  onRetry: (() => void) | undefined
} {
  const students = useRetryingQuery(endpointQuery(studentsApi.list))
  const { data: classes = [] } = useQuery(endpointQuery(classesApi.list))
  const results = findAnything(text, {
    students: students.data ?? [],
    classes,
    screens: DESTINATIONS,
  })
  const groups: Group[] = [
    {
      label: 'Students',
      options: results.students.map((student) => ({
        key: student.id,
        path: studentPath(student.id),
        content: (
          <span
            className={`${belt.edge} ${styles.student}`}
            style={rankEdge(student.rank, student.belt_level)}
          >
            <span className={kit.strong}>{student.name}</span>
            <span className={styles.about}>
              {joinWords(
                [
                  rankName(student.rank, student.belt_level),
                  classNames(student, classes) || 'No classes',
                  contactFor(text, student),
                ],
                ' · ',
              )}
            </span>
          </span>
        ),
      })),
      ...(results.moreStudents > 0 && {
        more: `${results.moreStudents} more: type more of the name.`,
      }),
    },
    {
      label: 'Mark attendance of',
      options: results.classes.map((c) => ({
        key: c.id,
        path: rollPath({ class_id: c.id, day: today() }),
        content: (
          <span className={styles.place}>
            <IconClipboardCheck size={20} stroke={1.5} aria-hidden />
            <span>
              <span className={kit.strong}>{c.class_name}</span>{' '}
              <span className={styles.about}>
                {daysText(c)}, {timeRange(c)}
              </span>
            </span>
          </span>
        ),
      })),
    },
    {
      label: 'Screens',
      options: results.screens.map(({ path, title }) => ({
        key: path,
        path,
        content: <span className={kit.strong}>{title}</span>,
      })),
    },
  ]
  return {
    groups: groups.filter(({ options }) => options.length > 0),
    isPending: students.isPending,
    onRetry: students.isUnavailable ? students.retry : undefined,
  }
}

type ListboxProps = {
  value: string
  onChange: (typed: string) => void
  groups: Group[]
  onChoose: (option: Option) => void
  empty: string | false
}

/**
 * An ARIA combobox: the focus stays in the field, arrows move through the results, Enter opens the
 * active one. Mantine's Combobox marks a result only after an arrow key.
 */
function Listbox({ value, onChange, groups, onChoose, empty }: ListboxProps) {
  const id = useId()
  const [selection, setChosen] = useState({ typed: value, at: 0 })
  const options = groups.flatMap((group) => group.options)
  // A changed search starts at its best result again.
  const activeIndex = selection.typed === value ? Math.min(selection.at, options.length - 1) : 0
  const idOf = ({ key }: Option) => `${id}-${key}`
  const activeOption = options[activeIndex]
  const markedId = activeOption && idOf(activeOption)
  useEffect(() => {
    if (markedId) document.getElementById(markedId)?.scrollIntoView({ block: 'nearest' })
  }, [markedId])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !activeOption) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step)
      setChosen({ typed: value, at: (activeIndex + step + options.length) % options.length })
    else if (event.key === 'Enter') onChoose(activeOption)
    else return
    event.preventDefault()
  }
  return (
    <>
      <TextInput
        className={styles.field}
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={markedId}
        aria-autocomplete="list"
        aria-label="Find a student, class or screen"
        placeholder="Name, phone, email, class or screen"
        data-autofocus
        autoComplete="off"
        enterKeyHint="go"
        leftSection={<IconSearch size={18} aria-hidden />}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={`${id}-list`} aria-label="Results" className={kit.stackTight}>
        {groups.map(({ label, options: ofGroup, more }) => (
          <div key={label} role="group" aria-label={label}>
            <p className={styles.label} aria-hidden>
              {label}
            </p>
            {ofGroup.map((option) => (
              <button
                key={option.key}
                type="button"
                role="option"
                id={idOf(option)}
                tabIndex={-1}
                aria-selected={option === activeOption}
                className={`${kit.bareButton} ${styles.option}`}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChoose(option)}
              >
                {option.content}
              </button>
            ))}
            {more && (
              <p className={`${kit.note} ${styles.more}`} role="presentation">
                {more}
              </p>
            )}
          </div>
        ))}
      </div>
      {empty && <p className={`${kit.note} ${styles.more}`}>{empty}</p>}
    </>
  )
}
