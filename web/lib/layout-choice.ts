import type { Shell } from './page-of.ts'

const KEY = 'layout'

/** The layout last used on this device; null before anyone chose one. */
export const lastLayout = (): Shell | null => {
  const layout = localStorage.getItem(KEY)
  return layout === 'desktop' || layout === 'mobile' ? layout : null
}

export const rememberLayout = (layout: Shell) => localStorage.setItem(KEY, layout)
