import { Button } from '@mantine/core'
import { IconReportMoney } from '@tabler/icons-react'
import { dashboardApi } from '@tatami/contract/dashboard/dashboard'
import { LayoutLink } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { RetryNotice } from '../ui/notices.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { WithRight } from '../ui/with-right.tsx'
import { AnalyticsCharts } from './analytics-charts.tsx'
import { Page } from './layout.tsx'

export function Numbers() {
  const { isUnavailable, retry } = useRetryingQuery(endpointQuery(dashboardApi.analytics))
  return (
    <Page>
      <PageHeader title="Numbers" subtitle="Who trains, who stays, who pays">
        <WithRight right="money.see">
          <Button
            component={LayoutLink}
            to={PATHS.paymentFigures}
            variant="default"
            leftSection={<IconReportMoney size={20} aria-hidden />}
          >
            Payments by month
          </Button>
        </WithRight>
      </PageHeader>
      {isUnavailable && <RetryNotice onRetry={retry}>The numbers could not be loaded.</RetryNotice>}
      <AnalyticsCharts />
    </Page>
  )
}
