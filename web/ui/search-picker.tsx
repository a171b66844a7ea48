import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useState } from 'react'
import { focusOnMount } from '../lib/modal.ts'
import belt from './row-marks.module.css'
import styles from './search-picker.module.css'

const MAX_SHOWN = 5

type Match = { id: string; name: string }
type Props<M extends Match> = {
  label: string
  placeholder: string
  find: (typed: string) => M[]
  /** Tells matches of one name apart. */
  describe: (match: M) => ReactNode
  /** What a press on a match does, in a word. */
  action: string
  onPick: (match: M) => void
  /** What is said where nobody matches. */
  none: string
  hasFocus?: boolean
  icon?: ReactNode
  /** The style that gives a match the edge of a belt. */
  edgeOf?: (match: M) => CSSProperties
  /** At the bottom of a dialog: the matches stand above the field, where no keyboard hides them, and only screen readers read its label. */
  isAtBottom?: boolean
  /** Enter picks the only match. */
  hasEnter?: boolean
}

/** Finds one of many by typing; a press on a match picks it. */
export function SearchPicker<M extends Match>(props: Props<M>) {
  const {
    label,
    placeholder,
    find,
    describe,
    action,
    onPick,
    none,
    hasFocus,
    icon,
    edgeOf,
    isAtBottom,
    hasEnter,
  } = props
  const [search, setSearch] = useState('')
  const matches = search.trim() === '' ? [] : find(search)
  const pick = (match: M) => {
    setSearch('')
    onPick(match)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // It would send the form that the field may stand in.
    event.preventDefault()
    if (hasEnter && matches.length === 1) pick(matches[0]!)
  }
  return (
    <div className={styles.picker} data-at-bottom={isAtBottom}>
      <TextInput
        type="search"
        {...{ [isAtBottom ? 'aria-label' : 'label']: label }}
        placeholder={placeholder}
        autoComplete="off"
        data-autofocus={hasFocus}
        ref={hasFocus ? focusOnMount : null}
        value={search}
        leftSection={icon ?? <IconSearch size={18} aria-hidden />}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <ul className={styles.matches} aria-live="polite" aria-label="Found">
        {matches.slice(0, MAX_SHOWN).map((match) => (
          <li key={match.id}>
            <button
              type="button"
              className={edgeOf ? `${belt.edge} ${styles.match}` : styles.match}
              style={edgeOf?.(match)}
              onClick={() => pick(match)}
            >
              <span className={styles.name}>
                {match.name} <span className={styles.about}>{describe(match)}</span>
              </span>
              <span className={styles.action}>{action}</span>
            </button>
          </li>
        ))}
        {matches.length > MAX_SHOWN && (
          <li className={styles.more}>{matches.length - MAX_SHOWN} more: type more of the name.</li>
        )}
        {search.trim() !== '' && matches.length === 0 && <li className={styles.more}>{none}</li>}
      </ul>
    </div>
  )
}
