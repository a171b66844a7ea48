import { Button } from '@mantine/core'
import { IconQrcode } from '@tabler/icons-react'
import { kiosksApi } from '@tatami/contract/kiosk/kiosks'
import { useState } from 'react'
import { useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { BottomActions } from '../ui/page-header.tsx'

const CheckInSheet = lazyComponent(() => import('./check-in-sheet.tsx'), 'CheckInSheet')

/** Hidden if the school has no kiosk. It is last on the page, so nothing moves when it appears. */
export function OwnCheckIn() {
  const { data } = useRetryingQuery(endpointQuery(kiosksApi.own))
  const [isOpen, setIsOpen] = useState(false)
  const isDesktop = useLayout() === 'desktop'
  if (!data?.has_kiosk || data.students.length === 0) return null
  const button = (
    <Button
      size="md"
      fullWidth={!isDesktop}
      variant={isDesktop ? 'default' : 'filled'}
      aria-haspopup="dialog"
      leftSection={<IconQrcode size={22} aria-hidden />}
      {...CheckInSheet.preloadOnHover}
      onClick={() => setIsOpen(true)}
    >
      Check-in code
    </Button>
  )
  return (
    <>
      {isDesktop ? <div>{button}</div> : <BottomActions>{button}</BottomActions>}
      {isOpen && <CheckInSheet students={data.students} onClose={() => setIsOpen(false)} />}
    </>
  )
}
