import { Button } from '@mantine/core'
import { IconShare2 } from '@tabler/icons-react'
import { addDays } from '@tatami/contract/lib/calendar-day'
import type { OwnBelts } from '@tatami/contract/belts/readiness'
import { useState } from 'react'
import { today } from '../lib/dates.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'

const ShareCardDialog = lazyComponent(() => import('./share-card-dialog.tsx'), 'ShareCardDialog')

type HistoryRow = OwnBelts['styles'][number]['history'][number]

/** For this long a new belt is news. */
const NEWS_DAYS = 60

export const findNewBelt = (history: readonly HistoryRow[], day: string) =>
  history.find(
    ({ kind, given_on, is_corrected }) =>
      (kind === 'promotion' || kind === 'skip') &&
      !is_corrected &&
      given_on > addDays(day, -NEWS_DAYS),
  )

/** The last promotion as a picture that parents and students can send to friends. */
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
