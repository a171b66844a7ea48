import { initials } from '@tatami/contract/lib/name-parts'
import type { Belt } from '@tatami/contract/lib/ranks'
import { type CSSProperties, useState } from 'react'
import { isLightColor } from './belt.tsx'
import styles from './face.module.css'
import type { Rank } from './rank-name.ts'

export type StudentFace = {
  name: string
  photo: string | null
  rank: Rank
  belt_level: Belt | null
}
type Props = { student: StudentFace; size?: number }

/** The student's photo, or the initials on the color of the belt. Screen readers skip it, because
 *  it is always next to the name. */
export function Face({ student: { name, photo, rank, belt_level }, size = 40 }: Props) {
  // Offline, a photo loads only if it is in the browser's cache.
  const [failedPhoto, setFailedPhoto] = useState<string | null>(null)
  const color = rank?.colours[0] ?? belt_level ?? 'white'
  const style = {
    '--face-size': `${size / 16}rem`,
    '--face-color': `var(--belt-${color})`,
  } as CSSProperties
  if (photo !== null && photo !== failedPhoto)
    return (
      <img
        src={photo}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        fetchPriority="low"
        className={`${styles.face} ${styles.photo}`}
        style={style}
        onError={() => setFailedPhoto(photo)}
      />
    )
  const letters = initials(name)
  return (
    letters !== '' && (
      <span
        className={`${styles.face} ${styles.initials}`}
        data-light={isLightColor(color)}
        data-initials={letters}
        style={style}
        aria-hidden
      />
    )
  )
}
