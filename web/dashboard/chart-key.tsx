import styles from './month-chart.module.css'

/** What each kind of column means, as it is drawn. */
export const ChartKey = ({ kinds }: { kinds: { className: string | undefined; says: string }[] }) => (
  <ul className={styles.key}>
    {kinds.map(({ className, says }) => (
      <li key={says}>
        <svg width="14" height="14" aria-hidden>
          <rect x="1" y="1" width="12" height="12" rx="2" className={className} />
        </svg>
        {says}
      </li>
    ))}
  </ul>
)
