/** Whether somebody has had this birthday by a day, both calendar dates; born on February 29, on the 28th where there is no 29th. `unknown`
 *  is answered without a date of birth. */
export function hadBirthday(dateOfBirth: string | null, age: number, today: string, { unknown }: { unknown: boolean }): boolean {
  return dateOfBirth === null ? unknown : birthdayOf(dateOfBirth, age) <= today
}

/** The day on which somebody turns `age`, YYYY-MM-DD. */
export function birthdayOf(dateOfBirth: string, age: number): string {
  const year = Number(dateOfBirth.slice(0, 4)) + age
  const day = `${year}${dateOfBirth.slice(4)}`
  const isDay = new Date(`${day}T00:00Z`).toJSON()?.slice(0, 10) === day
  return isDay ? day : `${year}-02-28`
}
