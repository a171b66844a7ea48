import type { Plugin } from 'postcss'

const isHover = (selector: string) => selector.replaceAll(/:not\([^)]*\)/g, '').includes(':hover')

/** A touchscreen leaves what was tapped in the state `:hover`, so a tile would stay lit. Moves all
 *  such rules into `@media (hover: hover)`, so that no stylesheet has to remember it. */
export const hoverStyles: Plugin = {
  postcssPlugin: 'tatami-hover-styles',
  Rule(rule, { AtRule }) {
    const hoverSelectors = rule.selectors.filter(isHover)
    if (hoverSelectors.length === 0) return
    const { parent } = rule
    if (parent?.type === 'atrule' && 'params' in parent && parent.params === '(hover: hover)')
      return
    const query = new AtRule({ name: 'media', params: '(hover: hover)' })
    query.append(rule.clone({ selectors: hoverSelectors }))
    rule.after(query)
    if (hoverSelectors.length === rule.selectors.length) rule.remove()
    else rule.selectors = rule.selectors.filter((selector) => !isHover(selector))
  },
}
