import { NativeSelect, NumberInput } from '@mantine/core'
import {
  SECOND_FACTOR_RULES,
  type SecondFactorRule,
  type StaffRules,
  staffApi,
} from '@tatami/contract/staff/staff'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'

const SECOND_FACTOR_LABELS: Record<SecondFactorRule, string> = {
  nobody: 'Nobody',
  owners: 'Owners',
  money: 'Owners, and staff with permissions for money',
}
const SECOND_FACTOR_OPTIONS = SECOND_FACTOR_RULES.map((value) => ({
  value,
  label: SECOND_FACTOR_LABELS[value],
}))

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
  const pendingRules = save.isPending ? save.variables?.body : undefined
  return (
    <Panel title="Rules for everybody">
      <SwitchRow
        label="No payments for your own family"
        description="Staff who are parents here must ask a colleague to take or forgive their fees"
        checked={pendingRules?.refuses_own_family_setting ?? rules.refuses_own_family}
        onChange={(isOn) => save.mutate({ body: { refuses_own_family_setting: isOn } })}
      />
      <NumberInput
        size="md"
        label="Ask before a text goes to more than"
        description="Number of people. Owners are never asked"
        min={1}
        maw="20rem"
        value={maxRecipients}
        onChange={setMaxRecipients}
        onBlur={saveMaximum}
      />
      <NativeSelect
        label="Who needs a second step to log in"
        description="A passkey or an authenticator app, starting with the next login"
        maw="28rem"
        data={SECOND_FACTOR_OPTIONS}
        value={pendingRules?.second_factor ?? rules.second_factor}
        onChange={({ currentTarget }) => {
          const second_factor = SECOND_FACTOR_RULES.find((rule) => rule === currentTarget.value)
          save.mutate({ body: { second_factor } })
        }}
      />
      <ErrorNotice>
        {failureMessage(save, 'The rule could not be saved. Please try again.')}
      </ErrorNotice>
    </Panel>
  )
}
