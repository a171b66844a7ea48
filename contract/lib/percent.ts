export const formatPercent = (percent: number) => `${Math.round(percent)}%`
