import { NativeSelect } from '@mantine/core'
import { DELETION_NOTICE_DAYS, KEPT_MONTHS, leadSettingsApi } from '@tatami/contract/leads/settings'
import { useCan } from '../lib/current-user.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'
import kit from '../ui/kit.module.css'

const OPTIONS = KEPT_MONTHS.map((months) => ({ value: String(months), label: `${months} months` }))

/** How long leads are kept. Only who may change settings may choose it. */
export function KeptMonths() {
  const { data: settings } = useRetryingQuery(endpointQuery(leadSettingsApi.read))
  const change = useEndpointMutation(leadSettingsApi.change, { refreshes: [leadSettingsApi.read] })
  const maySet = useCan()('settings')
  if (!settings) return null
  const choose = (value: string) => {
    const kept_months = KEPT_MONTHS.find((months) => String(months) === value)
    if (kept_months) change.mutate({ body: { kept_months } })
  }
  return (
    <Panel title="Old leads">
      <div className={kit.stackTight}>
        <p>
          Tatami deletes leads after {settings.kept_months} months without any activity. It tells
          you {DELETION_NOTICE_DAYS} days before.
        </p>
        {maySet && (
          <NativeSelect
            label="Delete them after"
            mr="auto"
            data={OPTIONS}
            value={String(settings.kept_months)}
            disabled={change.isPending}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          />
        )}
        {change.isError && (
          <ErrorNotice>The change could not be saved. Please try again.</ErrorNotice>
        )}
      </div>
    </Panel>
  )
}
