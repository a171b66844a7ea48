import './tokens.css'
import './mantine.css'
import './media.css'
import './loading.css'
import './footer.css'
import './dialog.css'
import {
  type ButtonProps,
  type CheckboxProps,
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  MantineProvider,
  type NativeSelectProps,
  type NumberInputProps,
  type PaperProps,
  type TextareaProps,
  type TextInputProps,
} from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '../lib/query.ts'

declare module 'react' {
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined
  }
}

/** Mantine needs ten shades of a color, but we have only two (tokens.css). */
const shades = (name: string): MantineColorsTuple => {
  const tint = `var(--${name}-tint)`
  const main = `var(--${name})`
  return [tint, tint, tint, main, main, main, main, main, main, main]
}
const COLORS = ['violet', 'green', 'orange', 'red', 'blue'] as const

const PAPER = 'var(--paper)'
const SURFACE = 'var(--surface)'
const SUNKEN = 'var(--sunken)'
const INK = 'var(--ink)'
const DIM = 'var(--dim)'
const LINE = 'var(--line)'
const EDGE = 'var(--edge)'
const GRAY: MantineColorsTuple = [PAPER, SUNKEN, SUNKEN, LINE, EDGE, DIM, DIM, DIM, INK, INK]
const DARK: MantineColorsTuple = [INK, DIM, DIM, DIM, LINE, SUNKEN, SURFACE, PAPER, PAPER, PAPER]

const theme = createTheme({
  primaryColor: 'violet',
  white: 'var(--surface)',
  black: 'var(--ink)',
  colors: {
    ...Object.fromEntries(COLORS.map((name) => [name, shades(name)])),
    gray: GRAY,
    dark: DARK,
  },
  fontFamily: 'var(--font)',
  headings: {
    fontFamily: 'var(--font)',
    fontWeight: '650',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.25' },
      h2: { fontSize: '1.25rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.5' },
    },
  },
  fontSizes: { xs: '0.875rem', sm: '0.875rem', md: '1rem', lg: '1.25rem', xl: '1.75rem' },
  spacing: { xs: '0.25rem', sm: '0.5rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '32px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // `TextInput.extend` would be shorter, but every page would load the form components.
    Button: { defaultProps: { size: 'md' } satisfies ButtonProps },
    Checkbox: { defaultProps: { radius: 'xs' } satisfies CheckboxProps },
    Paper: { defaultProps: { radius: 'md', withBorder: true, p: 'md' } satisfies PaperProps },
    TextInput: { defaultProps: { size: 'md' } satisfies TextInputProps },
    NumberInput: { defaultProps: { size: 'md' } satisfies NumberInputProps },
    NativeSelect: { defaultProps: { size: 'md' } satisfies NativeSelectProps },
    Textarea: { defaultProps: { size: 'md' } satisfies TextareaProps },
  },
})

const colorVariables = (name: (typeof COLORS)[number]) => {
  const hoverColor = `var(--${name}${name === 'violet' || name === 'red' ? '-strong' : ''})`
  const color = `--mantine-color-${name}`
  return {
    [`${color}-text`]: `var(--${name})`,
    [`${color}-filled`]: `var(--${name})`,
    [`${color}-filled-hover`]: hoverColor,
    [`${color}-light`]: `var(--${name}-tint)`,
    [`${color}-light-hover`]: `var(--${name}-tint)`,
    [`${color}-light-color`]: `var(--${name})`,
    [`${color}-outline`]: `var(--${name})`,
    [`${color}-outline-hover`]: `var(--${name}-tint)`,
  }
}

/** The same in light and dark mode, because the tokens change with the mode (tokens.css). */
const overriddenVariables = {
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-body': 'var(--paper)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--dim)',
  '--mantine-color-placeholder': 'var(--dim)',
  '--mantine-color-anchor': 'var(--violet)',
  '--mantine-color-error': 'var(--red)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--edge)',
  '--mantine-color-gray-text': 'var(--dim)',
  '--mantine-color-gray-light': 'var(--sunken)',
  '--mantine-color-gray-light-hover': 'var(--sunken)',
  '--mantine-color-gray-light-color': 'var(--ink)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--dim)',
  '--mantine-color-disabled-border': 'var(--line)',
  ...Object.fromEntries(COLORS.flatMap((name) => Object.entries(colorVariables(name)))),
}
const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: overriddenVariables,
  dark: overriddenVariables,
})

export const Providers = ({ children }: { children: ReactNode }) => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    deduplicateCssVariables={false}
    defaultColorScheme="auto"
  >
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  </MantineProvider>
)
