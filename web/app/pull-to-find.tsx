import { IconSearch } from '@tabler/icons-react'
import { type CSSProperties, useState } from 'react'
import { usePull } from '../lib/use-pull.ts'
import { FindDialog } from './find-button.tsx'
import styles from './pull-to-find.module.css'

/** The pull distance, in CSS pixels, that opens the search on release. */
const ENOUGH_PX = 96

export function PullToFind() {
  const [isOpen, setOpen] = useState(false)
  const distance = usePull({
    enough: ENOUGH_PX,
    onBegin: FindDialog.preload,
    onPull: () => setOpen(true),
  })
  const progress = Math.min(distance / ENOUGH_PX, 1)
  return (
    <>
      <div className={styles.place} aria-hidden>
        {distance > 0 && (
          <span
            className={styles.sign}
            data-enough={progress === 1}
            style={{ '--progress': progress } as CSSProperties}
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
