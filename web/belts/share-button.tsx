import { Button } from '@mantine/core'
import { IconShare2 } from '@tabler/icons-react'
import type { OwnBelts } from '@tatami/contract/belts/readiness'
import { useState } from 'react'
import { today } from '../lib/dates.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { findNewBelt } from './new-belt.ts'

const ShareCardDialog = lazyComponent(() => import('./share-card-dialog.tsx'), 'ShareCardDialog')

type HistoryRow = OwnBelts['styles'][number]['history'][number]

/** Offers the last promotion as a picture that parents and students can send to friends. */
export function ShareButton({ name, history }: { name: string; history: readonly HistoryRow[] }) {
  const [isOpen, setIsOpen] = useState(false)
  const promotion = findNewBelt(history, today())
  if (!promotion) return null
  return (
    <div>
      <Button
        variant="light"
        leftSection={<IconShare2 size={20} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        {...ShareCardDialog.preloadOnHover}
      >
        Share the new belt
      </Button>
      {isOpen && (
        <ShareCardDialog
          name={name}
          rank={promotion.rank}
          givenOn={promotion.given_on}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  )
}
