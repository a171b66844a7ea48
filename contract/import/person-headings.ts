import { fold } from './values.ts'

const PARENT = /(?<![A-Za-z0-9])[Pp]\s?#?([12])(?![a-z0-9])/g
const NUMBERED_PERSON = /\b(parent|guardian|contact|mother|father|mom|dad)[_#]?([12])(?!\d)/gi
const CONTACT = /^\s*contact[\s#]*([12])(?!\d)/i

/** "P1 Cell" becomes "Parent 1 Cell", and "Contact2 Email" becomes "Guardian 2 Email". */
export const spellOutPerson = (heading: string): string =>
  heading
    .replaceAll(PARENT, 'Parent $1 ')
    .replaceAll(NUMBERED_PERSON, '$1 $2 ')
    .replace(CONTACT, 'Guardian $1 ')

const SAYS_GUARDIAN = /^(e ?mail|relation|type)/

/** A heading that no field has, so that the values below it are not looked at either. */
const UNUSED_HEADING = 'Referral'

/**
 * A numbered contact is a guardian if the sheet has a column for the email or the relation. Else
 * the first one may be anybody, so it is the emergency contact.
 */
export function withoutUnclearContacts(headings: readonly string[]): string[] {
  const guardianNumbers = new Set(
    headings.flatMap((heading) => {
      const [start = '', number] = CONTACT.exec(heading) ?? []
      return number && SAYS_GUARDIAN.test(fold(heading.slice(start.length))) ? [number] : []
    }),
  )
  return headings.map((heading) => {
    const [start = '', number] = CONTACT.exec(heading) ?? []
    if (number === undefined) return heading
    const part = heading.slice(start.length).replace(/\btype\b/i, 'relationship')
    if (guardianNumbers.has(number)) return `Guardian ${number}${part}`
    return number === '1' ? `Emergency contact${part}` : UNUSED_HEADING
  })
}
