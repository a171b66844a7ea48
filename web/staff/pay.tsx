import { Button, Stack } from '@mantine/core'
import { IconCash, IconDownload } from '@tabler/icons-react'
import { isCalendarDate } from '@tatami/contract/lib/fields'
import { type PayOverview, payApi } from '@tatami/contract/staff/pay'
import { useState } from 'react'
import { useCan } from '../lib/current-user.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { useUrlQuery } from '../lib/url-query.ts'
import { DownloadButton } from '../ui/download-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/loading.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Panel, PanelColumns } from '../ui/panel.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import kit from '../ui/kit.module.css'
import { ClosePeriod } from './close-period.tsx'
import { OpenShifts } from './open-shifts.tsx'
import { PaidPeople } from './paid-people.tsx'
import { PeriodPicker } from './period-picker.tsx'
import { UnapprovedPanel } from './unapproved-hours.tsx'

const RatesDialog = lazyComponent(() => import('./work-dialogs.ts'), 'RatesDialog')

/** The period from the URL. Invalid days are ignored. */
function usePeriodQuery() {
  const [query, changeQuery] = useUrlQuery()
  const periodId = query.get('period')
  const [firstDay, lastDay] = ['from', 'until'].map((name) => query.get(name) ?? '')
  const payQuery = periodId
    ? { period_id: periodId }
    : {
        ...(firstDay && isCalendarDate(firstDay) && { from: firstDay }),
        ...(lastDay && isCalendarDate(lastDay) && { until: lastDay }),
      }
  return [payQuery, changeQuery] as const
}

/** The staff's hours and pay in a period. Only people who may see money see amounts. */
export function Pay() {
  const can = useCan()
  const [isEditingRates, setEditingRates] = useState(false)
  const [query, changeQuery] = usePeriodQuery()
  const pay = useRetryingQuery(endpointQuery(payApi.overview, { query }))
  const maySeeMoney = can('money.see')
  return (
    <Stack gap="lg">
      <PageHeader title="Pay">
        {maySeeMoney && (
          <Button
            variant="default"
            leftSection={<IconCash size={20} aria-hidden />}
            aria-haspopup="dialog"
            onClick={() => setEditingRates(true)}
            {...RatesDialog.preloadOnHover}
          >
            Rates
          </Button>
        )}
        {can(payApi.download.right) && (
          <DownloadButton
            variant="default"
            endpoint={payApi.download}
            input={{ body: query }}
            leftSection={<IconDownload size={20} aria-hidden />}
            busyLabel="Downloading..."
          >
            CSV
          </DownloadButton>
        )}
      </PageHeader>
      <Loading query={pay} error="Pay could not be loaded.">
        <Skeletons count={4} height={76} label="Loading pay..." />
      </Loading>
      {pay.data && <PayPanels pay={pay.data} onChange={changeQuery} />}
      {isEditingRates && <RatesDialog onClose={() => setEditingRates(false)} />}
    </Stack>
  )
}

type PanelsProps = { pay: PayOverview; onChange: (query: Record<string, string>) => void }

function PayPanels({ pay, onChange }: PanelsProps) {
  const can = useCan()
  return (
    <div className={kit.stack}>
      <PeriodPicker pay={pay} onChange={onChange} />
      <PanelColumns>
        {pay.unapproved.length + pay.shifts.length > 0 && (
          <div className={kit.stack}>
            <UnapprovedPanel entries={pay.unapproved} />
            <OpenShifts shifts={pay.shifts} showsNames />
          </div>
        )}
        {pay.people.length === 0 ? (
          <EmptyState>No approved hours in this period.</EmptyState>
        ) : (
          <Panel title="People">
            <PaidPeople pay={pay} maySeeMoney={can('money.see')} />
          </Panel>
        )}
      </PanelColumns>
      {pay.closed_period === null && can(payApi.close.right) && (
        <ClosePeriod pay={pay} onClosed={(id) => onChange({ period: id, from: '', until: '' })} />
      )}
    </div>
  )
}
