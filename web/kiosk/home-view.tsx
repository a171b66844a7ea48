import { TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { IconSearch } from '@tabler/icons-react'
import {
  type SearchHit,
  kioskApi,
  isSearchable,
  SEARCH_HINT,
  MAX_SEARCH_HITS,
} from '@tatami/contract/kiosk/kiosk'
import { errorMessage } from '../lib/api.ts'
import { endpointQuery } from '../lib/query.ts'
import { Belt } from '../ui/belt.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import styles from './kiosk.module.css'
import { NumberPad, type PinInput } from './number-pad.tsx'
import kit from '../ui/kit.module.css'

const TYPING_PAUSE_MS = 250

type Props = {
  searchText: string
  onSearch: (searchText: string) => void
  onChoose: (hit: SearchHit) => void
  pinInput: PinInput
  onEnterPin: (pin: string) => void
  /** The search needs a network. Without one, the PIN pad stays visible during a search. */
  isOffline: boolean
}

export function HomeView({
  searchText,
  onSearch,
  onChoose,
  pinInput,
  onEnterPin,
  isOffline,
}: Props) {
  const { busy, problem } = pinInput
  const isSearching = isSearchable(searchText)
  return (
    <div className={`${kit.stack} ${styles.methods}`}>
      <section className={styles.method} aria-labelledby="by-name">
        <h2 id="by-name">Your name</h2>
        <TextInput
          value={searchText}
          onChange={(event) => onSearch(event.currentTarget.value)}
          aria-label="Type the first letters of your name"
          placeholder="Type the first letters"
          leftSection={<IconSearch size={28} aria-hidden />}
          leftSectionWidth={56}
          classNames={{ input: `${styles.search}` }}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={60}
        />
        {searchText.trim() !== '' && !isSearching && (
          <p className={`${kit.muted} ${kit.title} ${styles.hint}`}>{SEARCH_HINT}</p>
        )}
        {isSearching && (
          <>
            <SearchResults text={searchText.trim()} onChoose={onChoose} busy={busy} />
            <div className={styles.problem}>
              <ErrorNotice>{problem}</ErrorNotice>
            </div>
          </>
        )}
      </section>
      <section
        className={styles.method}
        aria-labelledby="by-pin"
        data-hidden={isSearching && !isOffline}
      >
        <h2 id="by-pin">Or your PIN</h2>
        <NumberPad {...pinInput} onEnter={onEnterPin} problem={isSearching ? null : problem} />
      </section>
    </div>
  )
}

type SearchResultsProps = { text: string; onChoose: (hit: SearchHit) => void; busy: boolean }

function SearchResults({ text, onChoose, busy }: SearchResultsProps) {
  const [debouncedText] = useDebouncedValue(text, TYPING_PAUSE_MS)
  // `gcTime` removes names from memory as soon as they are no longer on the screen.
  const { data, error, isError } = useQuery({
    ...endpointQuery(kioskApi.search, { body: { text: debouncedText } }),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    placeholderData: (previousHits) => previousHits,
  })
  return (
    <div className={styles.results} role="status">
      <ErrorNotice>
        {isError &&
          errorMessage(error, 'Searching by name needs a connection. Please use your PIN.')}
      </ErrorNotice>
      {data?.students.map((hit) => (
        <UnstyledButton
          key={hit.pass}
          className={`${kit.card} ${kit.line} ${styles.result}`}
          disabled={busy}
          onClick={() => onChoose(hit)}
        >
          <Belt colours={[hit.belt_level]} size={56} decorative />
          {hit.name}
        </UnstyledButton>
      ))}
      {data?.students.length === 0 && (
        <p className={`${kit.muted} ${kit.title} ${styles.hint}`}>
          We couldn’t find that name. Please ask your instructor.
        </p>
      )}
      {data?.has_more && (
        <p className={`${kit.muted} ${kit.title} ${styles.hint}`}>
          Showing the first {MAX_SEARCH_HITS}. Type more letters to find others.
        </p>
      )}
    </div>
  )
}
