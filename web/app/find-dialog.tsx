import { TextInput } from '@mantine/core'
import { IconClipboardCheck, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { nameStartsWith } from '@tatami/contract/lib/name-search'
import type { SignedInUser } from '@tatami/contract/accounts/users'
import { classesApi, daysText, type DojoClass, timeRange } from '@tatami/contract/classes/classes'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { logout } from '../accounts/logout.ts'
import { can, useCurrentUser } from '../lib/current-user.ts'
import { today } from '../lib/dates.ts'
import { useOpenPage } from '../lib/layout-link.tsx'
import { type LinkPath, rollPath, studentPath } from '../lib/paths.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { formatPhone, joinNonEmpty, pluralize } from '../lib/text.ts'
import { enrolledClassNames } from '../lib/class-groups.ts'
import { rankEdgeStyle, rankName } from '../ui/rank-name.ts'
import { RetryNotice } from '../ui/notices.tsx'
import rowMarks from '../ui/row-marks.module.css'
import { describeDeparture } from '../students/departure-text.ts'
import { hiddenMatchesNote } from '../ui/search-picker.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { type Action, type Destination, findAnything } from './find.ts'
import { ANSWERS } from './find-actions.ts'
import styles from './find-dialog.module.css'
import { listAllowedActions } from './allowed-actions.ts'
import { canOpen, SCREENS } from './routes.tsx'
import kit from '../ui/kit.module.css'

/** Lists each title only once, because two paths may lead to the same screen. */
function listDestinations(user: SignedInUser): Destination[] {
  const screens = SCREENS.filter((screen) => canOpen(screen, user) && !screen.path.includes(':'))
  const titles = screens.map(({ title }) => title)
  return screens
    .filter(({ title }, index) => titles.indexOf(title) === index)
    .map(({ path, title }) => ({ path, title }))
}

type Option = { key: string; content: ReactNode } & ({ path: LinkPath } | { run: () => void })
type Group = { label: string; options: Option[]; note?: string | false }

export function FindDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const { groups, isPending, onRetry } = useSearchResults(text)
  const openPage = useOpenPage()
  // Replaces the dialog's history entry, so that Back returns to the page below the dialog.
  const choose = (option: Option) => {
    if ('path' in option) openPage(option.path, { replace: true })
    else option.run()
    onClose()
  }
  const resultCount = groups.flatMap(({ options }) => options).length
  const hasSearched = text.trim() !== '' && !isPending
  const answer = hasSearched && findAnswer(text)
  return (
    <Sheet opened onClose={onClose} title="Find">
      <div className={styles.content}>
        <Combobox value={text} onChange={setText} groups={groups} onChoose={choose}>
          {answer && <p className={styles.note}>{answer}</p>}
          {hasSearched && resultCount === 0 && !answer && !onRetry && (
            <p className={`${kit.note} ${styles.note}`}>No results</p>
          )}
          {onRetry && (
            <RetryNotice onRetry={onRetry}>The students could not be loaded.</RetryNotice>
          )}
        </Combobox>
        <VisuallyHidden role="status">
          {hasSearched && (answer || pluralize(resultCount, 'result'))}
        </VisuallyHidden>
      </div>
    </Sheet>
  )
}

const MIN_ANSWER_LETTERS = 3

/** Finds the answer that has a word starting with the text. */
function findAnswer(text: string) {
  if (text.trim().length < MIN_ANSWER_LETTERS) return undefined
  const startsWithText = nameStartsWith(text)
  return ANSWERS.find(({ words }) => startsWithText(words))?.answer
}

