import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { usePull } from '../lib/use-pull.ts'
import { FindDialog } from './find-button.tsx'
import styles from './pull-to-find.module.css'

/** How far the user must pull the page down to open the search. */
const THRESHOLD_PX = 96

export function PullToFind() {
  const [isOpen, setOpen] = useState(false)
  const distance = usePull({
    thresholdPx: THRESHOLD_PX,
    onBegin: FindDialog.preload,
    onPull: () => setOpen(true),
  })
  const progress = Math.min(distance / THRESHOLD_PX, 1)
  return (
    <>
      <div className={styles.container} aria-hidden>
        {distance > 0 && (
          <span
            className={styles.hint}
            data-complete={progress === 1}
            style={{ '--progress': progress }}
          >
            <IconSearch size={20} />
            {progress === 1 ? 'Release to search' : 'Pull to search'}
          </span>
        )}
      </div>
      {isOpen && <FindDialog onClose={() => setOpen(false)} />}
    </>
  )
}
