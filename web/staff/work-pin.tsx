import { Button } from '@mantine/core'
import { useState } from 'react'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Panel } from '../ui/panel.tsx'

const WorkPinDialog = lazyComponent(() => import('./work-dialogs.ts'), 'WorkPinDialog')

type Props = { hasPin: boolean; hasKiosk: boolean }

/** Shows nothing in a school without a kiosk. */
export function WorkPin({ hasPin, hasKiosk }: Props) {
  const [isOpen, setOpen] = useState(false)
  if (!hasKiosk) return null
  return (
    <Panel title="At the kiosk">
      <p>
        {hasPin
          ? 'Tap Staff at the kiosk, and enter your PIN to start and end your work.'
          : 'With your own PIN, you can start and end your work at the kiosk.'}
      </p>
      <div>
        <Button
          variant="default"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          {...WorkPinDialog.preloadOnHover}
        >
          {hasPin ? 'Change PIN' : 'Get a PIN'}
        </Button>
      </div>
      {isOpen && <WorkPinDialog hasPin={hasPin} onClose={() => setOpen(false)} />}
    </Panel>
  )
}
