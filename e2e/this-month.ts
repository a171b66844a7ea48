const [year = 0, month = 0] = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' })
  .format(new Date())
  .split('-')
  .map(Number)

/** The month at the dojo and in its browser, as the API counts it, and as it is written. */
export const THIS_MONTH = { month: month - 1, year }
const inWords = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  month: 'long',
  year: 'numeric',
})
export const THIS_MONTH_NAME = inWords.format(Date.UTC(year, month - 1))
