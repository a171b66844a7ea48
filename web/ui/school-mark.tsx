import type { DojoBranding } from '@tatami/contract/pictures/pictures'
import styles from './school-mark.module.css'

type Props = { look: DojoBranding | undefined; name: string | null | undefined; hasBand?: boolean }

/** The school's logo and name, above a band in the school's color. The name has the text color, so
 *  that it is always readable. */
export const SchoolMark = ({ look, name, hasBand = true }: Props) => (
  <span
    className={styles.mark}
    data-band={hasBand}
    style={look?.dojo_color ? { '--school': look.dojo_color } : undefined}
  >
    {look?.dojo_logo && <img src={look.dojo_logo} alt="" className={styles.logo} />}
    <span className={styles.name}>{name}</span>
  </span>
)
