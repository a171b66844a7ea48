/** "92%", for every percentage that people read. */
export const formatPercent = (percent: number) => `${Math.round(percent)}%`
