import { IconSearch } from '@tabler/icons-react'
import { type CSSProperties, useState } from 'react'
import { usePull } from '../lib/use-pull.ts'
import { FindDialog } from './find-button.tsx'
import styles from './pull-to-find.module.css'

/** How far a finger pulls, in CSS pixels, until letting go opens the search. */
const ENOUGH_PX = 96

/** Opens the search when the page is pulled down from its top. For thumbs alone: everybody has the button in the bar, and the keys. */
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
            {progress === 1 ? 'Let go to find' : 'Pull to find'}
          </span>
        )}
      </div>
      {isOpen && <FindDialog onClose={() => setOpen(false)} />}
    </>
  )
}
