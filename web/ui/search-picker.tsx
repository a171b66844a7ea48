import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
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
}

/** Finds one of many by typing; only a press on a match picks it. */
export function SearchPicker<M extends Match>({ label, placeholder, find, describe, action, onPick, none, hasFocus }: Props<M>) {
  const [search, setSearch] = useState('')
  const matches = search.trim() === '' ? [] : find(search)
  // Enter would send the form that the field may stand in.
  const onKeyDown = (event: KeyboardEvent) => event.key === 'Enter' && event.preventDefault()
  const pick = (match: M) => {
    setSearch('')
    onPick(match)
  }
  return (
    <div>
      <TextInput
        type="search"
        label={label}
        placeholder={placeholder}
        autoComplete="off"
        data-autofocus={hasFocus}
        value={search}
        leftSection={<IconSearch size={18} aria-hidden />}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <ul className={styles.matches} aria-live="polite" aria-label={`${label}: found`}>
        {matches.slice(0, MAX_SHOWN).map((match) => (
          <li key={match.id}>
            <button type="button" className={styles.match} onClick={() => pick(match)}>
              <span className={styles.name}>
                {match.name} <span className={styles.about}>{describe(match)}</span>
              </span>
              <span className={styles.action}>{action}</span>
            </button>
          </li>
        ))}
        {matches.length > MAX_SHOWN && <li className={styles.more}>{matches.length - MAX_SHOWN} more: type more of the name.</li>}
        {search.trim() !== '' && matches.length === 0 && <li className={styles.more}>{none}</li>}
      </ul>
    </div>
  )
}
