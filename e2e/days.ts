/** A calendar day from today where the dojos of the tests are, YYYY-MM-DD. */
export const dayAhead = (days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' }).format(
    new Date(Date.now() + days * 86_400_000),
  )
