import type { Plugin } from 'postcss'

const hasHover = (selector: string) => selector.replaceAll(/:not\([^)]*\)/g, '').includes(':hover')

/** Moves all hover rules into `@media (hover: hover)`. On a touchscreen, `:hover` still applies to
 *  an element after a tap, so the element would keep its hover style. */
export const hoverStyles: Plugin = {
  postcssPlugin: 'tatami-hover-styles',
  Rule(rule, { AtRule }) {
    const hoverSelectors = rule.selectors.filter(hasHover)
    if (hoverSelectors.length === 0) return
    const { parent } = rule
    if (parent?.type === 'atrule' && 'params' in parent && parent.params === '(hover: hover)')
      return
    const query = new AtRule({ name: 'media', params: '(hover: hover)' })
    query.append(rule.clone({ selectors: hoverSelectors }))
    rule.after(query)
    if (hoverSelectors.length === rule.selectors.length) rule.remove()
    else rule.selectors = rule.selectors.filter((selector) => !hasHover(selector))
  },
}
