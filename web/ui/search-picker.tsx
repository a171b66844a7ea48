import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import {
  type ChangeEvent,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useState,
} from 'react'
import { focusOnMount } from '../lib/modal.ts'
import rowMarks from './row-marks.module.css'
import styles from './search-picker.module.css'
import kit from './kit.module.css'

type Search<Match> = {
  find: (text: string) => Match[]
  maxMatches: number
  noMatchesNote: string | false
  showsAllWhenEmpty?: boolean
}

export const hiddenMatchesNote = (count: number) =>
  count > 0 && `${count} more. Keep typing to narrow it down.`

export function useSearch<Match>({
  find,
  maxMatches,
  noMatchesNote,
  showsAllWhenEmpty = false,
}: Search<Match>) {
  const [text, setText] = useState('')
  const isEmpty = text.trim() === ''
  const matches = isEmpty && !showsAllWhenEmpty ? [] : find(text)
  const hasNoMatches = !isEmpty && matches.length === 0
  return {
    matches: matches.slice(0, maxMatches),
    note: hiddenMatchesNote(matches.length - maxMatches) || (hasNoMatches && noMatchesNote),
    text,
    setText,
    field: {
      type: 'search',
      autoComplete: 'off',
      leftSection: <IconSearch size={18} aria-hidden />,
      value: text,
      onChange: (event: ChangeEvent<HTMLInputElement>) => setText(event.currentTarget.value),
      onKeyDown: (event: KeyboardEvent) => event.key === 'Enter' && event.preventDefault(),
    },
  }
}

type ChecklistSearch<Match> = Omit<Search<Match>, 'find'> & {
  options: readonly Match[]
  isSelected: (option: Match) => boolean
  matches: (option: Match, text: string) => boolean
}

export function useChecklistSearch<Match>(checklist: ChecklistSearch<Match>) {
  const { options, isSelected, matches, ...settings } = checklist
  const search = useSearch({
    ...settings,
    find: (text) => options.filter((option) => !isSelected(option) && matches(option, text)),
  })
  return { ...search, visibleOptions: [...options.filter(isSelected), ...search.matches] }
}

const MAX_MATCHES = 5

type NamedMatch = { id: string; name: string }
type Props<Match extends NamedMatch> = Pick<Search<Match>, 'find' | 'noMatchesNote'> & {
  label: string
  placeholder: string
  describe: (match: Match) => ReactNode
  actionLabel: string
  onPick: (match: Match) => void
  hasFocus?: boolean
  icon?: ReactNode
  edgeStyle?: (match: Match) => CSSProperties
  /** Shows matches above the field. At the bottom of a dialog, a keyboard would cover them. */
  isAtBottom?: boolean
  picksOnEnter?: boolean
}

export function SearchPicker<Match extends NamedMatch>(props: Props<Match>) {
  const { label, placeholder, find, noMatchesNote, describe, actionLabel, onPick } = props
  const { hasFocus, icon, edgeStyle, isAtBottom, picksOnEnter } = props
  const { matches, note, field, setText } = useSearch({
    find,
    noMatchesNote,
    maxMatches: MAX_MATCHES,
  })
  const pick = (match: Match) => {
    setText('')
    onPick(match)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    field.onKeyDown(event)
    const [onlyMatch] = matches.length === 1 ? matches : []
    if (event.key === 'Enter' && picksOnEnter && onlyMatch) pick(onlyMatch)
  }
  return (
    <div className={styles.picker} data-at-bottom={isAtBottom}>
      <TextInput
        {...field}
        {...{ [isAtBottom ? 'aria-label' : 'label']: label }}
        placeholder={placeholder}
        data-autofocus={hasFocus}
        ref={hasFocus ? focusOnMount : null}
        leftSection={icon ?? field.leftSection}
        onKeyDown={onKeyDown}
      />
      <MatchList
        label="Results"
        matches={matches}
        note={note}
        describe={describe}
        actionLabel={actionLabel}
        onPick={pick}
        edgeStyle={edgeStyle}
      />
    </div>
  )
}

type MatchListProps<Match extends NamedMatch> = Pick<
  Props<Match>,
  'describe' | 'actionLabel' | 'onPick'
> & {
  label: string
  matches: readonly Match[]
  note?: ReactNode
  edgeStyle?: Props<Match>['edgeStyle'] | undefined
}

export function MatchList<Match extends NamedMatch>(props: MatchListProps<Match>) {
  const { label, matches, note, describe, actionLabel, onPick, edgeStyle } = props
  return (
    <ul className={styles.matches} aria-live="polite" aria-label={label}>
      {matches.map((match) => (
        <li key={match.id}>
          <button
            type="button"
            className={`${kit.bareButton} ${edgeStyle ? rowMarks.edge : ''} ${styles.match}`}
            style={edgeStyle?.(match)}
            onClick={() => onPick(match)}
          >
            <span className={`${kit.name} ${kit.fill} ${styles.name}`}>
              {match.name}{' '}
              <span className={`${kit.note} ${styles.description}`}>{describe(match)}</span>
            </span>
            <span className={styles.action}>{actionLabel}</span>
          </button>
        </li>
      ))}
      {note && <li className={`${kit.note} ${styles.note}`}>{note}</li>}
    </ul>
  )
}
