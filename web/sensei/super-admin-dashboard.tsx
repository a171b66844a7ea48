import { Button, Skeleton, Stack, TextInput, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCircleCheck, IconClockPause, IconHistory, IconUsers } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { Reply } from '@tatami/contract/lib/endpoint'
import type { senseiApi, SenseiFilter } from '@tatami/contract/sensei/sensei'
import { DAILY_LIMIT_RULE, isDailyLimit, textingApi } from '@tatami/contract/texting/texting'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { CommonPasswordsRule } from '../accounts/common-passwords-rule.tsx'
import { SecondFactorRules } from '../accounts/second-factor-rules.tsx'
import { BackupStatus } from '../backups/backup-status.tsx'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { DoneNotice, ErrorNotice } from '../ui/notices.tsx'
import { lazyComponentFrom } from '../ui/lazy-component.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { SenseiList } from './sensei-list.tsx'
import styles from './super-admin-dashboard.module.css'
import { useOverview } from './use-overview.ts'
import kit from '../ui/kit.module.css'

export function SuperAdminDashboard() {
  const overview = useOverview()
  const { filter, setFilter } = overview.filters
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, {
    getInitialValueInEffect: false,
  })
  const list = <SenseiList key="list" overview={overview} />
  const configuration = (
    <SystemConfig key="configuration" currentLimit={overview.config?.daily_message_limit} />
  )
  return (
    <Stack gap="lg">
      <PageHeader title="Super Admin Dashboard" />
      <ErrorNotice onRetry={() => void overview.refresh()}>
        {overview.isError && 'Failed to load dashboard data'}
      </ErrorNotice>
      {!overview.isUnavailable && (
        <>
          <StatCards stats={overview.stats} filter={filter} onFilter={setFilter} />
          {/* The keys keep what was typed when a phone is rotated. */}
          {isPhone ? [list, configuration] : [configuration, list]}
        </>
      )}
    </Stack>
  )
}

const STAT_CARDS = [
  { filter: 'all', label: 'Total', count: 'total_sensei', icon: IconUsers },
  { filter: 'active', label: 'Active', count: 'active_sensei', icon: IconCircleCheck },
  { filter: 'inactive', label: 'Inactive', count: 'inactive_sensei', icon: IconClockPause },
] as const

type StatCardsProps = {
  stats: Reply<typeof senseiApi.stats> | undefined
  filter: SenseiFilter
  onFilter: (filter: SenseiFilter) => void
}

const StatCards = ({ stats, filter, onFilter }: StatCardsProps) => (
  <div className={styles.cards} role="group" aria-label="Sensei shown">
    {STAT_CARDS.map(({ filter: cardFilter, label, count, icon: Icon }) => (
      <UnstyledButton
        key={cardFilter}
        className={`${kit.card} ${styles.card}`}
        data-kind={cardFilter}
        aria-pressed={filter === cardFilter}
        onClick={() => onFilter(cardFilter)}
      >
        <span className={`${kit.row} ${kit.note} ${styles.label}`}>
          <Icon size={20} stroke={1.5} aria-hidden />
          {label}
        </span>
        {stats ? (
          <span className={styles.count}>{stats[count]}</span>
        ) : (
          <Skeleton className={styles.count} width="2ch">
            &nbsp;
          </Skeleton>
        )}
      </UnstyledButton>
    ))}
  </div>
)

const SystemConfig = ({ currentLimit }: { currentLimit: number | undefined }) => (
  <section className={`${kit.card} ${styles.panel}`} aria-labelledby="system-configuration">
    <div className={`${kit.spread} ${styles.head}`}>
      <h2 id="system-configuration">System configuration</h2>
      <AuditLogButton />
    </div>
    <div className={styles.settings}>
      {currentLimit === undefined ? (
        <Skeleton height="5.5rem" />
      ) : (
        <LimitForm currentLimit={currentLimit} />
      )}
      <SecondFactorRules />
      <CommonPasswordsRule />
      <BackupStatus />
    </div>
  </section>
)

const LOADING_LABEL = 'Loading the audit log...'
const AuditLogDialog = lazyComponentFrom(
  () => import('./audit-log-dialog.tsx').then((module) => module.AuditLogDialog),
  <Skeletons count={0} label={LOADING_LABEL} />,
)

function AuditLogButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        px="sm"
        aria-haspopup="dialog"
        leftSection={<IconHistory size={20} aria-hidden />}
        onPointerEnter={AuditLogDialog.preload}
        onClick={() => setOpen(true)}
      >
        Audit log
      </Button>
      {isOpen && <AuditLogDialog loadingLabel={LOADING_LABEL} onClose={() => setOpen(false)} />}
    </>
  )
}

const renderWithButton = (button: ReactNode) => (field: ReactNode) => (
  <div className={styles.row}>
    {field}
    {button}
  </div>
)

function LimitForm({ currentLimit }: { currentLimit: number }) {
  const cache = useQueryClient()
  const [typedLimit, setTypedLimit] = useState<string>()
  const [error, setError] = useState<string>()
  const change = useEndpointMutation(textingApi.setDailyLimit, {
    onSuccess: ({ daily_message_limit }) => {
      cache.setQueryData(endpointQuery(textingApi.systemConfig).queryKey, { daily_message_limit })
      setTypedLimit(undefined)
    },
  })
  const value = typedLimit ?? String(currentLimit)
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    const daily_limit = parseLimit(value)
    setError(isDailyLimit(daily_limit) ? undefined : DAILY_LIMIT_RULE)
    change.reset()
    if (isDailyLimit(daily_limit) && !change.isPending) change.mutate({ body: { daily_limit } })
  }
  return (
    <form noValidate className={kit.stackSmall} onSubmit={save}>
      <TextInput
        label="Daily message limit"
        description="Texts each dojo may send a day"
        inputMode="numeric"
        autoComplete="off"
        value={value}
        error={error}
        onChange={(event) => setTypedLimit(event.currentTarget.value)}
        inputContainer={renderWithButton(
          <BusyButton type="submit" busy={change.isPending} busyLabel="Saving...">
            Save
          </BusyButton>,
        )}
      />
      <ErrorNotice>{change.isError && 'Failed to update daily message limit'}</ErrorNotice>
      {change.data && typedLimit === undefined && (
        <DoneNotice>
          Each dojo may now send {change.data.daily_message_limit.toLocaleString()} texts a day.
        </DoneNotice>
      )}
    </form>
  )
}

/** Reads numbers such as "1,500" and "1500". Returns NaN for any other text. */
const parseLimit = (typedLimit: string) =>
  /^\d[\d,]*$/.test(typedLimit.trim()) ? Number(typedLimit.replaceAll(',', '')) : NaN
