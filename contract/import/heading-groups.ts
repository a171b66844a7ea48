import { normalizeText } from './values.ts'
import { regex } from './patterns.ts'

const STUDENT_GROUP = regex()`
  ^(the |our )?(students?|members?|participants?|child|children|athletes?|personal|basic|general
  |contact|name|names|student s)( (info\w*|details?|data|name|s))*$`
const OTHER_GROUP = regex()`
  \b(parents?|guardians?|mother|mom|mum|father|dad|emergency|billing|payer|payments?|waivers?
  |insurance|doctor|physician|school|siblings?|instructor|coach|referr\w*|address|pick ?up)\b`
const LONGEST_GROUP = 40

/** True if this row groups the headings below it, for example under "Student" and "Parent 1". */
export function isGroupRow(groups: readonly string[], headings: readonly string[]): boolean {
  const filledGroups = groups.map(normalizeText).filter(Boolean)
  const headingCount = headings.map(normalizeText).filter(Boolean).length
  return (
    filledGroups.length >= 2 &&
    filledGroups.length < headingCount &&
    groups.every((group) => group.length <= LONGEST_GROUP) &&
    filledGroups.some((group) => OTHER_GROUP.test(group) || STUDENT_GROUP.test(group))
  )
}

export function addGroupNames(
  groups: readonly string[],
  headings: readonly string[],
  isKnown: (heading: string) => boolean,
): string[] {
  let group = ''
  return headings.map((heading, column) => {
    group = (groups[column] ?? '').trim() || group
    const words = normalizeText(group)
    if (words === '' || STUDENT_GROUP.test(words)) return heading
    const groupedHeading = heading.trim() === '' ? group : `${group} ${heading.trim()}`
    return OTHER_GROUP.test(words) || isKnown(groupedHeading) ? groupedHeading : heading
  })
}

const RELATION = /^relation(ship)?( to (the )?(student|child|participant|member|athlete))?$/
const CONTACT_HEADING = regex()`
  ^((first|last|full|given|family) )?name$|^(first|last|surname)$|^((cell|mobile|home|work
  |primary) )?(phone|cell|mobile|telephone|tel|number|e ?mail)( (number|address))?$`

/** A person whose contact columns follow. */
type Owner = {
  name: string
  /** If false, only columns whose heading occurs more than once are about this person. */
  ownsAll: boolean
}

type HeadingReader = {
  /** Finds the person whose contact details may follow, or null if the heading names nobody. */
  findOwner: (heading: string) => string | null
  isWholeName: (heading: string) => boolean
  isNamePart: (heading: string) => boolean
}

/** Adds the owner to contact headings: in "Name, Phone, Parent, Phone" the second phone becomes
 *  "Parent Phone". */
export function addOwnerNames(headings: readonly string[], reader: HeadingReader): string[] {
  const foldedHeadings = headings.map(normalizeText)
  const isRelation = (column: number) => RELATION.test(foldedHeadings[column] ?? '')
  const isWholeName = (column: number) => reader.isWholeName(headings[column] ?? '')
  const isRepeated = (heading: string) =>
    foldedHeadings.indexOf(heading) !== foldedHeadings.lastIndexOf(heading)
  let hasStudent = false
  let owner: Owner | null = null
  return headings.map((heading, column) => {
    const foldedHeading = foldedHeadings[column] ?? ''
    const namedOwner = reader.findOwner(heading)
    if (namedOwner !== null) {
      owner = { name: namedOwner, ownsAll: false }
      return heading
    }
    if (!CONTACT_HEADING.test(foldedHeading) && !isRelation(column)) owner = null
    const startsGuardian =
      (isWholeName(column) && (isRelation(column - 1) || isRelation(column + 1))) ||
      (isRelation(column) && isWholeName(column + 1))
    if (owner === null && hasStudent && startsGuardian) owner = { name: 'Guardian', ownsAll: true }
    if (owner === null) {
      hasStudent ||= isWholeName(column) || reader.isNamePart(heading)
      return heading
    }
    if (isRelation(column)) owner = { ...owner, ownsAll: true }
    return owner.ownsAll || isRepeated(foldedHeading) ? `${owner.name} ${heading}` : heading
  })
}
