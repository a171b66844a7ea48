import { type Icon, IconChevronRight } from '@tabler/icons-react'
import { useId } from 'react'
import { LayoutLink } from '../lib/layout-link.tsx'
import type { LinkPath } from '../lib/paths.ts'
import styles from './school-row.module.css'
import kit from '../ui/kit.module.css'

type Props = { icon: Icon; name: string; about: string } & (
  | { to: LinkPath }
  | { onOpen: () => void; preload: () => void }
)

/** Opens a page (`to`) or a dialog (`onOpen`). */
export function SchoolRow({ icon: RowIcon, name, about, ...target }: Props) {
  const id = useId()
  const description = { 'aria-labelledby': `${id}-name`, 'aria-describedby': `${id}-about` }
  const content = (
    <>
      <RowIcon size={24} stroke={1.5} aria-hidden className={styles.icon} />
      <span className={`${kit.fill} ${styles.text}`}>
        <span id={`${id}-name`} className={kit.strong}>
          {name}
        </span>
        <span id={`${id}-about`} className={kit.note}>
          {about}
        </span>
      </span>
      <IconChevronRight size={20} aria-hidden className={kit.muted} />
    </>
  )
  return (
    <li>
      {'to' in target ? (
        <LayoutLink to={target.to} className={`${kit.plainLink} ${styles.row}`} {...description}>
          {content}
        </LayoutLink>
      ) : (
        <button
          type="button"
          className={`${kit.bareButton} ${styles.row}`}
          aria-haspopup="dialog"
          onClick={target.onOpen}
          onPointerEnter={target.preload}
          onFocus={target.preload}
          {...description}
        >
          {content}
        </button>
      )}
    </li>
  )
}
