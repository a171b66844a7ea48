import { NumberInput } from '@mantine/core'
import { type StaffRules, staffApi } from '@tatami/contract/staff/staff'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'

export function StaffRulesPanel({ rules }: { rules: StaffRules }) {
  const save = useEndpointMutation(staffApi.setRules, {
    refreshes: [staffApi.list],
    waitsForRefresh: true,
    scope: { id: 'staff-rules' },
  })
  const [maxRecipients, setMaxRecipients] = useState<string | number>(rules.max_recipients)
  const saveMaximum = () => {
    const max_recipients = Number(maxRecipients)
    if (max_recipients > 0 && max_recipients !== rules.max_recipients)
      save.mutate({ body: { max_recipients } })
  }
  const pendingSetting = save.isPending
    ? save.variables?.body?.refuses_own_family_setting
    : undefined
  return (
    <Panel title="Rules for everybody">
      <SwitchRow
        label="No payments for one’s own family"
        description="Staff who are parents here ask somebody else to take or forgive their fees"
        checked={pendingSetting ?? rules.refuses_own_family}
        onChange={(isOn) => save.mutate({ body: { refuses_own_family_setting: isOn } })}
      />
      <NumberInput
        label="Ask before a text goes to more than"
        description="People. Owners are not asked"
        min={1}
        maw="20rem"
        value={maxRecipients}
        onChange={setMaxRecipients}
        onBlur={saveMaximum}
      />
      <ErrorNotice>
        {failureMessage(save, 'The rule could not be saved. Please try again.')}
      </ErrorNotice>
    </Panel>
  )
}
