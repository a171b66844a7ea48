import { Button } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { onlinePaymentApi } from '@tatami/contract/online-payment/online-payment'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'

const PayLinkSheet = lazyComponent(() => import('./pay-link-sheet.tsx'), 'PayLinkSheet')

/** Shown only if families can pay online. */
export function PayLinkButton({ studentId }: { studentId: string }) {
  const { data: status } = useQuery(endpointQuery(onlinePaymentApi.status))
  const [isOpen, setIsOpen] = useState(false)
  if (!status?.is_on) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconLink size={20} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        {...PayLinkSheet.preloadOnHover}
      >
        Pay link
      </Button>
      {isOpen && <PayLinkSheet studentId={studentId} onClose={() => setIsOpen(false)} />}
    </>
  )
}
