import { TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { IconSearch } from '@tabler/icons-react'
import {
  type KioskHit,
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

const PAUSE_MS = 250

type Props = {
  typed: string
  onType: (typed: string) => void
  onChoose: (hit: KioskHit) => void
  pinInput: PinInput
  onEnter: (pin: string) => void
  /** Without a network, search does not work, so the PIN pad stays visible. */
  isOffline: boolean
}

export function HomeView({ typed, onType, onChoose, pinInput, onEnter, isOffline }: Props) {
  const { busy, problem } = pinInput
  const isSearching = isSearchable(typed)
  return (
    <div className={`${kit.stack} ${styles.ways}`}>
      <section className={styles.way} aria-labelledby="by-name">
        <h2 id="by-name">Your name</h2>
        <TextInput
          value={typed}
          onChange={(event) => onType(event.currentTarget.value)}
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
        {typed.trim() !== '' && !isSearching && (
          <p className={`${kit.muted} ${kit.title} ${styles.about}`}>{SEARCH_HINT}</p>
        )}
        {isSearching && (
          <>
            <Hits text={typed.trim()} onChoose={onChoose} busy={busy} />
            <div className={styles.problem}>
              <ErrorNotice>{problem}</ErrorNotice>
            </div>
          </>
        )}
      </section>
      <section
        className={styles.way}
        aria-labelledby="by-pin"
        data-hidden={isSearching && !isOffline}
      >
        <h2 id="by-pin">Or your PIN</h2>
        <NumberPad {...pinInput} onEnter={onEnter} problem={isSearching ? null : problem} />
      </section>
    </div>
  )
}

type HitsProps = { text: string; onChoose: (hit: KioskHit) => void; busy: boolean }

function Hits({ text, onChoose, busy }: HitsProps) {
  const [searchText] = useDebouncedValue(text, PAUSE_MS)
  // Names must not stay in memory once they are off the screen.
  const { data, error, isError } = useQuery({
    ...endpointQuery(kioskApi.search, { body: { text: searchText } }),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    placeholderData: (previousHits) => previousHits,
  })
  return (
    <div className={styles.hits} role="status">
      <ErrorNotice>
        {isError &&
          errorMessage(error, 'Searching by name needs a connection. Please use your PIN.')}
      </ErrorNotice>
      {data?.students.map((hit) => (
        <UnstyledButton
          key={hit.pass}
          className={`${kit.card} ${kit.line} ${styles.hit}`}
          disabled={busy}
          onClick={() => onChoose(hit)}
        >
          <Belt colours={[hit.belt_level]} size={56} decorative />
          {hit.name}
        </UnstyledButton>
      ))}
      {data?.students.length === 0 && (
        <p className={`${kit.muted} ${kit.title} ${styles.about}`}>
          We couldn’t find that name. Please ask your instructor.
        </p>
      )}
      {data?.has_more && (
        <p className={`${kit.muted} ${kit.title} ${styles.about}`}>
          Showing the first {MAX_SEARCH_HITS}. Type more letters to find others.
        </p>
      )}
    </div>
  )
}
