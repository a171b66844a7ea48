const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** "12 MB", "1.4 GB" */
export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1000 ** step
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: UNITS[step]!,
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  }).format(value)
}
