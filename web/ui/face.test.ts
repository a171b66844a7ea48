import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RANK_COLOURS, type RankColour } from '@tatami/contract/lib/ranks'
import { contrastBetween } from '@tatami/contract/pictures/contrast'
import { expect, test } from 'vitest'
import { isLightColor } from './belt.tsx'

const TOKENS = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const MODES = ['light', 'dark'] as const
type Mode = (typeof MODES)[number]

function beltColor(color: RankColour, mode: Mode): string {
  const value = new RegExp(`--belt-${color}: (.*);`).exec(TOKENS)?.[1] ?? ''
  const [lightColor = '', darkColor = lightColor] = value.match(/#[\da-f]{6}/g) ?? []
  return mode === 'light' ? lightColor : darkColor
}

const rgbChannels = (color: string) =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))

/** Mixes 80% of the color with 20% of the black belt, as face.module.css does. */
function darken(color: string, mode: Mode): string {
  const black = rgbChannels(beltColor('black', mode))
  const channels = rgbChannels(color).map((channel, index) =>
    Math.round(0.8 * channel + 0.2 * (black[index] ?? 0)),
  )
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

test.each(MODES.flatMap((mode) => RANK_COLOURS.map((color) => [color, mode] as const)))(
  'initials are readable on a %s belt in %s mode',
  (color, mode) => {
    const belt = beltColor(color, mode)
    const contrast = isLightColor(color)
      ? contrastBetween(beltColor('black', mode), belt)
      : contrastBetween(beltColor('white', mode), darken(belt, mode))
    expect(contrast).toBeGreaterThanOrEqual(4.5)
  },
)
