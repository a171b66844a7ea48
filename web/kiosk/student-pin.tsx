import { Button } from '@mantine/core'
import { kiosksApi } from '@tatami/contract/kiosk/kiosks'
import { firstName } from '@tatami/contract/lib/name-parts'
import { useState } from 'react'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Panel } from '../ui/panel.tsx'

const PinDialog = lazyComponent(() => import('./pin-dialog.tsx'), 'PinDialog')

export function StudentPin({ student }: { student: { id: string; name: string } }) {
  const { data } = useRetryingQuery(
    endpointQuery(kiosksApi.showPin, { params: { id: student.id } }),
  )
  const [isOpen, setIsOpen] = useState(false)
  if (!data || (!data.has_kiosk && !data.has_pin)) return null
  return (
    <Panel
      title="Kiosk"
      aside={
        <Button variant="default" {...PinDialog.preloadOnHover} onClick={() => setIsOpen(true)}>
          {data.has_pin ? 'Change PIN' : 'Set a PIN'}
        </Button>
      }
    >
      <p>
        {firstName(student.name)} has {data.has_pin ? 'a PIN for check-in' : 'no PIN yet'}.
      </p>
      {isOpen && (
        <PinDialog
          student={student}
          hasPin={data.has_pin}
          refreshes={[kiosksApi.showPin, kiosksApi.list]}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Panel>
  )
}
