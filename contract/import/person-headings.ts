import { normalizeText } from './values.ts'

const PARENT = /(?<![A-Za-z0-9])[Pp]\s?#?([12])(?![a-z0-9])/g
const NUMBERED_PERSON = /\b(parent|guardian|contact|mother|father|mom|dad)[_#]?([12])(?!\d)/gi
const CONTACT = /^\s*contact[\s#]*([12])(?!\d)/i

/** "P1 Cell" becomes "Parent 1 Cell", and "Contact2 Email" becomes "Guardian 2 Email". */
export const spellOutPerson = (heading: string): string =>
  heading
    .replaceAll(PARENT, 'Parent $1 ')
    .replaceAll(NUMBERED_PERSON, '$1 $2 ')
    .replace(CONTACT, 'Guardian $1 ')

/** "Billing Contact", "Billing Email" and "Billing Phone" are about the person who pays. */
export function nameBillingContact(headings: readonly string[]): readonly string[] {
  const hasPerson = headings.some((heading) =>
    /^billing (contact|name)$/.test(normalizeText(heading)),
  )
  if (!hasPerson) return headings
  return headings.map((heading) =>
    heading
      .replace(/^billing (contact|name)$/i, 'Guardian name')
      .replace(/^billing (?=e-?mail|phone|cell|mobile)/i, 'Guardian '),
  )
}

const GUARDIAN_DETAIL = /^(e ?mail|relation|type)/

/** Matches no field, so that the values below it are ignored. */
const UNUSED_HEADING = 'Referral'

/**
 * A numbered contact is a guardian if the sheet has a column for their email or relationship.
 * Otherwise they could be anybody: the first one is the emergency contact, the second is ignored.
 */
export function resolveNumberedContacts(headings: readonly string[]): string[] {
  const guardianNumbers = new Set(
    headings.flatMap((heading) => {
      const [start = '', number] = CONTACT.exec(heading) ?? []
      return number && GUARDIAN_DETAIL.test(normalizeText(heading.slice(start.length)))
        ? [number]
        : []
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
