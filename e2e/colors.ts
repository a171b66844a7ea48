import type { Locator, Page } from '@playwright/test'

export const readColor = (locator: Locator) =>
  locator.evaluate((element) => getComputedStyle(element).color)
export const readBackground = (locator: Locator) =>
  locator.evaluate((element) => getComputedStyle(element).backgroundColor)

/** A color of the theme, as the browser computes it. */
export const themeColor = (
  page: Page,
  name: 'green' | 'orange' | 'red' | 'blue' | 'violet' | 'violet-tint',
) =>
  page.evaluate((token) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = `var(--${token})`
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }, name)
