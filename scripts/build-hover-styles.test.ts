import { preprocessCSS, resolveConfig } from 'vite'
import { expect, test } from 'vitest'
import { hoverStyles } from './build-hover-styles.ts'

const config = await resolveConfig(
  { configFile: false, css: { postcss: { plugins: [hoverStyles] } } },
  'build',
)
const withoutSpaces = (css: string) => css.replaceAll(/\s+/g, '')

test.each([
  ['.tile:hover { color: red }', '@media (hover: hover) { .tile:hover { color: red } }'],
  [
    '.tile:hover, .tile:focus { color: red }',
    '.tile:focus { color: red } @media (hover: hover) { .tile:hover { color: red } }',
  ],
  [
    '@media (hover: hover) { .tile:hover { color: red } }',
    '@media (hover: hover) { .tile:hover { color: red } }',
  ],
  ['.tile:not(:hover, :focus) { color: red }', '.tile:not(:hover, :focus) { color: red }'],
])('only a device with a pointer gets the hover style of %s', async (css, expectedCss) => {
  const { code } = await preprocessCSS(css, '/styles.css', config)
  expect(withoutSpaces(code)).toBe(withoutSpaces(expectedCss))
})
