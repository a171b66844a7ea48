import { fold } from './values.ts'

/** Groups that are about the student, so that their headings say enough by themselves. */
const OF_STUDENT =
  /^(the |our )?(students?|members?|participants?|child|children|athletes?|personal|basic|general|contact|name|names|student s)( (info\w*|details?|data|name|s))*$/
/** Groups that are about somebody or something else. */
const OF_ANOTHER =
  /\b(parents?|guardians?|mother|mom|mum|father|dad|emergency|billing|payer|payments?|waivers?|insurance|doctor|physician|school|siblings?|instructor|coach|referr\w*|address|pick ?up)\b/
const LONGEST_GROUP = 40

/** Whether a row above the headings names groups of them: "Student" and "Parent 1". */
export function isGroupRow(groups: readonly string[], headings: readonly string[]): boolean {
  const filledGroups = groups.map(fold).filter(Boolean)
  const headingCount = headings.map(fold).filter(Boolean).length
  return (
    filledGroups.length >= 2 &&
    filledGroups.length < headingCount &&
    groups.every((group) => group.length <= LONGEST_GROUP) &&
    filledGroups.some((group) => OF_ANOTHER.test(group) || OF_STUDENT.test(group))
  )
}

/** The headings with the group above them: "Parent 1 Name". A group goes on until the next one. */
export function withGroups(
  groups: readonly string[],
  headings: readonly string[],
  isKnown: (heading: string) => boolean,
): string[] {
  let group = ''
  return headings.map((heading, column) => {
    group = (groups[column] ?? '').trim() || group
    const words = fold(group)
    if (words === '' || OF_STUDENT.test(words)) return heading
    const groupedHeading = heading.trim() === '' ? group : `${group} ${heading.trim()}`
    return OF_ANOTHER.test(words) || isKnown(groupedHeading) ? groupedHeading : heading
  })
}

const RELATION = /^relation(ship)?( to (the )?(student|child|participant|member|athlete))?$/
const OF_CONTACT =
  /^((first|last|full|given|family) )?name$|^(first|last|surname)$|^((cell|mobile|home|work|primary) )?(phone|cell|mobile|telephone|tel|number|e ?mail)( (number|address))?$/

type Owner = { name: string; ownsAll: boolean }

/** What there is to know of headings one by one. */
export type HeadingReader = {
  /** Whom the columns after such a heading may be about; null where it names nobody. */
  ownerOf: (heading: string) => string | null
  isWholeName: (heading: string) => boolean
  isNamePart: (heading: string) => boolean
}

/**
 * The headings with whom they are about, where that stands in the columns before: the second "Phone"
 * is the parent's in "Name, Phone, Parent, Phone", and so are the second "Name" and all that follows
 * it beside a "Relationship".
 */
export function withOwners(headings: readonly string[], reader: HeadingReader): string[] {
  const words = headings.map(fold)
  const isRelation = (column: number) => RELATION.test(words[column] ?? '')
  const isWholeName = (column: number) => reader.isWholeName(headings[column] ?? '')
  const isRepeated = (heading: string) => words.indexOf(heading) !== words.lastIndexOf(heading)
  let hasStudent = false
  let owner: Owner | null = null
  return headings.map((heading, column) => {
    const ownWords = words[column] ?? ''
    const namedOwner = reader.ownerOf(heading)
    if (namedOwner !== null) {
      owner = { name: namedOwner, ownsAll: false }
      return heading
    }
    if (!OF_CONTACT.test(ownWords) && !isRelation(column)) owner = null
    const beginsGuardian =
      (isWholeName(column) && (isRelation(column - 1) || isRelation(column + 1))) ||
      (isRelation(column) && isWholeName(column + 1))
    if (owner === null && hasStudent && beginsGuardian) owner = { name: 'Guardian', ownsAll: true }
    if (owner === null) {
      hasStudent ||= isWholeName(column) || reader.isNamePart(heading)
      return heading
    }
    if (isRelation(column)) owner = { ...owner, ownsAll: true }
    return owner.ownsAll || isRepeated(ownWords) ? `${owner.name} ${heading}` : heading
  })
}
