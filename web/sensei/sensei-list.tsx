import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import type { Sensei } from '@tatami/contract/sensei/sensei'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { BusyButton } from '../ui/busy-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './sensei-list.module.css'
import { type SenseiAction, type ChooseAction, SenseiCards, SenseiTable } from './sensei-rows.tsx'
import { StatusDialog } from './status-dialog.tsx'
import type { Overview } from './use-overview.ts'
import kit from '../ui/kit.module.css'

const HEADINGS = { all: 'All sensei', active: 'Active sensei', inactive: 'Inactive sensei' }
const EMPTY_TEXTS = {
  all: 'No sensei has registered yet.',
  active: 'No sensei is active.',
  inactive: 'No sensei is inactive.',
}

const PasswordDialog = lazyComponent(
  () => import('./password-dialog.tsx'),
  'PasswordDialog',
  <Skeletons count={0} label="Loading the form..." />,
)

function formatCount({ stats, list, filters: { filter, activeSearch } }: Overview): string {
  if (activeSearch) return list.rows ? `${list.rows.length}${list.hasNextPage ? '+' : ''}` : ''
  if (!stats) return ''
  const { total_sensei, active_sensei, inactive_sensei } = stats
  return String({ all: total_sensei, active: active_sensei, inactive: inactive_sensei }[filter])
}

export function SenseiList({ overview }: { overview: Overview }) {
  const { list, refresh } = overview
  const { sort, setSort } = overview.filters
  const isWide = useMediaQuery('(min-width: 64em)', undefined, { getInitialValueInEffect: false })
  const heading = useRef<HTMLHeadingElement>(null)
  const [openDialog, setOpenDialog] = useState<{ sensei: Sensei; action: SenseiAction } | null>(
    null,
  )
  const rows = list.rows
  const Rows = isWide ? SenseiTable : SenseiCards
  const openAction: ChooseAction = useCallback(
    (sensei, action) => setOpenDialog({ sensei, action }),
    [],
  )
  useEffect(() => PasswordDialog.preload(), [])
  const close = () => {
    flushSync(() => setOpenDialog(null))
    // A changed sensei may leave the list, and with it the button that had the focus.
    if (document.activeElement === document.body) heading.current?.focus()
  }
  return (
    <section
      className={kit.stack}
      aria-labelledby="sensei-shown"
      aria-busy={list.isPlaceholderData}
    >
      <ListHeader overview={overview} heading={heading} isWide={isWide} />
      {!rows && !list.isError && (
        <Skeletons label="Loading sensei..." count={6} height={isWide ? 56 : 240} />
      )}
      {rows && rows.length > 0 && (
        <Rows sensei={rows} onChoose={openAction} sort={sort} onSort={setSort} />
      )}
      {rows?.length === 0 && <NoSensei filters={overview.filters} />}
      {rows && (
        <MoreRows
          query={{ ...list, isError: list.isFetchNextPageError }}
          error="More sensei could not be loaded."
        />
      )}
      {openDialog?.action === 'status' && (
        <StatusDialog sensei={openDialog.sensei} onClose={close} refresh={refresh} />
      )}
      {openDialog?.action === 'password' && (
        <PasswordDialog sensei={openDialog.sensei} onClose={close} />
      )}
    </section>
  )
}

type HeaderProps = {
  overview: Overview
  heading: RefObject<HTMLHeadingElement | null>
  isWide: boolean
}

function ListHeader({ overview, heading, isWide }: HeaderProps) {
  const { search, setSearch, filter } = overview.filters
  return (
    <div className={`${kit.row} ${styles.head}`}>
      <h2 id="sensei-shown" ref={heading} tabIndex={-1}>
        {HEADINGS[filter]}
        <span className={styles.count} aria-live="polite">
          {' '}
          {formatCount(overview)}
        </span>
      </h2>
      <BusyButton
        variant="default"
        px={isWide ? 'md' : 'sm'}
        busy={overview.isFetching}
        busyLabel="Refreshing..."
        leftSection={isWide && <IconRefresh size={20} aria-hidden />}
        onClick={() => void overview.refresh()}
      >
        Refresh
      </BusyButton>
      <div className={styles.search}>
        <SearchBox value={search} onChange={setSearch} placeholder="Search sensei..." />
      </div>
    </div>
  )
}

function NoSensei({ filters: { activeSearch, setSearch, filter } }: Pick<Overview, 'filters'>) {
  if (!activeSearch) return <EmptyState>{EMPTY_TEXTS[filter]}</EmptyState>
  return (
    <EmptyState
      action={
        <Button variant="default" onClick={() => setSearch('')}>
          Clear
        </Button>
      }
    >
      No results
    </EmptyState>
  )
}
