import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import type { Sensei, SenseiFilter } from '@tatami/contract/sensei'
import { useCallback, useDeferredValue, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { BusyButton } from '../ui/busy-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import styles from './sensei-list.module.css'
import { type SenseiAction, type ChooseAction, SenseiCards, SenseiTable } from './sensei-rows.tsx'
import { senseiMatches } from './sensei-search.ts'
import { StatusDialog } from './status-dialog.tsx'
import type { Overview } from './use-overview.ts'

const HEADINGS = { all: 'All sensei', active: 'Active sensei', inactive: 'Inactive sensei' }
const EMPTY_TEXTS = { all: 'No sensei has registered yet.', active: 'No sensei is active.', inactive: 'No sensei is inactive.' }

export function SenseiList({ overview, filter }: { overview: Overview; filter: SenseiFilter }) {
  const { sensei, isFetching, refresh } = overview
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false })
  const heading = useRef<HTMLHeadingElement>(null)
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<{ sensei: Sensei; action: SenseiAction } | null>(null)
  // The list renders after the click or the typed letter is shown.
  const deferredSearch = useDeferredValue(search),
    deferredFilter = useDeferredValue(filter)
  const shown = sensei?.filter((one) => senseiMatches(one, deferredSearch, deferredFilter))
  const Rows = isWide ? SenseiTable : SenseiCards
  const choose: ChooseAction = useCallback((one, action) => setChosen({ sensei: one, action }), [])
  const close = () => {
    flushSync(() => setChosen(null))
    // The row may have left the list, and with it the focused button.
    if (document.activeElement === document.body) heading.current?.focus()
  }
  return (
    <section className={styles.list} aria-labelledby="sensei-shown">
      <div className={styles.head}>
        <h2 id="sensei-shown" ref={heading} tabIndex={-1}>
          {HEADINGS[deferredFilter]}
          {shown && (
            <span className={styles.count} aria-live="polite">
              {' '}
              {shown.length}
            </span>
          )}
        </h2>
        <BusyButton
          variant="default"
          px={isWide ? 'md' : 'sm'}
          busy={isFetching}
          busyLabel="Refreshing..."
          leftSection={isWide && <IconRefresh size={20} aria-hidden />}
          onClick={() => void refresh()}
        >
          Refresh
        </BusyButton>
        <div className={styles.search}>
          <SearchBox value={search} onChange={setSearch} placeholder="Search sensei..." />
        </div>
      </div>
      {!shown && <Skeletons label="Loading sensei..." count={6} height={isWide ? 56 : 240} />}
      {shown && shown.length > 0 && <Rows sensei={shown} onChoose={choose} />}
      {shown?.length === 0 &&
        (deferredSearch ? (
          <EmptyState
            action={
              <Button variant="default" onClick={() => setSearch('')}>
                Clear
              </Button>
            }
          >
            Nobody here matches your search.
          </EmptyState>
        ) : (
          <EmptyState>{EMPTY_TEXTS[deferredFilter]}</EmptyState>
        ))}
      {chosen?.action === 'status' && (
        <StatusDialog
          sensei={chosen.sensei}
          current={sensei?.find(({ sensei_id }) => sensei_id === chosen.sensei.sensei_id)}
          onClose={close}
          refresh={refresh}
        />
      )}
      {chosen?.action === 'password' && <PasswordDialog sensei={chosen.sensei} onClose={close} />}
    </section>
  )
}
