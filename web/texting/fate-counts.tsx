import type { Counts } from '@tatami/contract/text-history'
import { FateIcon } from './fate-icon.tsx'
import { countedFates, fateWords } from './fates.ts'
import classes from './fates.module.css'

/** "36 delivered", "2 failed" … each with its icon; in words as well where nobody is left to count. */
export function FateCounts({ counts }: { counts: Counts }) {
  const counted = countedFates(counts)
  if (counted.length === 0) return <p className={classes.nobody}>Nobody to show: it had no recipients, or they have left the dojo.</p>
  return (
    <ul className={classes.counts}>
      {counted.map(([fate, count]) => (
        <li key={fate} data-fate={fate}>
          <FateIcon fate={fate} />
          {fateWords(fate, count)}
        </li>
      ))}
    </ul>
  )
}
