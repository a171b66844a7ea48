import { Button, Skeleton, Stack, TextInput, UnstyledButton } from '@mantine/core'
import { IconCircleCheck, IconClockPause, IconHistory, IconUsers } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { Reply } from '@tatami/contract/endpoint'
import type { senseiApi, SenseiFilter } from '@tatami/contract/sensei'
import { dailyLimit, textingApi } from '@tatami/contract/texting'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { fieldErrors } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { Done } from '../ui/done.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { SenseiList } from './sensei-list.tsx'
import styles from './super-admin-dashboard.module.css'
import { useOverview } from './use-overview.ts'

/** Who registered, who waits to be let in, and what is set for all. */
export function SuperAdminDashboard({ onRefused }: { onRefused: () => void }) {
  const overview = useOverview(onRefused)
  const [filter, setFilter] = useState<SenseiFilter>('all')
  return (
    <Stack gap="lg">
      <PageHeader title="Super Admin Dashboard" />
      <ErrorNotice onRetry={() => void overview.refresh()}>{overview.isError && 'Failed to load dashboard data'}</ErrorNotice>
      {!overview.isUnavailable && (
        <>
          <div className={styles.top}>
            <StatCards stats={overview.stats} filter={filter} onFilter={setFilter} />
            <SystemConfig currentLimit={overview.config?.daily_message_limit} />
          </div>
          <SenseiList overview={overview} filter={filter} />
        </>
      )}
    </Stack>
  )
}

const CARDS = [
  { filter: 'all', word: 'Total', count: 'total_sensei', icon: IconUsers },
  { filter: 'active', word: 'Active', count: 'active_sensei', icon: IconCircleCheck },
  { filter: 'inactive', word: 'Inactive', count: 'inactive_sensei', icon: IconClockPause },
] as const

type StatCardsProps = { stats: Reply<typeof senseiApi.stats> | undefined; filter: SenseiFilter; onFilter: (filter: SenseiFilter) => void }

/** How many there are; each number shows whom it counts. */
const StatCards = ({ stats, filter, onFilter }: StatCardsProps) => (
  <div className={styles.cards} role="group" aria-label="Sensei shown">
    {CARDS.map(({ filter: own, word, count, icon: Icon }) => (
      <UnstyledButton key={own} className={styles.card} data-kind={own} aria-pressed={filter === own} onClick={() => onFilter(own)}>
        <span className={styles.word}>
          <Icon size={20} stroke={1.5} aria-hidden />
          {word}
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

/** What the super admin sets for all dojos. `currentLimit` is undefined until it is known. */
const SystemConfig = ({ currentLimit }: { currentLimit: number | undefined }) => (
  <section className={styles.panel} aria-labelledby="system-configuration">
    <div className={styles.head}>
      <h2 id="system-configuration">System configuration</h2>
      <AuditLogButton />
    </div>
    {currentLimit === undefined ? <Skeleton height="5.5rem" /> : <LimitForm current={currentLimit} />}
  </section>
)

const LOADING = 'Loading the audit log...'
const AuditLogDialog = lazyComponent(
  () => import('./audit-log-dialog.tsx').then((part) => part.AuditLogDialog),
  <Skeletons count={0} label={LOADING} />,
)

function AuditLogButton() {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        px="sm"
        aria-haspopup="dialog"
        leftSection={<IconHistory size={20} aria-hidden />}
        onPointerEnter={AuditLogDialog.preload}
        onClick={() => setOpened(true)}
      >
        Audit log
      </Button>
      {opened && <AuditLogDialog loading={LOADING} onClose={() => setOpened(false)} />}
    </>
  )
}

/** The act in the field's own line, above what is said about it. */
const beside = (act: ReactNode) => (field: ReactNode) => (
  <div className={styles.row}>
    {field}
    {act}
  </div>
)

/** How many texts each dojo may send a day. */
function LimitForm({ current }: { current: number }) {
  const cache = useQueryClient()
  const [typed, setTyped] = useState<string>()
  const [wrong, setWrong] = useState<string>()
  const change = useEndpointMutation(textingApi.setDailyLimit, {
    onSuccess: ({ daily_message_limit }) => {
      cache.setQueryData(endpointQuery(textingApi.systemConfig).queryKey, { daily_message_limit })
      setTyped(undefined)
    },
  })
  const value = typed ?? String(current)
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    const body = { daily_limit: typedLimit(value) }
    const { daily_limit: complaint } = fieldErrors(dailyLimit, body)
    setWrong(complaint)
    change.reset()
    if (!complaint && !change.isPending) change.mutate({ body })
  }
  return (
    <form noValidate className={styles.form} onSubmit={save}>
      <TextInput
        label="Daily message limit"
        description="Texts each dojo may send a day"
        inputMode="numeric"
        autoComplete="off"
        value={value}
        error={wrong}
        onChange={(event) => setTyped(event.currentTarget.value)}
        inputContainer={beside(
          <BusyButton type="submit" busy={change.isPending} busyLabel="Saving...">
            Save
          </BusyButton>,
        )}
      />
      <ErrorNotice>{change.isError && 'Failed to update daily message limit'}</ErrorNotice>
      {change.data && typed === undefined && (
        <Done>Each dojo may now send {change.data.daily_message_limit.toLocaleString()} texts a day.</Done>
      )}
    </form>
  )
}

/** "1,500" and "1500" are numbers; anything but digits and commas is none, so that the rule speaks. */
const typedLimit = (typed: string) => (/^\d[\d,]*$/.test(typed.trim()) ? Number(typed.replaceAll(',', '')) : NaN)
