const [year = 0, month = 0] = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' })
  .format(new Date())
  .split('-')
  .map(Number)

/** The current month at the dojo. The API counts months from 0. */
export const THIS_MONTH = { month: month - 1, year }
const monthFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  month: 'long',
  year: 'numeric',
})
export const THIS_MONTH_NAME = monthFormat.format(Date.UTC(year, month - 1))
