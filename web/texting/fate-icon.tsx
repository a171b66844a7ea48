import { IconAlertTriangle, IconArrowRight, IconCheck, IconHelpCircle, IconHourglassEmpty, IconMinus, type Icon } from '@tabler/icons-react'
import classes from './fates.module.css'
import type { TextFate } from './fates.ts'

const ICONS: Record<TextFate, Icon> = {
  delivered: IconCheck,
  on_its_way: IconArrowRight,
  waiting: IconHourglassEmpty,
  failed: IconAlertTriangle,
  uncertain: IconHelpCircle,
  skipped: IconMinus,
}

/** Beside the word that says the same. */
export function FateIcon({ fate, size = 16 }: { fate: TextFate; size?: number }) {
  const Shown = ICONS[fate]
  return <Shown size={size} stroke={2} aria-hidden data-fate={fate} className={classes.icon} />
}
