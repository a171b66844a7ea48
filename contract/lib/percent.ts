/** "92%": every percentage that people read is written by it. */
export const formatPercent = (percent: number) => `${Math.round(percent)}%`