function useSearchResults(text: string) {
  const user = useCurrentUser()
  const [{ screens, actions }] = useState(() => ({
    screens: listDestinations(user),
    actions: listAllowedActions(user),
  }))
  const students = useRetryingQuery(endpointQuery(studentsApi.list))
  const { data: classes = [] } = useQuery(endpointQuery(classesApi.list))
  const isSearching = text.trim() !== ''
  const formerStudents = useQuery({
    ...endpointQuery(studentsApi.former),
    enabled: isSearching && can(user, 'students.read'),
  })
  const results = findAnything(text, {
    students: students.data ?? [],
    formerStudents: formerStudents.data ?? [],
    classes,
    screens,
    actions,
  })
  const groups: Group[] = [
    {
      label: 'Students',
      options: (can(user, 'students.read') ? results.students : []).map((student) => ({
        key: student.id,
        path: studentPath(student.id),
        content: <StudentResult student={student} classes={classes} text={text} />,
      })),
      note: hiddenMatchesNote(results.hiddenStudentCount),
    },
    {
      label: 'Former',
      options: results.formerStudents.map((student) => ({
        key: student.id,
        path: studentPath(student.id),
        content: <StudentResult student={student} classes={classes} text={text} />,
      })),
      note: hiddenMatchesNote(results.hiddenFormerStudentCount),
    },
    {
      label: 'Mark attendance',
      options: (can(user, 'roll') ? results.classes : []).map((dojoClass) => ({
        key: dojoClass.id,
        path: rollPath({ class_id: dojoClass.id, day: today() }),
        content: <ClassResult dojoClass={dojoClass} />,
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
    {
      label: 'Actions',
      options: [...results.actions.map(toActionOption), ...listLogoutOptions(text)],
    },
  ]
  return {
    groups: groups.filter(({ options }) => options.length > 0),
    isPending: students.isPending || formerStudents.isLoading,
    onRetry: students.isUnavailable ? students.retry : undefined,
  }
}

const toActionOption = ({ path, title, details }: Action, index: number): Option => ({
  // The path is not a key, because several actions may lead to the same page.
  key: `action-${index}`,
  path,
  content: (
    <span className={styles.action}>
      <span className={kit.strong}>{title}</span>
      {details && <span className={styles.details}>{details}</span>}
    </span>
  ),
})

const LOGOUT_SEARCH_WORDS = 'log out sign out leave'

function listLogoutOptions(text: string): Option[] {
  if (text.trim() === '' || !nameStartsWith(text)(LOGOUT_SEARCH_WORDS)) return []
  const content = <span className={kit.strong}>Log out</span>
  return [{ key: 'logout', run: () => void logout(), content }]
}

type StudentResultProps = { student: Student; classes: readonly DojoClass[]; text: string }

function StudentResult({ student, classes, text }: StudentResultProps) {
  const phone = /\d/.test(text) && student.phone_number && formatPhone(student.phone_number)
  const details = [
    rankName(student.rank, student.belt_level),
    student.left_on
      ? describeDeparture(student)
      : enrolledClassNames(student, classes) || 'No classes',
    text.includes('@') ? student.email : phone,
  ]
  return (
    <span
      className={`${rowMarks.edge} ${styles.student}`}
      style={rankEdgeStyle(student.rank, student.belt_level)}
    >
      <span className={kit.strong}>{student.name}</span>
      <span className={styles.details}>{joinNonEmpty(details, ' · ')}</span>
    </span>
  )
}

const ClassResult = ({ dojoClass }: { dojoClass: DojoClass }) => (
  <span className={styles.classResult}>
    <IconClipboardCheck size={20} stroke={1.5} aria-hidden />
    <span>
      <span className={kit.strong}>{dojoClass.class_name}</span>{' '}
      <span className={styles.details}>
        {daysText(dojoClass)}, {timeRange(dojoClass)}
      </span>
    </span>
  </span>
)

type ComboboxProps = {
  value: string
  onChange: (text: string) => void
  groups: Group[]
  onChoose: (option: Option) => void
  /** Shown above the results. */
  children: ReactNode
}

/** An ARIA combobox. Unlike Mantine's, it preselects the first result. */
function Combobox({ value, onChange, groups, onChoose, children }: ComboboxProps) {
  const id = useId()
  // A selection belongs to one text. After the text changes, the first result is selected.
  const [selection, setSelection] = useState({ text: value, index: 0 })
  const options = groups.flatMap((group) => group.options)
  const index = selection.text === value ? Math.min(selection.index, options.length - 1) : 0
  const activeOption = options[index]
  const activeId = activeOption && `${id}-${activeOption.key}`
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !activeOption) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step && event.key !== 'Enter') return
    event.preventDefault()
    if (!step) return onChoose(activeOption)
    const nextIndex = (index + step + options.length) % options.length
    setSelection({ text: value, index: nextIndex })
  }
  return (
    <>
      <TextInput
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={activeId}
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
      {children}
      <div role="listbox" id={`${id}-list`} aria-label="Results" className={styles.results}>
        {groups.map((group) => (
          <ResultGroup
            key={group.label}
            {...group}
            idPrefix={id}
            activeOption={activeOption}
            onChoose={onChoose}
          />
        ))}
      </div>
    </>
  )
}

type ResultGroupProps = Group & {
  idPrefix: string
  activeOption: Option | undefined
  onChoose: (option: Option) => void
}

const ResultGroup = ({
  label,
  options,
  note,
  idPrefix,
  activeOption,
  onChoose,
}: ResultGroupProps) => (
  <div role="group" aria-label={label}>
    <p className={styles.label} aria-hidden>
      {label}
    </p>
    {options.map((option) => (
      <button
        key={option.key}
        type="button"
        role="option"
        id={`${idPrefix}-${option.key}`}
        tabIndex={-1}
        aria-selected={option === activeOption}
        className={`${kit.bareButton} ${styles.option}`}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onChoose(option)}
      >
        {option.content}
      </button>
    ))}
    {note && (
      <p className={`${kit.note} ${styles.note}`} role="presentation">
        {note}
      </p>
    )}
  </div>
)
